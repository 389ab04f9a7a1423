/// Walks a predicate's tree for one object.
struct PredicateEvaluator {
    /// Twice what the parser makes: room for trees that a caller put together from several.
    private static let depthLimit = 2 * PredicateParser.depthLimit

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
        case .assignment(let name, let part):
            let result = try value(part)
            variables[name] = result
            return result
        case .keyPath(let base, let keys): return try follow(keys[...], from: try value(base))
        case .index(let base, let index): return try element(index, of: try value(base))
        case .aggregate(let parts): return .array(try values(parts))
        case .function(let function, let arguments):
            return try call(function, try values(arguments))
        case .message(let receiver, let selector, let arguments):
            return try send(selector, to: try value(receiver), try values(arguments))
        case .set(let operation, let left, let right):
            return try combine(operation, try value(left), try value(right))
        case .subquery(let collection, let name, let condition):
            return try filter(try value(collection), name, condition)
        case .conditional(let condition, let then, let otherwise):
            return try holds(condition) ? try value(then) : try value(otherwise)
        }
    }

    private mutating func enter() throws(PredicateEvaluationError) {
        guard depth < Self.depthLimit else { throw .tooDeep }
        depth += 1
    }

    private mutating func values(
        _ expressions: [PredicateExpression]
    ) throws(PredicateEvaluationError) -> [PredicateValue] {
        var values: [PredicateValue] = []
        for expression in expressions { values.append(try value(expression)) }
        return values
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
        let isAny = comparison.modifier == .any || comparison.left == .anyKey
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
        _ collection: PredicateValue, _ name: [UInt8], _ condition: Predicate
    ) throws(PredicateEvaluationError) -> PredicateValue {
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

    private func combine(
        _ operation: PredicateSetOperation, _ left: PredicateValue, _ right: PredicateValue
    ) throws(PredicateEvaluationError) -> PredicateValue {
        guard let left = left == .null ? [] : left.members else {
            throw .unsuitable(operation: operation.text, kind: left.kind)
        }
        guard let right = right == .null ? [] : right.members else {
            throw .unsuitable(operation: operation.text, kind: right.kind)
        }
        let comparer = PredicateComparer(services: services)
        let joined =
            switch operation {
            case .union: left + right
            case .intersect: left.filter { comparer.contains(right, $0) }
            case .minus: left.filter { !comparer.contains(right, $0) }
            }
        return .array(comparer.distinct(joined))
    }
}
