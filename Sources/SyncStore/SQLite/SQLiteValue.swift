package import SyncCore

/// A value to be bound to a statement's parameter.
package enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    /// A blob of 16 bytes, most significant first.
    case words(UInt64, UInt64)
    /// A blob of 32 bytes.
    case digest(Digest)
}

extension SQLiteValue {
    package static func id<Subject>(_ id: Identifier<Subject>) -> SQLiteValue {
        .words(id.high, id.low)
    }

    package static func id<Subject>(_ id: Identifier<Subject>?) -> SQLiteValue {
        id.map { .words($0.high, $0.low) } ?? .null
    }

    /// All 64 bits; above 2^63 the order in the database is not the numbers'.
    package static func number(_ number: UInt64) -> SQLiteValue {
        .integer(Int64(bitPattern: number))
    }

    package static func number(_ number: UInt64?) -> SQLiteValue {
        number.map { .number($0) } ?? .null
    }

    package static func moment(_ moment: WallTime) -> SQLiteValue { .integer(moment.milliseconds) }

    package static func moment(_ moment: WallTime?) -> SQLiteValue {
        moment.map { .integer($0.milliseconds) } ?? .null
    }

    package static func blob(_ bytes: [UInt8]?) -> SQLiteValue {
        guard let bytes else { return .null }
        return .blob(bytes)
    }
}
