// Functions.

extension PredicateEvaluator {
    mutating func call(
        _ function: PredicateFunction, _ arguments: [PredicateExpression]
    ) throws(PredicateEvaluationError) -> PredicateValue {
        try call(function, try values(arguments))
    }

    mutating func send(
        _ selector: [UInt8], to receiver: PredicateExpression, _ arguments: [PredicateExpression]
    ) throws(PredicateEvaluationError) -> PredicateValue {
        try send(selector, to: try value(receiver), try values(arguments))
    }

    /// Calls a function; one whose operand is null gives null.
    private func call(
        _ function: PredicateFunction, _ arguments: [PredicateValue]
    ) throws(PredicateEvaluationError) -> PredicateValue {
        guard function.argumentCounts.contains(arguments.count) else {
            throw .unknownSelector(Array(function.rawValue.utf8))
        }
        switch function {
        case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation:
            return try summarize(function, arguments)
        case .now:
            guard let now = services.now else { throw .unavailable("now()") }
            return .date(now())
        case .random, .randomBelow: return try random(arguments.first)
        case .withoutIndex: return arguments[0]
        case .cast: return try cast(arguments[0], to: arguments[1])
        case .uppercase, .lowercase, .length: return try textual(function, arguments[0])
        default:
            if arguments.contains(.null) { return .null }
            return arguments.count == 1
                ? try PredicateArithmetic.unary(function, arguments[0])
                : try PredicateArithmetic.binary(function, arguments[0], arguments[1])
        }
    }

    private func summarize(
        _ function: PredicateFunction, _ arguments: [PredicateValue]
    ) throws(PredicateEvaluationError) -> PredicateValue {
        guard let members = members(arguments) else {
            throw .unsuitable(operation: function.rawValue, kind: arguments[0].kind)
        }
        if function == .count { return .integer(Int64(members.count)) }
        let values = members.filter { $0 != .null }
        let comparer = PredicateComparer(services: services)
        return switch function {
        case .sum: try PredicateArithmetic.sum(values)
        case .average: try PredicateArithmetic.average(values)
        case .min: try comparer.extreme(values, .ascending)
        case .max: try comparer.extreme(values, .descending)
        case .median: try PredicateArithmetic.median(values)
        case .standardDeviation: try PredicateArithmetic.standardDeviation(values)
        default: .array(comparer.mostFrequent(values))
        }
    }

    private func members(_ arguments: [PredicateValue]) -> [PredicateValue]? {
        guard arguments.count == 1 else { return arguments }
        return arguments[0] == .null ? [] : arguments[0].members
    }

    private func random(
        _ limit: PredicateValue?
    ) throws(PredicateEvaluationError) -> PredicateValue {
        guard let random = services.random else { throw .unavailable("random()") }
        // 53 bits: as many as a double holds.
        guard let limit else { return .double(Double(random() >> 11) * 0x1p-53) }
        guard let below = PredicateArithmetic.truncated(limit), below > 0 else {
            throw .unsuitable(operation: "random", kind: limit.kind)
        }
        return .integer(Int64(random() % UInt64(below)))
    }

    private func cast(
        _ value: PredicateValue, to type: PredicateValue
    ) throws(PredicateEvaluationError) -> PredicateValue {
        guard case .string(let type) = type else {
            throw .unsuitable(operation: "CAST", kind: type.kind)
        }
        guard let result = PredicateCast.cast(value, to: type) else {
            throw .castImpossible(kind: value.kind, type: type)
        }
        return result
    }

    private func textual(
        _ function: PredicateFunction, _ value: PredicateValue
    ) throws(PredicateEvaluationError) -> PredicateValue {
        switch (function, value) {
        case (_, .null): return .null
        case (.uppercase, .string(let text)): return .string(PredicateFolding.uppercase(text))
        case (.lowercase, .string(let text)): return .string(PredicateFolding.lowercase(text))
        case (.length, .string), (.length, .data):
            return try member(Array("length".utf8), of: value)
        default: throw .unsuitable(operation: function.rawValue, kind: value.kind)
        }
    }

    /// Answers FUNCTION: a selector without arguments is a key, and a few others are known.
    private func send(
        _ selector: [UInt8], to receiver: PredicateValue, _ arguments: [PredicateValue]
    ) throws(PredicateEvaluationError) -> PredicateValue {
        guard let first = arguments.first else { return try property(selector, of: receiver) }
        switch (String(decoding: selector, as: UTF8.self), first, arguments.count) {
        case ("valueForKey:", .string(let key), 1), ("objectForKey:", .string(let key), 1):
            return try member(key, of: receiver)
        case ("valueForKeyPath:", .string(let path), 1):
            let keys = path.split(separator: UInt8(ascii: ".")).map { Array($0) }
            return try follow(keys[...], from: receiver)
        case ("isEqual:", _, 1):
            return .bool(PredicateComparer(services: services).equals(receiver, first))
        case ("dateByAddingTimeInterval:", _, 1):
            return try PredicateArithmetic.binary(.add, receiver, first)
        default: return try ownFunction(selector, arguments)
        }
    }

    private func property(
        _ selector: [UInt8], of receiver: PredicateValue
    ) throws(PredicateEvaluationError) -> PredicateValue {
        let isCount = selector == Array("count".utf8)
        if isCount, let members = receiver.members { return .integer(Int64(members.count)) }
        return try member(selector, of: receiver)
    }

    /// Calls one of the language's own functions, which need no receiver.
    private func ownFunction(
        _ selector: [UInt8], _ arguments: [PredicateValue]
    ) throws(PredicateEvaluationError) -> PredicateValue {
        guard let function = PredicateFunction(name: selector, argumentCount: arguments.count)
        else { throw .unknownSelector(selector) }
        return try call(function, arguments)
    }
}
