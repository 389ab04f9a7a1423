@testable import SyncCore

typealias Tree = SyncCore.Predicate
typealias Part = SyncCore.PredicateExpression

func parse(_ format: String, _ arguments: PredicateValue...) throws -> Tree {
    try PredicateParser.parse(format: Array(format.utf8), arguments: arguments)
}

/// The error of a format that is no predicate.
func formatError(_ format: String, _ arguments: PredicateValue...) -> PredicateFormatError? {
    do {
        _ = try PredicateParser.parse(format: Array(format.utf8), arguments: arguments)
        return nil
    } catch {
        return error
    }
}

func text(_ predicate: Tree) -> String { String(decoding: predicate.formatText, as: UTF8.self) }

/// A generator whose numbers depend on the seed alone.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

/// Makes predicates of every form, in the normal form that the parser gives.
struct PredicateGenerator {
    var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(state: seed)
    }

    mutating func predicate(_ depth: Int) -> Tree {
        switch depth > 0 ? roll(8) : roll(2) {
        case 0: return .constant(roll(2) == 0)
        case 2: return .not(predicate(depth - 1))
        case 3: return .and(many(2...4) { $0.predicate(depth - 1) })
        case 4: return .or(many(2...4) { $0.predicate(depth - 1) })
        default:
            let operation = PredicateOperator.allCases.randomElement(using: &random)!
            let modifier: PredicateModifier = [.direct, .direct, .any, .all][roll(4)]
            return .comparison(
                PredicateComparison(
                    expression(depth - 1), operation, expression(depth - 1), modifier: modifier,
                    options: PredicateOptions(rawValue: roll(2) == 0 ? 0 : UInt8(roll(16)))))
        }
    }

    mutating func expression(_ depth: Int) -> Part {
        switch depth > 0 ? roll(14) : roll(4) {
        case 0: return .constant(value(1))
        case 1: return Part.evaluatedObject.member(keys())
        case 2: return .variable(name())
        case 3: return roll(2) == 0 ? .evaluatedObject : .anyKey
        case 4: return .assignment(variable: name(), value: expression(depth - 1))
        case 5: return expression(depth - 1).member(keys())
        case 6:
            let base = expression(depth - 1)
            let position = PredicateIndex.position(expression(depth - 1))
            return base.element([.first, .last, .size, position][roll(4)])
        case 7: return .list(many(0...3) { $0.expression(depth - 1) })
        case 8:
            return .message(
                receiver: expression(depth - 1), selector: bytes(),
                arguments: many(0...2) { $0.expression(depth - 1) })
        case 9:
            let operation = PredicateSetOperation.allCases.randomElement(using: &random)!
            return .set(operation, expression(depth - 1), expression(depth - 1))
        case 10:
            return .subquery(
                collection: expression(depth - 1), variable: name(),
                condition: predicate(depth - 1))
        case 11:
            return .conditional(
                condition: predicate(depth - 1), then: expression(depth - 1),
                otherwise: expression(depth - 1))
        default: return call(depth)
        }
    }

    private mutating func call(_ depth: Int) -> Part {
        let function = PredicateFunction.allCases.randomElement(using: &random)!
        let counts = function.argumentCounts
        let count = counts.upperBound > 3 ? 1 + roll(3) : counts.lowerBound
        return .call(function, many(count...count) { $0.expression(depth - 1) })
    }

    mutating func value(_ depth: Int) -> PredicateValue {
        switch depth > 0 ? roll(10) : roll(7) {
        case 0: return .null
        case 1: return .bool(roll(2) == 0)
        case 2:
            return .integer(
                [0, 1, -7, .min, .max, Int64(truncatingIfNeeded: random.next())][roll(6)])
        case 3:
            let bits = Double(bitPattern: random.next())
            return .double([0, -0.0, 1.5, .infinity, -.infinity, .nan, 1e20, bits][roll(8)])
        case 4: return .string(bytes())
        case 5: return .data(bytes())
        case 6: return .date([0, 7.3e8, -1.25, .nan][roll(4)])
        case 7: return .array(many(0...3) { $0.value(depth - 1) })
        case 8:
            var entries: [[UInt8]: PredicateValue] = [:]
            for _ in 0..<roll(3) { entries[bytes()] = value(depth - 1) }
            return .dictionary(entries)
        default: return .opaque(PredicateOpaque(type: bytes(), identity: bytes()))
        }
    }

    private mutating func keys() -> [[UInt8]] {
        many(1...3) { generator in
            let plain = ["a", "size", "AND", "self", "first", "@count", "@sum", "union", "naïve"]
            let odd = [
                "a b", "x.y", "it's", "say \"hi\"", "1st", "#a", "$b", "uti", "sum", "é", "-",
            ]
            return Array((plain + odd)[generator.roll(plain.count + odd.count)].utf8)
        }
    }

    private mutating func name() -> [UInt8] {
        Array(["x", "i", "and", "größe", "_1"][roll(5)].utf8)
    }

    private mutating func bytes() -> [UInt8] {
        if roll(3) > 0 {
            let texts = ["", "abc", "it's", "a\"b\\c\n\t\r", "%@", "😀é", "add:to:", "*.?", "\u{1}"]
            return Array(texts[roll(texts.count)].utf8)
        }
        return many(0...4) { UInt8(truncatingIfNeeded: $0.random.next()) }
    }

    mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &random) }

    private mutating func many<T>(
        _ counts: ClosedRange<Int>, _ make: (inout PredicateGenerator) -> T
    ) -> [T] {
        (0..<Int.random(in: counts, using: &random)).map { _ in make(&self) }
    }
}
