/// Numbers: whole ones stay whole and exact as long as 64 bits hold them, then become doubles.
enum PredicateArithmetic {
    private enum Number {
        case integer(Int64)
        case double(Double)

        var double: Double {
            switch self {
            case .integer(let value): Double(value)
            case .double(let value): value
            }
        }

        var value: PredicateValue {
            switch self {
            case .integer(let value): .integer(value)
            case .double(let value): .double(value)
            }
        }
    }

    private static func number(_ value: PredicateValue) -> Number? {
        switch value {
        case .bool(let flag): .integer(flag ? 1 : 0)
        case .integer(let number): .integer(number)
        case .double(let number): .double(number)
        default: nil
        }
    }

    static func isNumber(_ value: PredicateValue) -> Bool { number(value) != nil }

    static func double(_ value: PredicateValue) -> Double? { number(value)?.double }

    /// The whole part, if 64 bits hold it.
    static func truncated(_ value: PredicateValue) -> Int64? {
        switch number(value) {
        case .integer(let number): number
        case .double(let number): ElementaryFunctions.whole(number)
        case nil: nil
        }
    }
}

// MARK: Order

extension PredicateArithmetic {
    /// The exact order of two numbers; nil if one is no number or not a number.
    static func order(_ left: PredicateValue, _ right: PredicateValue) -> PredicateOrder? {
        guard let left = number(left), let right = number(right) else { return nil }
        switch (left, right) {
        case (.integer(let left), .integer(let right)):
            return left == right ? .same : left < right ? .ascending : .descending
        case (.integer(let left), .double(let right)): return exactOrder(left, right)
        case (.double(let left), .integer(let right)): return exactOrder(right, left)?.reversed
        case (.double(let left), .double(let right)): return order(left, right)
        }
    }

    static func order(_ left: Double, _ right: Double) -> PredicateOrder? {
        if left == right { return .same }
        if left < right { return .ascending }
        return left > right ? .descending : nil
    }

    /// Never rounds the whole number: 2^53 + 1 is greater than 2^53.
    private static func exactOrder(_ left: Int64, _ right: Double) -> PredicateOrder? {
        guard !right.isNaN else { return nil }
        guard let whole = ElementaryFunctions.whole(right) else {
            return right > 0 ? .ascending : .descending
        }
        if left != whole { return left < whole ? .ascending : .descending }
        return order(0, right - Double(whole))
    }
}

extension PredicateOrder {
    fileprivate var reversed: PredicateOrder {
        switch self {
        case .ascending: .descending
        case .same: .same
        case .descending: .ascending
        }
    }
}

// MARK: Operators

extension PredicateArithmetic {
    static func binary(
        _ function: PredicateFunction, _ left: PredicateValue, _ right: PredicateValue
    ) throws(PredicateEvaluationError) -> PredicateValue {
        if let result = dates(function, left, right) { return result }
        guard let first = number(left), let second = number(right) else {
            let culprit = number(left) == nil ? left : right
            throw .unsuitable(operation: function.rawValue, kind: culprit.kind)
        }
        if case .integer(let left) = first, case .integer(let right) = second {
            if let result = try whole(function, left, right) { return .integer(result) }
        }
        return .double(try floating(function, first.double, second.double))
    }

    /// A date and seconds make a date, two dates make the seconds between them.
    private static func dates(
        _ function: PredicateFunction, _ left: PredicateValue, _ right: PredicateValue
    ) -> PredicateValue? {
        switch (function, left, right) {
        case (.subtract, .date(let left), .date(let right)): .double(left - right)
        case (.subtract, .date(let date), _): double(right).map { .date(date - $0) }
        case (.add, .date(let date), _): double(right).map { .date(date + $0) }
        case (.add, _, .date(let date)): double(left).map { .date(date + $0) }
        default: nil
        }
    }

    /// The whole result; nil if it does not fit, then the doubles are taken.
    private static func whole(
        _ function: PredicateFunction, _ left: Int64, _ right: Int64
    ) throws(PredicateEvaluationError) -> Int64? {
        let result: (partialValue: Int64, overflow: Bool)
        switch function {
        case .add: result = left.addingReportingOverflow(right)
        case .subtract: result = left.subtractingReportingOverflow(right)
        case .multiply: result = left.multipliedReportingOverflow(by: right)
        case .divide, .modulus:
            guard right != 0 else { throw .divisionByZero }
            result =
                function == .divide
                ? left.dividedReportingOverflow(by: right)
                : left.remainderReportingOverflow(dividingBy: right)
        case .power: return power(left, right)
        case .bitwiseAnd: return left & right
        case .bitwiseOr: return left | right
        case .bitwiseXor: return left ^ right
        case .shiftLeft: return left << right
        case .shiftRight: return left >> right
        default: return nil
        }
        return result.overflow ? nil : result.partialValue
    }

    private static func power(_ base: Int64, _ exponent: Int64) -> Int64? {
        guard exponent >= 0 else { return nil }
        var result: Int64 = 1
        var square = base
        var rest = exponent
        while rest > 0 {
            if rest & 1 == 1 {
                let (product, overflow) = result.multipliedReportingOverflow(by: square)
                if overflow { return nil }
                result = product
            }
            rest >>= 1
            if rest == 0 { break }
            let (next, overflow) = square.multipliedReportingOverflow(by: square)
            if overflow { return nil }
            square = next
        }
        return result
    }

    private static func floating(
        _ function: PredicateFunction, _ left: Double, _ right: Double
    ) throws(PredicateEvaluationError) -> Double {
        switch function {
        case .add: return left + right
        case .subtract: return left - right
        case .multiply: return left * right
        case .divide: return left / right
        case .modulus: return ElementaryFunctions.remainder(left, right)
        case .power: return ElementaryFunctions.power(left, right)
        default: throw .unsuitable(operation: function.rawValue, kind: "a fraction")
        }
    }

    static func unary(
        _ function: PredicateFunction, _ operand: PredicateValue
    ) throws(PredicateEvaluationError) -> PredicateValue {
        guard let number = number(operand) else {
            throw .unsuitable(operation: function.rawValue, kind: operand.kind)
        }
        switch (function, number) {
        case (.negate, _): return try binary(.subtract, .integer(0), operand)
        case (.absolute, .integer(let value)) where value != .min: return .integer(abs(value))
        case (.ceiling, .integer), (.floor, .integer), (.truncate, .integer): return number.value
        case (.onesComplement, .integer(let value)): return .integer(~value)
        default: return .double(try floating(function, number.double))
        }
    }

    private static func floating(
        _ function: PredicateFunction, _ value: Double
    ) throws(PredicateEvaluationError) -> Double {
        switch function {
        case .absolute: return value.magnitude
        case .ceiling: return ElementaryFunctions.ceiling(value)
        case .floor: return ElementaryFunctions.floor(value)
        case .truncate: return ElementaryFunctions.truncate(value)
        case .squareRoot: return ElementaryFunctions.squareRoot(value)
        case .commonLogarithm: return ElementaryFunctions.commonLogarithm(value)
        case .naturalLogarithm: return ElementaryFunctions.naturalLogarithm(value)
        case .exponential: return ElementaryFunctions.exponential(value)
        default: throw .unsuitable(operation: function.rawValue, kind: "a fraction")
        }
    }
}

// MARK: Statistics

extension PredicateArithmetic {
    static func sum(
        _ values: [PredicateValue]
    ) throws(PredicateEvaluationError) -> PredicateValue {
        var total = PredicateValue.integer(0)
        for value in values { total = try binary(.add, total, value) }
        return total
    }

    /// The mean as a double; null of an empty collection.
    static func average(
        _ values: [PredicateValue]
    ) throws(PredicateEvaluationError) -> PredicateValue {
        let numbers = try doubles(values)
        if numbers.isEmpty { return .null }
        return .double(mean(numbers))
    }

    /// The middle value; the mean of the middle two of an even count.
    static func median(
        _ values: [PredicateValue]
    ) throws(PredicateEvaluationError) -> PredicateValue {
        let sorted = try doubles(values).sorted()
        guard !sorted.isEmpty else { return .null }
        return .double((sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2)
    }

    /// The standard deviation of the whole population.
    static func standardDeviation(
        _ values: [PredicateValue]
    ) throws(PredicateEvaluationError) -> PredicateValue {
        let numbers = try doubles(values)
        if numbers.isEmpty { return .null }
        let middle = mean(numbers)
        let variance = mean(numbers.map { ($0 - middle) * ($0 - middle) })
        return .double(ElementaryFunctions.squareRoot(variance))
    }

    private static func mean(_ numbers: [Double]) -> Double {
        numbers.reduce(0, +) / Double(numbers.count)
    }

    private static func doubles(
        _ values: [PredicateValue]
    ) throws(PredicateEvaluationError) -> [Double] {
        var numbers: [Double] = []
        for value in values {
            guard let number = double(value) else {
                throw .unsuitable(operation: "a statistic", kind: value.kind)
            }
            numbers.append(number)
        }
        return numbers
    }
}
