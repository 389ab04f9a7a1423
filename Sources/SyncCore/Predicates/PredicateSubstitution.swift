// Variables: `withSubstitutionVariables(_:)`.

extension Predicate {
    /// The predicate with values in the place of variables; the variables without a value stay.
    package func substituting(_ values: [[UInt8]: PredicateValue]) -> Predicate {
        switch self {
        case .constant: return self
        case .not(let part): return .not(part.substituting(values))
        case .and(let parts): return .and(parts.map { $0.substituting(values) })
        case .or(let parts): return .or(parts.map { $0.substituting(values) })
        case .comparison(var comparison):
            comparison.left = comparison.left.substituting(values)
            comparison.right = comparison.right.substituting(values)
            return .comparison(comparison)
        }
    }
}

extension PredicateExpression {
    /// The expression with values in the place of variables; the variables without a value stay.
    package func substituting(_ values: [[UInt8]: PredicateValue]) -> PredicateExpression {
        switch self {
        case .constant, .evaluatedObject, .anyKey: return self
        case .variable(let name): return values[name].map { .constant($0) } ?? self
        case .assignment(let name, let value):
            return .assignment(variable: name, value: value.substituting(values))
        case .keyPath(let base, let keys):
            return base.substituting(values).member(keys)
        case .index(let base, .position(let position)):
            return base.substituting(values).element(.position(position.substituting(values)))
        case .index(let base, let index):
            return base.substituting(values).element(index)
        case .aggregate(let parts): return .list(parts.map { $0.substituting(values) })
        case .function(let function, let arguments):
            return .call(function, arguments.map { $0.substituting(values) })
        case .message(let receiver, let selector, let arguments):
            return .message(
                receiver: receiver.substituting(values), selector: selector,
                arguments: arguments.map { $0.substituting(values) })
        case .set(let operation, let left, let right):
            return .set(operation, left.substituting(values), right.substituting(values))
        case .subquery(let collection, let variable, let condition):
            // Inside, the name is the subquery's own.
            var inner = values
            inner[variable] = nil
            return .subquery(
                collection: collection.substituting(values), variable: variable,
                condition: condition.substituting(inner))
        case .conditional(let condition, let then, let otherwise):
            return .conditional(
                condition: condition.substituting(values), then: then.substituting(values),
                otherwise: otherwise.substituting(values))
        }
    }
}
