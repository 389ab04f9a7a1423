// Operators: what binds the parts of a format text together.

extension PredicateParser {
    /// Parses a part, and on while an operator follows that binds at least this tightly.
    mutating func parseInfix(
        _ minimum: PredicateBinding
    ) throws(PredicateFormatError) -> PredicateNode {
        depth += 1
        defer { depth -= 1 }
        try checkNesting()
        var left = try parsePrefix()
        while let infix = PredicateInfix(token), infix.binding >= minimum {
            switch infix {
            case .and, .or: left = try parseCompound(left, infix)
            case .comparison(let operation):
                left = try parseComparison(left, operation, modifier: .direct)
            case .set(let operation): left = try parseSet(left, operation)
            case .arithmetic(let function):
                left = try parseArithmetic(left, function, infix.binding)
            }
        }
        return left
    }

    /// Parses what follows in a chain of the same operator into one flat compound.
    private mutating func parseCompound(
        _ left: PredicateNode, _ infix: PredicateInfix
    ) throws(PredicateFormatError) -> PredicateNode {
        var parts = [try predicate(left)]
        var depth = left.depth
        while PredicateInfix(token) == infix {
            try advance()
            let right = try parseInfix(infix.binding.tighter)
            parts.append(try predicate(right))
            depth = Swift.max(depth, right.depth)
        }
        return try node(infix == .and ? .and(parts) : .or(parts), start: left.start, over: depth)
    }

    private mutating func parseComparison(
        _ left: PredicateNode, _ operation: PredicateOperator, modifier: PredicateModifier
    ) throws(PredicateFormatError) -> PredicateNode {
        let leftExpression = try expression(left)
        try advance()
        let options = try parseOptions()
        let right = try parseInfix(.set)
        let comparison = PredicateComparison(
            leftExpression, operation, try expression(right), modifier: modifier, options: options)
        return try node(
            .comparison(comparison), start: left.start, over: Swift.max(left.depth, right.depth))
    }

    private mutating func parseOptions() throws(PredicateFormatError) -> PredicateOptions {
        guard try accept(.leftBracket) else { return [] }
        guard case .word(let letters) = token.kind else { throw expected("the options c, d, n, l") }
        var options: PredicateOptions = []
        for letter in letters {
            guard let option = Self.option(letter) else { throw expected("the options c, d, n, l") }
            options.insert(option)
        }
        try advance()
        try expect(.rightBracket)
        return options
    }

    private static func option(_ letter: UInt8) -> PredicateOptions? {
        switch letter | 0x20 {
        case UInt8(ascii: "c"): .caseInsensitive
        case UInt8(ascii: "d"): .diacriticInsensitive
        case UInt8(ascii: "n"): .normalized
        case UInt8(ascii: "l"): .localeSensitive
        default: nil
        }
    }

    private mutating func parseSet(
        _ left: PredicateNode, _ operation: PredicateSetOperation
    ) throws(PredicateFormatError) -> PredicateNode {
        let leftExpression = try expression(left)
        try advance()
        let right = try parseInfix(PredicateBinding.set.tighter)
        return try node(
            .set(operation, leftExpression, try expression(right)), start: left.start,
            over: Swift.max(left.depth, right.depth))
    }

    private mutating func parseArithmetic(
        _ left: PredicateNode, _ function: PredicateFunction, _ binding: PredicateBinding
    ) throws(PredicateFormatError) -> PredicateNode {
        let leftExpression = try expression(left)
        try advance()
        // A power of a power is taken from the right, everything else from the left.
        let right = try parseInfix(binding == .power ? .power : binding.tighter)
        return try node(
            .function(function, [leftExpression, try expression(right)]), start: left.start,
            over: Swift.max(left.depth, right.depth))
    }
}

// MARK: Prefixes

extension PredicateParser {
    private mutating func parsePrefix() throws(PredicateFormatError) -> PredicateNode {
        switch token.kind {
        case .symbol(.exclamation): return try parseNegation()
        case .symbol(.minus): return try parseMinus()
        case .symbol(.tilde):
            let start = token.start
            try advance()
            let operand = try parseInfix(.prefix)
            return try node(
                .function(.onesComplement, [try expression(operand)]), start: start,
                over: operand.depth)
        case .word: return try parseWordPrefix()
        default: return try parsePostfix()
        }
    }

    private mutating func parseWordPrefix() throws(PredicateFormatError) -> PredicateNode {
        switch keyword {
        case .not: try parseNegation()
        case .any, .someOf: try parseQuantified(.any, isNegated: false)
        case .all: try parseQuantified(.all, isNegated: false)
        case .noneOf: try parseQuantified(.any, isNegated: true)
        default: try parsePostfix()
        }
    }

    private mutating func parseNegation() throws(PredicateFormatError) -> PredicateNode {
        let start = token.start
        try advance()
        let operand = try parseInfix(.comparison)
        return try node(.not(try predicate(operand)), start: start, over: operand.depth)
    }

    private mutating func parseQuantified(
        _ modifier: PredicateModifier, isNegated: Bool
    ) throws(PredicateFormatError) -> PredicateNode {
        let start = token.start
        try advance()
        let left = try parseInfix(.set)
        _ = try expression(left)
        guard case .comparison(let operation) = PredicateInfix(token) else {
            throw expected("a comparison operator")
        }
        var result = try parseComparison(left, operation, modifier: modifier)
        result.start = start
        guard isNegated else { return result }
        return try node(.not(try predicate(result)), start: start, over: result.depth)
    }

    /// Parses `-x`; the sign of a number is part of the number.
    private mutating func parseMinus() throws(PredicateFormatError) -> PredicateNode {
        let start = token.start
        try advance()
        if case .number = token.kind {
            let digits = scanner.format[token.start..<token.end]
            token.kind = .number(PredicateNumber.literal(digits, isNegative: true) ?? .null)
            return try parsePostfix()
        }
        let operand = try parseInfix(.prefix)
        return try node(
            .function(.negate, [try expression(operand)]), start: start, over: operand.depth)
    }
}
