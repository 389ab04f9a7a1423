public import Foundation
import SyncCore

// Apple's documentation of NSComparisonPredicate. Foundation on Linux has a class of the name of
// which no object can be made, with other numbers.

/// A predicate that compares two expressions.
///
/// A predicate that was made from text is no object of this class, even if its text is a
/// comparison: ``init(comparisonOf:)`` gives its parts. A program that imports Foundation beside
/// Ubiquity writes `Ubiquity.NSComparisonPredicate` where it names the type.
open class NSComparisonPredicate: NSPredicate {
    /// The first of the two.
    public let leftExpression: NSExpression
    /// The second of the two.
    public let rightExpression: NSExpression
    /// Whether the left side is compared as a whole, or each of its members.
    public let comparisonPredicateModifier: Modifier
    /// How they are compared.
    public let predicateOperatorType: Operator
    /// What differences between texts do not count.
    public let options: Options

    /// Whether the left side is compared as a whole, or each of its members.
    public enum Modifier: UInt, Sendable {
        /// As a whole.
        case direct = 0
        /// Each of its members must fulfil it.
        case all = 1
        /// One of its members must fulfil it.
        case any = 2
    }

    /// How two values are compared; the numbers are Apple's.
    ///
    /// Selectors do not exist here.
    public enum Operator: UInt, Sendable {
        /// `<`
        case lessThan = 0
        /// `<=`
        case lessThanOrEqualTo = 1
        /// `>`
        case greaterThan = 2
        /// `>=`
        case greaterThanOrEqualTo = 3
        /// `==`
        case equalTo = 4
        /// `!=`
        case notEqualTo = 5
        /// `MATCHES`
        case matches = 6
        /// `LIKE`
        case like = 7
        /// `BEGINSWITH`
        case beginsWith = 8
        /// `ENDSWITH`
        case endsWith = 9
        /// `IN`
        case `in` = 10
        /// `CONTAINS`
        case contains = 99
        /// `BETWEEN`
        case between = 100
    }

    /// What differences between texts do not count.
    public struct Options: OptionSet, Sendable {
        /// The bits, which are Apple's.
        public let rawValue: UInt

        /// Makes options of bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Upper and lower case.
        public static let caseInsensitive = Options(rawValue: 1)
        /// Accents.
        public static let diacriticInsensitive = Options(rawValue: 2)
        /// None: the texts are compared byte by byte.
        public static let normalized = Options(rawValue: 4)
    }

    /// Makes a predicate that compares two expressions.
    public init(
        leftExpression lhs: NSExpression, rightExpression rhs: NSExpression,
        modifier: Modifier, type: Operator, options: Options = []
    ) {
        leftExpression = lhs
        rightExpression = rhs
        comparisonPredicateModifier = modifier
        predicateOperatorType = type
        self.options = options
        var objects = lhs.objects
        objects.add(rhs.objects)
        let comparison = PredicateComparison(
            lhs.tree, type.tree, rhs.tree, modifier: modifier.tree,
            options: PredicateOptions(rawValue: UInt8(truncatingIfNeeded: options.rawValue & 7)))
        super.init(block: ParsedPredicate(.comparison(comparison), objects).block)
    }

    /// Gives the comparison that a predicate is, if it was made from the text of one.
    public convenience init?(comparisonOf predicate: NSPredicate) {
        guard let parsed = predicate.parsed, case .comparison(let comparison) = parsed.tree,
            let type = Operator(comparison.operation)
        else { return nil }
        self.init(
            leftExpression: NSExpression(comparison.left, parsed.objects),
            rightExpression: NSExpression(comparison.right, parsed.objects),
            modifier: Modifier(comparison.modifier), type: type,
            options: Options(rawValue: UInt(comparison.options.rawValue & 7)))
    }

    /// Comparisons cannot be read from an archive: archive ``Foundation/NSPredicate/formatText``.
    public required init?(coder: NSCoder) { nil }
}

extension NSComparisonPredicate.Modifier {
    init(_ modifier: PredicateModifier) {
        switch modifier {
        case .direct: self = .direct
        case .all: self = .all
        case .any: self = .any
        }
    }

    fileprivate var tree: PredicateModifier {
        switch self {
        case .direct: .direct
        case .all: .all
        case .any: .any
        }
    }
}

extension NSComparisonPredicate.Operator {
    /// Nil for what Apple's class has no number for.
    fileprivate init?(_ operation: PredicateOperator) {
        for type in Self.all where type.tree == operation {
            self = type
            return
        }
        return nil
    }

    private static let all: [Self] = [
        .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo,
        .matches, .like, .beginsWith, .endsWith, .in, .contains, .between,
    ]

    fileprivate var tree: PredicateOperator {
        switch self {
        case .lessThan: .lessThan
        case .lessThanOrEqualTo: .lessThanOrEqual
        case .greaterThan: .greaterThan
        case .greaterThanOrEqualTo: .greaterThanOrEqual
        case .equalTo: .equal
        case .notEqualTo: .notEqual
        case .matches: .matches
        case .like: .like
        case .beginsWith: .beginsWith
        case .endsWith: .endsWith
        case .in: .isIn
        case .contains: .contains
        case .between: .between
        }
    }
}
