/// A value to be printed as JSON; an object's members keep their order.
enum JSONValue {
    case null
    case bool(Bool)
    /// As it is written.
    case number(String)
    case text(String)
    case list([JSONValue])
    case object([(String, JSONValue)])

    static func integer(_ value: some BinaryInteger) -> JSONValue { .number("\(value)") }

    /// JSON has no other numbers than finite ones.
    static func real(_ value: Double) -> JSONValue { value.isFinite ? .number("\(value)") : .null }

    static func text(_ value: String?) -> JSONValue {
        guard let value else { return .null }
        return .text(value)
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let text): bytes += text.utf8
        case .text(let text): JSONValue.write(text, to: &bytes)
        case .list(let values):
            JSONValue.write(values, between: "[", "]", to: &bytes) { value, bytes in
                value.write(to: &bytes)
            }
        case .object(let members):
            JSONValue.write(members, between: "{", "}", to: &bytes) { member, bytes in
                JSONValue.write(member.0, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.1.write(to: &bytes)
            }
        }
    }

    private static func write<Part>(
        _ parts: [Part], between first: String, _ last: String, to bytes: inout [UInt8],
        writePart: (Part, inout [UInt8]) -> Void
    ) {
        bytes += first.utf8
        for (index, part) in parts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            writePart(part, &bytes)
        }
        bytes += last.utf8
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += #"\""#.utf8
            case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
            case UInt8(ascii: "\n"): bytes += #"\n"#.utf8
            case UInt8(ascii: "\t"): bytes += #"\t"#.utf8
            case UInt8(ascii: "\r"): bytes += #"\r"#.utf8
            case 0..<0x20, 0x7F:
                bytes += #"\u00"#.utf8
                bytes += (byte < 0x10 ? "0" : "").utf8
                bytes += String(byte, radix: 16).utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
