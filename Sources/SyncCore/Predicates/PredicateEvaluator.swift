/// Walks a predicate's tree for one object.
struct PredicateEvaluator {
    /// Four times what the parser makes: room for trees that a caller put together from several.
    private static let depthLimit = 4 * PredicateParser.depthLimit

    let object: PredicateValue
    let services: PredicateServices
    let lookup: PredicateContext.Lookup
    var variables: [[UInt8]: PredicateValue]
    private var depth = 0

    init(_ object: PredicateValue, _ context: PredicateContext) {
        self.object = object
        services = context.services
        lookup = context.lookup
        variables = context.variables
    }

    mutating func holds(_ predicate: Predicate) throws(PredicateEvaluationError) -> Bool {
        try enter()
        defer { depth -= 1 }
        switch predicate {
        case .constant(let value): return value
        case .not(let part): return !(try holds(part))
        case .comparison(let comparison): return try compare(comparison)
        case .and(let parts):
            for part in parts where !(try holds(part)) { return false }
            return true
        case .or(let parts):
            for part in parts where try holds(part) { return true }
            return false
        }
    }

    mutating func value(
        _ expression: PredicateExpression
    ) throws(PredicateEvaluationError) -> PredicateValue {
        try enter()
        defer { depth -= 1 }
        switch expression {
        case .constant(let value): return value
        case .evaluatedObject: return object
        case .anyKey: return try allValues()
        case .variable(let name): return try variable(name)
        default: return try composedValue(expression)
        }
    }

    /// The value of an expression with parts; the work is in functions, to keep this frame small.
    private mutating func composedValue(
        _ expression: PredicateExpression
    ) throws(PredicateEvaluationError) -> PredicateValue {
        switch expression {
        case .constant, .evaluatedObject, .anyKey, .variable: .null
        case .assignment(let name, let part): try assign(name, part)
        case .keyPath(let base, let keys): try follow(keys, from: base)
        case .index(let base, let index): try element(index, of: base)
        case .aggregate(let parts): .array(try values(parts))
        case .function(let function, let arguments): try call(function, arguments)
        case .message(let receiver, let selector, let arguments):
            try send(selector, to: receiver, arguments)
        case .set(let operation, let left, let right): try combine(operation, left, right)
        case .subquery(let collection, let name, let condition):
            try filter(collection, name, condition)
        case .conditional(let condition, let then, let otherwise):
            try holds(condition) ? try value(then) : try value(otherwise)
        }
    }

    private mutating func enter() throws(PredicateEvaluationError) {
        guard depth < Self.depthLimit else { throw .tooDeep }
        depth += 1
    }

    mutating func values(
        _ expressions: [PredicateExpression]
    ) throws(PredicateEvaluationError) -> [PredicateValue] {
        var values: [PredicateValue] = []
        for expression in expressions { values.append(try value(expression)) }
        return values
    }

    private mutating func assign(
        _ name: [UInt8], _ part: PredicateExpression
    ) throws(PredicateEvaluationError) -> PredicateValue {
        let result = try value(part)
        variables[name] = result
        return result
    }

    private func variable(
        _ name: [UInt8]
    ) throws(PredicateEvaluationError) -> PredicateValue {
        guard let value = variables[name] else { throw .unboundVariable(name) }
        return value
    }

    private func allValues() throws(PredicateEvaluationError) -> PredicateValue {
        guard case .dictionary = object, let values = object.members else {
            throw .unsuitable(operation: "ANYKEY", kind: object.kind)
        }
        return .array(values)
    }

    private mutating func compare(
        _ comparison: PredicateComparison
    ) throws(PredicateEvaluationError) -> Bool {
        let left = try value(comparison.left)
        let right = try value(comparison.right)
        let comparer = PredicateComparer(services: services, options: comparison.options)
        let isAnyKey = if case .anyKey = comparison.left { true } else { false }
        let isAny = comparison.modifier == .any || isAnyKey
        if comparison.modifier == .direct && !isAny {
            return try comparer.compare(left, comparison.operation, right)
        }
        guard left != .null else { return !isAny }
        guard let members = left.members else {
            throw .unsuitable(operation: isAny ? "ANY" : "ALL", kind: left.kind)
        }
        for member in members
        where try comparer.compare(member, comparison.operation, right) == isAny {
            return isAny
        }
        return !isAny
    }

    /// The members for which the condition holds; the variable has its old value again after it.
    private mutating func filter(
        _ expression: PredicateExpression, _ name: [UInt8], _ condition: Predicate
    ) throws(PredicateEvaluationError) -> PredicateValue {
        let collection = try value(expression)
        if collection == .null { return .array([]) }
        guard let members = collection.members else {
            throw .unsuitable(operation: "SUBQUERY", kind: collection.kind)
        }
        let outer = variables[name]
        defer { variables[name] = outer }
        var kept: [PredicateValue] = []
        for member in members {
            variables[name] = member
            if try holds(condition) { kept.append(member) }
        }
        return .array(kept)
    }

    private mutating func combine(
        _ operation: PredicateSetOperation, _ left: PredicateExpression,
        _ right: PredicateExpression
    ) throws(PredicateEvaluationError) -> PredicateValue {
        let left = try members(of: left, for: operation)
        let right = try members(of: right, for: operation)
        let comparer = PredicateComparer(services: services)
        let joined =
            switch operation {
            case .union: left + right
            case .intersect: left.filter { comparer.contains(right, $0) }
            case .minus: left.filter { !comparer.contains(right, $0) }
            }
        return .array(comparer.distinct(joined))
    }

    private mutating func members(
        of expression: PredicateExpression, for operation: PredicateSetOperation
    ) throws(PredicateEvaluationError) -> [PredicateValue] {
        let collection = try value(expression)
        if collection == .null { return [] }
        guard let members = collection.members else {
            throw .unsuitable(operation: operation.text, kind: collection.kind)
        }
        return members
    }
}
