// Operands: what operators stand between.

extension PredicateParser {
    /// Parses an operand with the keys and indexes that follow it.
    mutating func parsePostfix() throws(PredicateFormatError) -> PredicateNode {
        var operand = try parseOperand()
        while case .expression(let base) = operand.content {
            if try accept(.dot) {
                let keys = try parseKeyAfterDot()
                operand = try extend(operand, base, to: base.member(keys), over: 0)
            } else if try accept(.leftBracket) {
                operand = try parseIndex(base, operand)
            } else {
                break
            }
        }
        return operand
    }

    private mutating func parseOperand() throws(PredicateFormatError) -> PredicateNode {
        let start = token.start
        switch token.kind {
        case .symbol(.leftParenthesis): return try parseGroup()
        case .symbol(.leftBrace): return try parseAggregate()
        case .number(let value): return try finish(.constant(value))
        case .string(let text): return try finish(.constant(.string(text)))
        case .escapedWord(let key), .operatorKey(let key):
            return try finish(.keyPath(base: .evaluatedObject, keys: [key]))
        case .placeholder(let placeholder):
            let expression = try takeArgument(placeholder)
            return try finish(expression)
        case .variable(let name): return try parseVariable(name)
        case .selector(let name):
            try advance()
            return try parseCall(name, start: start)
        case .word(let word): return try parseWord(word)
        case .symbol, .end: throw expected("an expression")
        }
    }

    /// Ends an operand that is the current token.
    private mutating func finish(
        _ expression: PredicateExpression
    ) throws(PredicateFormatError) -> PredicateNode {
        let start = token.start
        try advance()
        return try node(expression, start: start)
    }

    private mutating func parseGroup() throws(PredicateFormatError) -> PredicateNode {
        let start = token.start
        try advance()
        var inner = try parseInfix(.or)
        guard try accept(.rightParenthesis) else {
            let isCondition = if case .predicate = inner.content { true } else { false }
            throw expected(isCondition ? "AND, OR or )" : "an operator or )")
        }
        inner.start = start
        return inner
    }

    private mutating func parseAggregate() throws(PredicateFormatError) -> PredicateNode {
        let start = token.start
        try advance()
        let (parts, depth) = try parseList(until: .rightBrace)
        return try node(.list(parts), start: start, over: depth)
    }

    /// Parses expressions between commas, and the closing sign; gives the depth of the deepest.
    mutating func parseList(
        until end: PredicateSymbol
    ) throws(PredicateFormatError) -> ([PredicateExpression], depth: Int) {
        var parts: [PredicateExpression] = []
        var depth = 0
        if try accept(end) { return (parts, depth) }
        repeat {
            let part = try parseInfix(.or)
            parts.append(try expression(part))
            depth = Swift.max(depth, part.depth)
        } while try accept(.comma)
        guard try accept(end) else { throw expected(", or \(end.rawValue)") }
        return (parts, depth)
    }

    private mutating func parseVariable(
        _ name: [UInt8]
    ) throws(PredicateFormatError) -> PredicateNode {
        let variable = try finish(.variable(name))
        guard try accept(.assign) else { return variable }
        let value = try parseInfix(.set)
        return try node(
            .assignment(variable: name, value: try expression(value)), start: variable.start,
            over: value.depth)
    }
}

// MARK: Keys and indexes

extension PredicateParser {
    private mutating func parseKeyAfterDot() throws(PredicateFormatError) -> [[UInt8]] {
        let keys: [[UInt8]]
        switch token.kind {
        case .word(let key), .escapedWord(let key), .operatorKey(let key): keys = [key]
        case .placeholder(.keyPath): keys = try takeKeys()
        default: throw expected("a key")
        }
        try advance()
        return keys
    }

    private mutating func parseIndex(
        _ base: PredicateExpression, _ operand: PredicateNode
    ) throws(PredicateFormatError) -> PredicateNode {
        let (index, depth) = try parseIndexContent()
        guard try accept(.rightBracket) else { throw expected("]") }
        return try extend(operand, base, to: base.element(index), over: depth)
    }

    /// A key or index more.
    ///
    /// Another key of a path is no further level: how a path is printed must not decide whether it
    /// can be read again.
    private func extend(
        _ operand: PredicateNode, _ base: PredicateExpression, to longer: PredicateExpression,
        over depth: Int
    ) throws(PredicateFormatError) -> PredicateNode {
        var over = Swift.max(operand.depth, depth)
        if base.isPath, case .keyPath = longer { over = operand.depth - 1 }
        return try node(longer, start: operand.start, over: over)
    }

    private mutating func parseIndexContent() throws(PredicateFormatError) -> (PredicateIndex, Int)
    {
        let named: PredicateIndex? =
            switch keyword {
            case .first: .first
            case .last: .last
            case .size: .size
            default: nil
            }
        if let named {
            try advance()
            return (named, 0)
        }
        let position = try parseInfix(.or)
        return (.position(try expression(position)), position.depth)
    }
}

// MARK: Words

extension PredicateParser {
    private mutating func parseWord(_ word: [UInt8]) throws(PredicateFormatError) -> PredicateNode {
        let start = token.start
        if let keyword = PredicateKeyword(word) {
            return try parseKeyword(keyword, start: start)
        }
        try advance()
        guard token.kind == .symbol(.leftParenthesis) else {
            return try node(.keyPath(base: .evaluatedObject, keys: [word]), start: start)
        }
        switch word.asciiLowercased {
        case Array("ternary".utf8): return try parseTernary(start: start)
        case Array("function".utf8): return try parseMessage(start: start)
        default: return try parseCall(word, start: start)
        }
    }

    private mutating func parseKeyword(
        _ keyword: PredicateKeyword, start: Int
    ) throws(PredicateFormatError) -> PredicateNode {
        switch keyword {
        case .null, .isNil: return try finish(.constant(.null))
        case .isTrue, .yes: return try finish(.constant(.bool(true)))
        case .isFalse, .no: return try finish(.constant(.bool(false)))
        case .evaluated: return try finish(.evaluatedObject)
        case .anyKey: return try finish(.anyKey)
        case .truePredicate, .falsePredicate:
            try advance()
            return try node(.constant(keyword == .truePredicate), start: start, over: 0)
        case .subquery:
            try advance()
            return try parseSubquery(start: start)
        case .cast:
            try advance()
            return try parseCall(Array(PredicateFunction.cast.rawValue.utf8), start: start)
        default:
            throw expected("an expression (a reserved word as a key is written with # in front)")
        }
    }
}
