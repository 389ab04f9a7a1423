// Whether the object under evaluation has to be known as a whole.

extension Predicate {
    /// Of the object under evaluation only single keys are asked for: a caller need not turn all of
    /// it into values.
    package var asksForKeysOnly: Bool {
        switch self {
        case .constant: true
        case .not(let part): part.asksForKeysOnly
        case .and(let parts), .or(let parts): parts.allSatisfy { $0.asksForKeysOnly }
        case .comparison(let comparison):
            comparison.left.asksForKeysOnly && comparison.right.asksForKeysOnly
        }
    }
}

extension PredicateExpression {
    fileprivate var asksForKeysOnly: Bool {
        switch self {
        case .constant, .variable: true
        case .evaluatedObject, .anyKey: false
        case .keyPath(.evaluatedObject, let keys): keys.first.map { $0.isPlainKey } ?? false
        case .keyPath(let base, _): base.asksForKeysOnly
        case .assignment(_, let value): value.asksForKeysOnly
        case .index(let base, .position(let position)):
            base.asksForKeysOnly && position.asksForKeysOnly
        case .index(let base, _): base.asksForKeysOnly
        case .aggregate(let parts), .function(_, let parts):
            parts.allSatisfy { $0.asksForKeysOnly }
        case .message(let receiver, _, let arguments):
            receiver.asksForKeysOnly && arguments.allSatisfy { $0.asksForKeysOnly }
        case .set(_, let left, let right): left.asksForKeysOnly && right.asksForKeysOnly
        case .subquery(let collection, _, let condition):
            collection.asksForKeysOnly && condition.asksForKeysOnly
        case .conditional(let condition, let then, let otherwise):
            condition.asksForKeysOnly && then.asksForKeysOnly && otherwise.asksForKeysOnly
        }
    }
}

extension [UInt8] {
    /// No collection operator, and not the object itself.
    fileprivate var isPlainKey: Bool { first != UInt8(ascii: "@") && !elementsEqual("self".utf8) }
}
