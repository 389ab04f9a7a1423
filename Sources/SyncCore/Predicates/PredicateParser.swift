/// Parses the format text of `NSPredicate(format:)`.
///
/// Conditions and expressions share their parentheses, so both are parsed by one descent that
/// looks at each token once; only where one of the two is needed is it asked which one came.
package struct PredicateParser {
    /// How deep the parts of a predicate may nest: deeper text is an error, never a full stack.
    package static let depthLimit = 50

    /// How deep text may nest: twice as deep, because in canonical text each part that has an
    /// operator stands in parentheses of its own.
    static let nestingLimit = 2 * depthLimit + 1

    var scanner: PredicateScanner
    var token: PredicateToken
    let arguments: [PredicateValue]
    var argumentCount = 0
    var depth = 0

    /// Parses a condition; arguments beyond those that the format asks for are ignored.
    package static func parse(
        format: [UInt8], arguments: [PredicateValue] = []
    ) throws(PredicateFormatError) -> Predicate {
        var parser = try PredicateParser(format, arguments)
        let node = try parser.parseInfix(.or)
        let predicate = try parser.predicate(node)
        try parser.expectEnd()
        return predicate
    }

    /// Parses an expression, as `NSExpression(format:)` takes it.
    package static func parseExpression(
        format: [UInt8], arguments: [PredicateValue] = []
    ) throws(PredicateFormatError) -> PredicateExpression {
        var parser = try PredicateParser(format, arguments)
        let node = try parser.parseInfix(.or)
        let expression = try parser.expression(node)
        try parser.expectEnd()
        return expression
    }

    private init(
        _ format: [UInt8], _ arguments: [PredicateValue]
    ) throws(PredicateFormatError) {
        scanner = PredicateScanner(format)
        token = try scanner.next()
        self.arguments = arguments
    }
}

/// What was parsed so far: a condition or an expression, and how deep its tree is.
struct PredicateNode {
    var content: Content
    var start: Int
    var depth: Int

    enum Content {
        case predicate(Predicate)
        case expression(PredicateExpression)
    }
}

// MARK: Tokens

extension PredicateParser {
    mutating func advance() throws(PredicateFormatError) {
        token = try scanner.next()
    }

    mutating func accept(_ symbol: PredicateSymbol) throws(PredicateFormatError) -> Bool {
        guard token.kind == .symbol(symbol) else { return false }
        try advance()
        return true
    }

    mutating func expect(_ symbol: PredicateSymbol) throws(PredicateFormatError) {
        guard try accept(symbol) else { throw expected(symbol.rawValue) }
    }

    func expected(_ what: String) -> PredicateFormatError { scanner.error(what, at: token.start) }

    var keyword: PredicateKeyword? {
        guard case .word(let word) = token.kind else { return nil }
        return PredicateKeyword(word)
    }

    private func expectEnd() throws(PredicateFormatError) {
        guard token.kind == .end else { throw expected("AND, OR or the end") }
    }
}

// MARK: Nodes

extension PredicateParser {
    func predicate(_ node: PredicateNode) throws(PredicateFormatError) -> Predicate {
        guard case .predicate(let predicate) = node.content else {
            throw expected("a comparison operator")
        }
        return predicate
    }

    func expression(_ node: PredicateNode) throws(PredicateFormatError) -> PredicateExpression {
        guard case .expression(let expression) = node.content else {
            throw scanner.error("an expression, not a condition", at: node.start)
        }
        return expression
    }

    /// A condition's node around parts of the given depth.
    func node(
        _ predicate: Predicate, start: Int, over depth: Int
    ) throws(PredicateFormatError) -> PredicateNode {
        try checkDepth(depth + 1)
        return PredicateNode(content: .predicate(predicate), start: start, depth: depth + 1)
    }

    /// An expression's node around parts of the given depth.
    func node(
        _ expression: PredicateExpression, start: Int, over depth: Int = 0
    ) throws(PredicateFormatError) -> PredicateNode {
        try checkDepth(depth + 1)
        return PredicateNode(content: .expression(expression), start: start, depth: depth + 1)
    }

    private func checkDepth(_ depth: Int) throws(PredicateFormatError) {
        guard depth <= Self.depthLimit else { throw nestsTooDeep }
    }

    func checkNesting() throws(PredicateFormatError) {
        guard depth <= Self.nestingLimit else { throw nestsTooDeep }
    }

    private var nestsTooDeep: PredicateFormatError {
        expected("fewer than \(Self.depthLimit) levels of nesting")
    }
}
