// Arguments: what stands in the place of a percent sign.

extension PredicateParser {
    /// Takes the next argument; it is a value, never parsed as text.
    mutating func takeArgument(
        _ placeholder: PredicatePlaceholder
    ) throws(PredicateFormatError) -> PredicateExpression {
        if placeholder == .keyPath { return try takeKeyPath() }
        let value = try nextArgument()
        guard let converted = Self.convert(value, placeholder) else {
            throw expected("\(Self.wanted(placeholder)) as argument \(argumentCount)")
        }
        return .constant(converted)
    }

    private mutating func takeKeyPath() throws(PredicateFormatError) -> PredicateExpression {
        let keys = try takeKeys()
        if keys == [Array("SELF".utf8)] { return .evaluatedObject }
        return .keyPath(base: .evaluatedObject, keys: keys)
    }

    /// Takes a `%K` argument: keys between dots, of any characters.
    mutating func takeKeys() throws(PredicateFormatError) -> [[UInt8]] {
        guard case .string(let path) = try nextArgument() else {
            throw expected("a key path as argument \(argumentCount)")
        }
        let keys = path.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map { Array($0) }
        for key in keys where !Self.isKey(key) {
            throw expected("a key path without empty parts as argument \(argumentCount)")
        }
        return keys
    }

    private static func isKey(_ key: [UInt8]) -> Bool {
        guard key.first == UInt8(ascii: "@") else { return !key.isEmpty }
        return key.count > 1 && key[1].startsName && key.dropFirst().allSatisfy { $0.continuesName }
    }

    private mutating func nextArgument() throws(PredicateFormatError) -> PredicateValue {
        guard argumentCount < arguments.count else {
            throw expected("argument \(argumentCount + 1) (there are \(arguments.count))")
        }
        argumentCount += 1
        return arguments[argumentCount - 1]
    }

    private static func convert(
        _ value: PredicateValue, _ placeholder: PredicatePlaceholder
    ) -> PredicateValue? {
        switch (placeholder, value) {
        case (.object, _): value
        case (.integer, .integer), (.real, .double): value
        case (.integer, .bool(let flag)): .integer(flag ? 1 : 0)
        case (.integer, .double(let number)): whole(number)
        case (.real, .bool(let flag)): .double(flag ? 1 : 0)
        case (.real, .integer(let number)): .double(Double(number))
        case (.text, .string), (.character, .string): value
        case (.character, .integer(let code)): character(code)
        default: nil
        }
    }

    private static func whole(_ number: Double) -> PredicateValue? {
        guard let whole = ElementaryFunctions.whole(number), Double(whole) == number else {
            return nil
        }
        return .integer(whole)
    }

    private static func character(_ code: Int64) -> PredicateValue? {
        guard let code = UInt32(exactly: code), let scalar = Unicode.Scalar(code) else {
            return nil
        }
        return .text(String(Character(scalar)))
    }

    private static func wanted(_ placeholder: PredicatePlaceholder) -> String {
        switch placeholder {
        case .object: "a value"
        case .keyPath: "a key path"
        case .integer: "a whole number"
        case .real: "a number"
        case .character: "a character"
        case .text: "a text"
        }
    }
}
