/// Why a predicate has no answer for an object: there Foundation raises an exception.
package enum PredicateEvaluationError: Error, Sendable, Equatable {
    /// The operation cannot take a value of this kind.
    case unsuitable(operation: String, kind: String)
    /// Values of these kinds have no order.
    case incomparable(String, String)
    /// The object has no such key.
    case undefinedKey([UInt8])
    case unboundVariable([UInt8])
    case unknownOperator([UInt8])
    case unknownSelector([UInt8])
    case invalidPattern([UInt8])
    case invalidBounds
    case indexOutOfRange
    case divisionByZero
    case castImpossible(kind: String, type: [UInt8])
    /// The caller handed in no service for this: MATCHES, `now()`.
    case unavailable(String)
    /// The tree is deeper than the parser would make it.
    case tooDeep
}

extension PredicateEvaluationError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unsuitable(let operation, let kind): "\(operation) cannot take \(kind)"
        case .incomparable(let left, let right): "\(left) and \(right) have no order"
        case .undefinedKey(let key): "no key '\(Self.text(key))' here"
        case .unboundVariable(let name): "the variable $\(Self.text(name)) has no value"
        case .unknownOperator(let name): "no collection operator '\(Self.text(name))'"
        case .unknownSelector(let name): "no function '\(Self.text(name))' here"
        case .invalidPattern(let text): "'\(Self.text(text))' is no regular expression"
        case .invalidBounds: "BETWEEN needs a lower and an upper bound"
        case .indexOutOfRange: "the index is outside the collection"
        case .divisionByZero: "division by zero"
        case .castImpossible(let kind, let type): "\(kind) cannot become \(Self.text(type))"
        case .unavailable(let what): "\(what) is not available here"
        case .tooDeep: "the predicate is nested too deeply"
        }
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
