/// What a predicate compares: text is UTF-8 bytes, a date is seconds since 2001-01-01 00:00 UTC.
///
/// Text is bytes because file names are: canonically equivalent names stay different, and bytes
/// that are no UTF-8 are compared as they are. A set becomes an array.
package enum PredicateValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case string([UInt8])
    case data([UInt8])
    case date(Double)
    case array([PredicateValue])
    case dictionary([[UInt8]: PredicateValue])
    case opaque(PredicateOpaque)
}

extension PredicateValue {
    /// A string value from Swift text.
    package static func text(_ text: String) -> PredicateValue { .string(Array(text.utf8)) }

    /// What an error message calls this value.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool, .integer, .double: "a number"
        case .string: "a string"
        case .data: "data"
        case .date: "a date"
        case .array: "a collection"
        case .dictionary: "a dictionary"
        case .opaque: "an object"
        }
    }

    /// The members of a collection: of a dictionary its values, in the order of their keys.
    package var members: [PredicateValue]? {
        switch self {
        case .array(let values): values
        case .dictionary(let entries): entries.inKeyOrder.map { $0.value }
        default: nil
        }
    }
}

extension PredicateValue: Equatable {
    /// Whether two constants are the same one; not the `==` of the predicate language.
    ///
    /// Floating-point values are compared by their bits, so that a predicate equals itself.
    package static func == (left: PredicateValue, right: PredicateValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left.isSameConstant(as: right)
        case (.string(let left), .string(let right)): left == right
        case (.data(let left), .data(let right)): left == right
        case (.date(let left), .date(let right)): left.isSameConstant(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.dictionary(let left), .dictionary(let right)): left == right
        case (.opaque(let left), .opaque(let right)): left == right
        default: false
        }
    }
}

extension Double {
    fileprivate func isSameConstant(as other: Double) -> Bool {
        bitPattern == other.bitPattern || (isNaN && other.isNaN)
    }
}

/// An object that only the caller understands: it is equal to one with the same type and identity.
///
/// The identity of a value type is its bytes (the 16 of a UUID); a caller that hands in live
/// objects gives each its number. Its keys are read through `PredicateContext.lookup`.
package struct PredicateOpaque: Sendable, Equatable, Hashable {
    package let type: [UInt8]
    package let identity: [UInt8]

    package init(type: [UInt8], identity: [UInt8]) {
        self.type = type
        self.identity = identity
    }

    /// The object under evaluation, when it is reached through the lookup alone.
    package static let evaluated = PredicateOpaque(type: Array("evaluated".utf8), identity: [])
}

extension Dictionary where Key == [UInt8] {
    /// The entries sorted by key, so that what is made from them never depends on hashing.
    var inKeyOrder: [(key: [UInt8], value: Value)] {
        map { (key: $0.key, value: $0.value) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }
}
