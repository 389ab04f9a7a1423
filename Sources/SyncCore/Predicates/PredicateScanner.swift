/// Cuts a format text into tokens, from left to right.
struct PredicateScanner {
    let format: [UInt8]
    var position = 0

    init(_ format: [UInt8]) {
        self.format = format
    }

    func error(_ expected: String, at offset: Int) -> PredicateFormatError {
        PredicateFormatError(offset: offset, expected: expected, format: format)
    }

    mutating func next() throws(PredicateFormatError) -> PredicateToken {
        skipSpace()
        let start = position
        let kind = try scan()
        return PredicateToken(kind: kind, start: start, end: position)
    }

    private mutating func scan() throws(PredicateFormatError) -> PredicateTokenKind {
        guard let byte = peek() else { return .end }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try scanString(quote: byte))
        case UInt8(ascii: "$"): return .variable(try scanName(after: "a variable's name after $"))
        case UInt8(ascii: "#"): return .escapedWord(try scanName(after: "a key after #"))
        case UInt8(ascii: "@"):
            return .operatorKey([byte] + (try scanName(after: "a collection operator after @")))
        case UInt8(ascii: "%"): return try scanPlaceholder()
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try scanNumber())
        case UInt8(ascii: ".") where peek(1).isDigit: return .number(try scanNumber())
        default:
            if byte.startsName { return scanWord() }
            return .symbol(try scanSymbol())
        }
    }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || (byte >= 0x09 && byte <= 0x0d) { position += 1 }
    }

    func peek(_ ahead: Int = 0) -> UInt8? {
        let place = position + ahead
        return place < format.count ? format[place] : nil
    }

    private mutating func scanSymbol() throws(PredicateFormatError) -> PredicateSymbol {
        for length in [2, 1] where position + length <= format.count {
            let text = String(decoding: format[position..<position + length], as: UTF8.self)
            if let symbol = PredicateSymbol(rawValue: text) {
                position += length
                return symbol
            }
        }
        throw error("an expression or an operator", at: position)
    }
}

// MARK: Names

extension PredicateScanner {
    private mutating func scanName(
        after expected: String
    ) throws(PredicateFormatError) -> [UInt8] {
        position += 1
        guard let byte = peek(), byte.startsName else { throw error(expected, at: position) }
        return takeName()
    }

    private mutating func takeName() -> [UInt8] {
        let start = position
        while let byte = peek(), byte.continuesName { position += 1 }
        return Array(format[start..<position])
    }

    private mutating func scanWord() -> PredicateTokenKind {
        let start = position
        var word = takeName()
        if word.asciiLowercased == Array("uti".utf8), let rest = typeOperatorRest() {
            position += rest
            return .word(Array(format[start..<position]))
        }
        var isSelector = false
        while peek() == UInt8(ascii: ":"), peek(1) != UInt8(ascii: "=") {
            isSelector = true
            position += 1
            word = word + [UInt8(ascii: ":")] + takeName()
        }
        return isSelector ? .selector(word) : .word(word)
    }

    /// The length of what turns `UTI` into one of the two operators with hyphens.
    private func typeOperatorRest() -> Int? {
        for rest in ["-conforms-to", "-equals"] {
            let end = position + rest.utf8.count
            guard end <= format.count else { continue }
            guard Array(format[position..<end]).asciiLowercased == Array(rest.utf8) else {
                continue
            }
            if end == format.count || !format[end].continuesName { return rest.utf8.count }
        }
        return nil
    }
}

// MARK: Placeholders

extension PredicateScanner {
    /// Reads `%@`, `%K` and the placeholders of C, whose width and precision mean nothing here.
    private mutating func scanPlaceholder() throws(PredicateFormatError) -> PredicateTokenKind {
        let start = position
        position += 1
        if peek() == UInt8(ascii: "%") {
            position += 1
            return .symbol(.percent)
        }
        while let byte = peek(), byte.isDigit || byte == UInt8(ascii: ".") { position += 1 }
        while let byte = peek(), Self.lengthModifiers.contains(byte) { position += 1 }
        let conversion = peek()
        position += 1
        switch conversion.map({ Character(Unicode.Scalar($0)) }) {
        case "@": return .placeholder(.object)
        case "K": return .placeholder(.keyPath)
        case "d", "D", "i", "u", "U", "x", "X", "o", "O": return .placeholder(.integer)
        case "f", "F", "e", "E", "g", "G", "a", "A": return .placeholder(.real)
        case "c", "C": return .placeholder(.character)
        case "s", "S": return .placeholder(.text)
        default: throw error("a placeholder such as %@, %K or %d", at: start)
        }
    }

    private static let lengthModifiers = Array("hlqLztj".utf8)
}

extension UInt8 {
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    /// Names hold any letters: every byte outside of ASCII counts as one.
    var startsName: Bool {
        let lower = self | 0x20
        return (lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z"))
            || self == UInt8(ascii: "_") || self >= 0x80
    }

    var continuesName: Bool { startsName || isDigit }

    /// The value of a digit in any base up to sixteen.
    var digitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension UInt8? {
    var isDigit: Bool { self.map { $0.isDigit } ?? false }
}
