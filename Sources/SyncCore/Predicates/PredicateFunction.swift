/// The functions of the predicate language, by the names that Foundation gives them.
///
/// Arithmetic is here too: `a + b` is the same tree as `add:to:(a, b)`.
package enum PredicateFunction: String, Sendable, Equatable, CaseIterable {
    case sum = "sum:"
    case count = "count:"
    case min = "min:"
    case max = "max:"
    case average = "average:"
    case median = "median:"
    case mode = "mode:"
    case standardDeviation = "stddev:"

    case add = "add:to:"
    case subtract = "from:subtract:"
    case multiply = "multiply:by:"
    case divide = "divide:by:"
    case modulus = "modulus:by:"
    case power = "raise:toPower:"
    case negate = "negate:"

    case squareRoot = "sqrt:"
    case commonLogarithm = "log:"
    case naturalLogarithm = "ln:"
    case exponential = "exp:"
    case ceiling = "ceiling:"
    case floor = "floor:"
    case truncate = "trunc:"
    case absolute = "abs:"

    case bitwiseAnd = "bitwiseAnd:with:"
    case bitwiseOr = "bitwiseOr:with:"
    case bitwiseXor = "bitwiseXor:with:"
    case shiftLeft = "leftshift:by:"
    case shiftRight = "rightshift:by:"
    case onesComplement = "onesComplement:"

    case uppercase = "uppercase:"
    case lowercase = "lowercase:"
    case length = "length:"
    case cast = "castObject:toType:"
    case withoutIndex = "noindex:"

    case now = "now"
    case random = "random"
    case randomBelow = "random:"
}

extension PredicateFunction {
    /// The function of a name, written with or without the colon after its one argument.
    package init?(name: [UInt8], argumentCount: Int) {
        let text = String(decoding: name, as: UTF8.self)
        if argumentCount == 0, let exact = PredicateFunction(rawValue: text) {
            self = exact
        } else if let exact = PredicateFunction(rawValue: text), exact.colons > 0 {
            self = exact
        } else if let short = PredicateFunction(rawValue: text + ":") {
            self = short
        } else if let exact = PredicateFunction(rawValue: text) {
            self = exact
        } else {
            return nil
        }
    }

    package func takes(_ count: Int) -> Bool { argumentCounts.contains(count) }

    /// How many arguments the function takes.
    ///
    /// The statistical functions take a collection, or its members one by one.
    var argumentCounts: ClosedRange<Int> {
        switch self {
        case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation:
            1...Int.max - 1
        default: colons...colons
        }
    }

    /// The sign that is written between the two arguments.
    var infix: String? {
        switch self {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        case .divide: "/"
        case .power: "**"
        case .bitwiseAnd: "&"
        case .bitwiseOr: "|"
        case .bitwiseXor: "^"
        case .shiftLeft: "<<"
        case .shiftRight: ">>"
        default: nil
        }
    }

    /// The sign that is written before the one argument.
    var prefix: String? {
        switch self {
        case .negate: "-"
        case .onesComplement: "~"
        default: nil
        }
    }

    private var colons: Int {
        rawValue.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: ":") ? 1 : 0) }
    }
}
