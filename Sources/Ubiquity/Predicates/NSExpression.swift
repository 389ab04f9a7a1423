public import Foundation
import SyncCore

// Apple's documentation of NSExpression. Foundation on Linux has a class of the name of which no
// object can be made.

/// One side of a comparison: a constant, a key path, a function of other expressions.
///
/// Expressions of blocks do not exist here. A program that imports Foundation beside Ubiquity
/// writes `Ubiquity.NSExpression` where it names the type.
open class NSExpression: NSObject, @unchecked Sendable {
    let tree: SyncCore.PredicateExpression
    let objects: PredicateObjects
    private let isAggregate: Bool

    /// What an expression is; the numbers are Apple's.
    public enum ExpressionType: UInt, Sendable {
        /// A value that is always the same.
        case constantValue = 0
        /// `SELF`.
        case evaluatedObject = 1
        /// `$name`.
        case variable = 2
        /// Keys, joined by dots.
        case keyPath = 3
        /// A function with its arguments.
        case function = 4
        /// `a UNION b`.
        case unionSet = 5
        /// `a INTERSECT b`.
        case intersectSet = 6
        /// `a MINUS b`.
        case minusSet = 7
        /// `SUBQUERY(collection, $name, condition)`.
        case subquery = 13
        /// `{a, b}`.
        case aggregate = 14
        /// `ANYKEY`.
        case anyKey = 15
        /// `TERNARY(condition, then, else)`.
        case conditional = 20
    }

    init(
        _ tree: SyncCore.PredicateExpression, _ objects: PredicateObjects,
        isAggregate: Bool = false
    ) {
        self.tree = tree
        self.objects = objects
        self.isAggregate = isAggregate
    }

    // MARK: Making

    /// Makes an expression from its text: `NSExpression(format: "price * quantity")`.
    ///
    /// - Precondition: The text is an expression and has its arguments.
    public convenience init(format expressionFormat: String, _ args: Any...) {
        self.init(format: expressionFormat, argumentArray: args)
    }

    /// Makes an expression from its text and a list of its arguments.
    ///
    /// - Precondition: The text is an expression and has its arguments.
    public convenience init(format expressionFormat: String, argumentArray arguments: [Any]) {
        var objects = PredicateObjects()
        let values = arguments.map { objects.value(of: $0) }
        do throws(SyncCore.PredicateFormatError) {
            let tree = try PredicateParser.parseExpression(
                format: Array(expressionFormat.utf8), arguments: values)
            self.init(tree, objects)
        } catch {
            preconditionFailure("NSExpression(format:): \(error)")
        }
    }

    /// A value that is always the same.
    public convenience init(forConstantValue obj: Any?) {
        var objects = PredicateObjects()
        let value = objects.value(of: obj)
        self.init(.constant(value), objects)
    }

    /// The object that is evaluated: `SELF`.
    public class func expressionForEvaluatedObject() -> NSExpression {
        NSExpression(.evaluatedObject, PredicateObjects())
    }

    /// The values of all keys of the object that is evaluated.
    public class func expressionForAnyKey() -> NSExpression {
        NSExpression(.anyKey, PredicateObjects())
    }

    /// The value of a variable, whose name is without the dollar sign.
    public convenience init(forVariable string: String) {
        self.init(.variable(Array(string.utf8)), PredicateObjects())
    }

    /// The value at keys that are joined by dots.
    public convenience init(forKeyPath keyPath: String) {
        self.init(.key(keyPath), PredicateObjects())
    }

    /// A function of the predicate language, by its name: `sum:`, `from:subtract:`.
    ///
    /// - Precondition: There is such a function, and it takes as many arguments.
    public convenience init(forFunction name: String, arguments parameters: [Any]) {
        let bytes = Array(name.utf8)
        let function = PredicateFunction(name: bytes, argumentCount: parameters.count)
        guard let function, function.takes(parameters.count) else {
            preconditionFailure(
                "NSExpression(forFunction:): no function '\(name)' of \(parameters.count) arguments"
            )
        }
        let parts = Parts(parameters)
        self.init(.call(function, parts.trees), parts.objects)
    }

    /// Several values as one collection; what is no expression is a constant.
    public convenience init(forAggregate subexpressions: [Any]) {
        let parts = Parts(subexpressions)
        self.init(.list(parts.trees), parts.objects, isAggregate: true)
    }

    /// The members of both collections, each once.
    public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
        self.init(.union, left, right)
    }

    /// The members that both collections have.
    public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
        self.init(.intersect, left, right)
    }

    /// The members of the first collection that the second one has not.
    public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
        self.init(.minus, left, right)
    }

    private convenience init(
        _ operation: PredicateSetOperation, _ left: NSExpression, _ right: NSExpression
    ) {
        let parts = Parts([left, right])
        self.init(.set(operation, left.tree, right.tree), parts.objects)
    }

    /// The members of a collection that a predicate is true of.
    ///
    /// - Precondition: The predicate was made from text, and is no block.
    public convenience init(
        forSubquery expression: NSExpression, usingIteratorVariable variable: String,
        predicate: Any
    ) {
        guard let condition = (predicate as? NSPredicate)?.parsed else {
            preconditionFailure("NSExpression(forSubquery:): a predicate that was made from text")
        }
        var objects = expression.objects
        objects.add(condition.objects)
        self.init(
            .subquery(
                collection: expression.tree, variable: Array(variable.utf8),
                condition: condition.tree), objects)
    }

    /// One of two expressions, as a predicate is true or not.
    ///
    /// - Precondition: The predicate was made from text, and is no block.
    public convenience init(
        forConditional predicate: NSPredicate, trueExpression: NSExpression,
        falseExpression: NSExpression
    ) {
        guard let condition = predicate.parsed else {
            preconditionFailure(
                "NSExpression(forConditional:): a predicate that was made from text")
        }
        var objects = Parts([trueExpression, falseExpression]).objects
        objects.add(condition.objects)
        self.init(
            .conditional(
                condition: condition.tree, then: trueExpression.tree,
                otherwise: falseExpression.tree), objects)
    }

    // MARK: What it is

    /// What kind of expression it is; an index is a function, as on Apple's systems.
    open var expressionType: ExpressionType {
        if isAggregate { return .aggregate }
        return switch tree {
        case .constant: .constantValue
        case .evaluatedObject: .evaluatedObject
        case .anyKey: .anyKey
        case .variable, .assignment: .variable
        case .keyPath: .keyPath
        case .aggregate: .aggregate
        case .function, .message, .index: .function
        case .set(.union, _, _): .unionSet
        case .set(.intersect, _, _): .intersectSet
        case .set(.minus, _, _): .minusSet
        case .subquery: .subquery
        case .conditional: .conditional
        }
    }

    /// The expression's canonical text, which gives an equal expression.
    public var formatText: String { String(decoding: tree.formatText, as: UTF8.self) }

    open override var description: String { formatText }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? NSExpression).map { $0.tree == tree } ?? false
    }

    open override var hash: Int { formatText.hashValue }

    // MARK: Evaluation

    /// The expression's value for an object; nil where it has none, or where Apple's class raises.
    ///
    /// The context holds the values of variables, by their names.
    open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        var objects = objects
        let evaluated = objects.value(of: object)
        let values = variableValues(context as? [String: Any], &objects)
        let result = try? tree.value(
            with: evaluated,
            in: PredicateContext(
                services: .foundation, variables: values,
                lookup: { object, key throws(PredicateEvaluationError) in
                    objects.value(of: object, key: key)
                }))
        return result.flatMap { objects.any($0) }
    }

    /// Expressions and constants, with the objects of all.
    private struct Parts {
        var trees: [SyncCore.PredicateExpression] = []
        var objects = PredicateObjects()

        init(_ parts: [Any]) {
            for part in parts {
                if let expression = part as? NSExpression {
                    objects.add(expression.objects)
                    trees.append(expression.tree)
                } else {
                    trees.append(.constant(objects.value(of: part)))
                }
            }
        }
    }
}
