/// What an evaluation may use besides the object: services, variables, and the keys of objects.
package struct PredicateContext {
    /// Reads a key of an opaque object; nil where it has none, which then is a null.
    ///
    /// A key may be a collection operator (`@count`), and `self` is asked for like any other.
    package typealias Lookup =
        (PredicateOpaque, [UInt8]) throws(PredicateEvaluationError) -> PredicateValue?

    package var services: PredicateServices
    /// The values of `$variables`, without the dollar sign.
    package var variables: [[UInt8]: PredicateValue]
    package var lookup: Lookup

    package init(
        services: PredicateServices = PredicateServices(),
        variables: [[UInt8]: PredicateValue] = [:], lookup: @escaping Lookup = { _, _ in nil }
    ) {
        self.services = services
        self.variables = variables
        self.lookup = lookup
    }
}

extension Predicate {
    /// Whether the predicate is true of the object; false where Foundation would raise.
    package func evaluate(
        with object: PredicateValue, in context: PredicateContext = PredicateContext()
    ) -> Bool {
        do {
            return try evaluation(of: object, in: context)
        } catch {
            return false
        }
    }

    /// Whether the predicate is true of the object, or why that cannot be said.
    package func evaluation(
        of object: PredicateValue, in context: PredicateContext = PredicateContext()
    ) throws(PredicateEvaluationError) -> Bool {
        var evaluator = PredicateEvaluator(object, context)
        return try evaluator.holds(self)
    }
}

extension PredicateExpression {
    /// The value of the expression for the object.
    package func value(
        with object: PredicateValue, in context: PredicateContext = PredicateContext()
    ) throws(PredicateEvaluationError) -> PredicateValue {
        var evaluator = PredicateEvaluator(object, context)
        return try evaluator.value(self)
    }
}
