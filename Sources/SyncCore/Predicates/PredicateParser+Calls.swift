// Functions and what looks like them.

extension PredicateParser {
    mutating func parseCall(
        _ name: [UInt8], start: Int
    ) throws(PredicateFormatError) -> PredicateNode {
        guard PredicateFunction(name: name, argumentCount: 1) != nil else {
            throw scanner.error("a function that exists, such as sum or lowercase", at: start)
        }
        try expect(.leftParenthesis)
        let (arguments, depth) = try parseList(until: .rightParenthesis)
        let function = PredicateFunction(name: name, argumentCount: arguments.count)
        guard let function, function.argumentCounts.contains(arguments.count) else {
            throw scanner.error("the right number of arguments for the function", at: start)
        }
        return try node(.call(function, arguments), start: start, over: depth)
    }

    /// Parses what follows TERNARY: a condition and two expressions.
    mutating func parseTernary(start: Int) throws(PredicateFormatError) -> PredicateNode {
        try expect(.leftParenthesis)
        let condition = try parseInfix(.or)
        let predicate = try predicate(condition)
        try expect(.comma)
        let then = try parseInfix(.or)
        let thenExpression = try expression(then)
        try expect(.comma)
        let otherwise = try parseInfix(.or)
        let otherwiseExpression = try expression(otherwise)
        try expect(.rightParenthesis)
        return try node(
            .conditional(
                condition: predicate, then: thenExpression, otherwise: otherwiseExpression),
            start: start, over: Swift.max(condition.depth, then.depth, otherwise.depth))
    }

    /// Parses what follows FUNCTION: a receiver, a selector as text, and its arguments.
    mutating func parseMessage(start: Int) throws(PredicateFormatError) -> PredicateNode {
        try expect(.leftParenthesis)
        let (parts, depth) = try parseList(until: .rightParenthesis)
        guard parts.count >= 2, case .constant(.string(let selector)) = parts[1] else {
            throw scanner.error("a receiver and a selector for FUNCTION", at: start)
        }
        return try node(
            .message(receiver: parts[0], selector: selector, arguments: Array(parts.dropFirst(2))),
            start: start, over: depth)
    }

    /// Parses what follows SUBQUERY: a collection, a variable and a condition.
    mutating func parseSubquery(start: Int) throws(PredicateFormatError) -> PredicateNode {
        try expect(.leftParenthesis)
        let collection = try parseInfix(.or)
        let collectionExpression = try expression(collection)
        try expect(.comma)
        guard case .variable(let variable) = token.kind else { throw expected("a variable") }
        try advance()
        try expect(.comma)
        let condition = try parseInfix(.or)
        let predicate = try predicate(condition)
        try expect(.rightParenthesis)
        return try node(
            .subquery(
                collection: collectionExpression, variable: variable, condition: predicate),
            start: start, over: Swift.max(collection.depth, condition.depth))
    }
}
