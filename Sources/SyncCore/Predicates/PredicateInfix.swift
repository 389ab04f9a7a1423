/// An operator between two parts, and how tightly it binds.
enum PredicateInfix: Equatable {
    case and
    case or
    case comparison(PredicateOperator)
    case set(PredicateSetOperation)
    case arithmetic(PredicateFunction)
}

/// How tightly operators bind, loosest first.
enum PredicateBinding: Int, Comparable {
    case or
    case and
    case comparison
    case set
    case bitwiseOr
    case bitwiseXor
    case bitwiseAnd
    case shift
    case sum
    case product
    case power
    case prefix

    static func < (left: PredicateBinding, right: PredicateBinding) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The next tighter one, for what stands to the right of an operator.
    var tighter: PredicateBinding { PredicateBinding(rawValue: rawValue + 1) ?? .prefix }
}

extension PredicateInfix {
    init?(_ token: PredicateToken) {
        switch token.kind {
        case .symbol(let symbol): self.init(symbol)
        case .word(let word): self.init(word)
        default: return nil
        }
    }

    private init?(_ symbol: PredicateSymbol) {
        switch symbol {
        case .doubleAmpersand: self = .and
        case .doubleBar: self = .or
        case .equal, .doubleEqual: self = .comparison(.equal)
        case .notEqual, .lessGreater: self = .comparison(.notEqual)
        case .less: self = .comparison(.lessThan)
        case .greater: self = .comparison(.greaterThan)
        case .lessEqual, .equalLess: self = .comparison(.lessThanOrEqual)
        case .greaterEqual, .equalGreater: self = .comparison(.greaterThanOrEqual)
        case .plus: self = .arithmetic(.add)
        case .minus: self = .arithmetic(.subtract)
        case .star: self = .arithmetic(.multiply)
        case .slash: self = .arithmetic(.divide)
        case .percent: self = .arithmetic(.modulus)
        case .power: self = .arithmetic(.power)
        case .ampersand: self = .arithmetic(.bitwiseAnd)
        case .bar: self = .arithmetic(.bitwiseOr)
        case .caret: self = .arithmetic(.bitwiseXor)
        case .shiftLeft: self = .arithmetic(.shiftLeft)
        case .shiftRight: self = .arithmetic(.shiftRight)
        default: return nil
        }
    }

    private init?(_ word: [UInt8]) {
        switch PredicateKeyword(word) {
        case .and: self = .and
        case .or: self = .or
        case .isIn: self = .comparison(.isIn)
        case .like: self = .comparison(.like)
        case .matches: self = .comparison(.matches)
        case .contains: self = .comparison(.contains)
        case .beginsWith: self = .comparison(.beginsWith)
        case .endsWith: self = .comparison(.endsWith)
        case .between: self = .comparison(.between)
        case .typeConforms: self = .comparison(.typeConforms)
        case .typeEquals: self = .comparison(.typeEquals)
        case nil: self.init(setWord: word)
        default: return nil
        }
    }

    /// The set operators are no reserved words: before an operand they are keys like any other.
    private init?(setWord word: [UInt8]) {
        for operation in PredicateSetOperation.allCases
        where word.count <= 9 && word.asciiLowercased == Array(operation.text.utf8).asciiLowercased
        {
            self = .set(operation)
            return
        }
        return nil
    }

    var binding: PredicateBinding {
        switch self {
        case .or: .or
        case .and: .and
        case .comparison: .comparison
        case .set: .set
        case .arithmetic(.bitwiseOr): .bitwiseOr
        case .arithmetic(.bitwiseXor): .bitwiseXor
        case .arithmetic(.bitwiseAnd): .bitwiseAnd
        case .arithmetic(.shiftLeft), .arithmetic(.shiftRight): .shift
        case .arithmetic(.add), .arithmetic(.subtract): .sum
        case .arithmetic(.power): .power
        case .arithmetic: .product
        }
    }
}

extension PredicateSetOperation {
    var text: String {
        switch self {
        case .union: "UNION"
        case .intersect: "INTERSECT"
        case .minus: "MINUS"
        }
    }
}
