/// One side of a comparison, or a part of one.
package indirect enum PredicateExpression: Sendable, Equatable {
    case constant(PredicateValue)
    /// `SELF`.
    case evaluatedObject
    /// `ANYKEY`: the values of all keys of the object under evaluation.
    case anyKey
    /// `$name`, without the dollar sign.
    case variable([UInt8])
    /// `$name := value`.
    case assignment(variable: [UInt8], value: PredicateExpression)
    /// Keys followed one after the other; a collection operator is a key that begins with `@`.
    case keyPath(base: PredicateExpression, keys: [[UInt8]])
    /// `base[index]`.
    case index(base: PredicateExpression, index: PredicateIndex)
    /// `{a, b}` with at least one part that is no constant.
    case aggregate([PredicateExpression])
    case function(PredicateFunction, [PredicateExpression])
    /// `FUNCTION(receiver, 'selector:', …)`.
    case message(
        receiver: PredicateExpression, selector: [UInt8], arguments: [PredicateExpression])
    case set(PredicateSetOperation, PredicateExpression, PredicateExpression)
    case subquery(collection: PredicateExpression, variable: [UInt8], condition: Predicate)
    /// `TERNARY(condition, then, else)`.
    case conditional(
        condition: Predicate, then: PredicateExpression, otherwise: PredicateExpression)
}

extension PredicateExpression {
    /// A key path from the object under evaluation.
    package static func key(_ path: String) -> PredicateExpression {
        let keys = path.utf8.split(separator: UInt8(ascii: ".")).map { Array($0) }
        return .keyPath(base: .evaluatedObject, keys: keys)
    }
}

/// What stands in the brackets after a collection.
package indirect enum PredicateIndex: Sendable, Equatable {
    case first
    case last
    case size
    case position(PredicateExpression)
}

/// How two collections are combined into one without duplicates.
package enum PredicateSetOperation: Sendable, Equatable, CaseIterable {
    case union
    case intersect
    case minus
}
