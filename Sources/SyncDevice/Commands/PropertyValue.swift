import SyncCore

/// A value of a key-value store: a property list, as apps store it.
enum PropertyValue: Equatable {
    case text(String)
    case integer(Int128)
    case real(Double)
    case bool(Bool)
    /// Seconds since the beginning of 2001.
    case date(Double)
    case data([UInt8])
    case list([PropertyValue])
    /// The keys in the order in which they are stored.
    case dictionary([PropertyMember])

    /// What `kv set` stores: a text, or data if the bytes are no text.
    init(typed bytes: [UInt8]) {
        self = String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .data(bytes)
    }

    /// What `kv get` prints: text and data as they are, all others as they are in JSON.
    var printed: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .data(let bytes): bytes
        case .date(let seconds): Array((ISOTime.text(since2001: seconds) ?? "").utf8)
        default: json.bytes
        }
    }

    /// A date is its ISO 8601 text and data its base64.
    var json: JSONValue {
        switch self {
        case .text(let text): .text(text)
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .bool(let value): .bool(value)
        case .date(let seconds): .text(ISOTime.text(since2001: seconds))
        case .data(let bytes): .base64(bytes)
        case .list(let values): .list(values.map(\.json))
        case .dictionary(let members): .object(members.map { ($0.key, $0.value.json) })
        }
    }

    /// The type's name, as JSON does not tell a date from a text.
    var type: String {
        switch self {
        case .text: "string"
        case .integer, .real: "number"
        case .bool: "bool"
        case .date: "date"
        case .data: "data"
        case .list: "array"
        case .dictionary: "dictionary"
        }
    }
}

struct PropertyMember: Equatable {
    let key: String
    let value: PropertyValue
}

extension ISOTime {
    /// Nil for a moment that no calendar has.
    static func text(since2001 seconds: Double) -> String? {
        let whole = seconds.rounded(.down)
        guard abs(whole) < 1e15 else { return nil }
        let nanoseconds = min(((seconds - whole) * 1e9).rounded(), 999_999_999)
        return text(
            FileTime(seconds: Int64(whole) + 978_307_200, nanoseconds: UInt32(nanoseconds)))
    }
}
