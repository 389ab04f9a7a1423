/// A condition, as `NSPredicate(format:)` understands it, parsed into a tree.
///
/// `PredicateParser` gives trees in normal form: a compound has at least two members, an aggregate
/// of constants is one constant. For these `formatText` parses again to an equal tree.
package indirect enum Predicate: Sendable, Equatable {
    case constant(Bool)
    case comparison(PredicateComparison)
    case and([Predicate])
    case or([Predicate])
    case not(Predicate)
}

/// Two expressions and how they are compared.
package struct PredicateComparison: Sendable, Equatable {
    package var left: PredicateExpression
    package var right: PredicateExpression
    package var modifier: PredicateModifier
    package var operation: PredicateOperator
    package var options: PredicateOptions

    package init(
        _ left: PredicateExpression, _ operation: PredicateOperator, _ right: PredicateExpression,
        modifier: PredicateModifier = .direct, options: PredicateOptions = []
    ) {
        self.left = left
        self.right = right
        self.modifier = modifier
        self.operation = operation
        self.options = options
    }
}

/// Whether the left side is compared as a whole, or each of its members (`SOME` is `any`).
///
/// `NONE` is a negated `any`, as in Foundation.
package enum PredicateModifier: Sendable, Equatable {
    case direct
    case all
    case any
}

/// How the two sides of a comparison relate.
package enum PredicateOperator: Sendable, Equatable, CaseIterable {
    case lessThan
    case lessThanOrEqual
    case greaterThan
    case greaterThanOrEqual
    case equal
    case notEqual
    case matches
    case like
    case beginsWith
    case endsWith
    case isIn
    case contains
    case between
    case typeConforms
    case typeEquals
}

/// The letters in brackets after an operator: `[c]`, `[d]`, `[n]`, `[l]`.
package struct PredicateOptions: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `[c]`: upper and lower case are equal.
    package static let caseInsensitive = PredicateOptions(rawValue: 1)
    /// `[d]`: letters with and without accents are equal.
    package static let diacriticInsensitive = PredicateOptions(rawValue: 2)
    /// `[n]`: the texts are prepared already and are compared byte by byte; wins over the others.
    package static let normalized = PredicateOptions(rawValue: 4)
    /// `[l]`: the person's language decides the order.
    package static let localeSensitive = PredicateOptions(rawValue: 8)
}
