// Reading of literal texts and numbers.

extension PredicateScanner {
    /// Reads a number: decimal, with exponent, `0x`, `0o` or `0b`.
    mutating func scanNumber() throws(PredicateFormatError) -> PredicateValue {
        let start = position
        skipNumber()
        let value = PredicateNumber.literal(format[start..<position])
        guard let value, !(peek()?.continuesName ?? false) else {
            throw error("a number", at: start)
        }
        return value
    }

    private mutating func skipNumber() {
        if peek() == UInt8(ascii: "0"), let letter = peek(1), Self.baseLetters.contains(letter) {
            position += 2
            while peek()?.digitValue != nil { position += 1 }
            return
        }
        while peek().isDigit { position += 1 }
        if peek() == UInt8(ascii: "."), peek(1).isDigit {
            position += 1
            while peek().isDigit { position += 1 }
        }
        skipExponent()
    }

    private mutating func skipExponent() {
        guard let letter = peek(), letter | 0x20 == UInt8(ascii: "e") else { return }
        let isSigned = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
        guard peek(isSigned ? 2 : 1).isDigit else { return }
        position += isSigned ? 2 : 1
        while peek().isDigit { position += 1 }
    }

    private static let baseLetters = Array("xXoObB".utf8)

    /// Reads a text up to its closing quote.
    ///
    /// The escapes are `\n`, `\t`, `\r`, `\"`, `\'`, `\\` and `\uXXXX`. Any other backslash stays
    /// in the text, so that a pattern for LIKE or MATCHES can be written with single backslashes.
    mutating func scanString(quote: UInt8) throws(PredicateFormatError) -> [UInt8] {
        let start = position
        position += 1
        var text: [UInt8] = []
        while let byte = peek() {
            position += 1
            if byte == quote { return text }
            if byte == UInt8(ascii: "\\") {
                try scanEscape(into: &text)
            } else {
                text.append(byte)
            }
        }
        throw error("a closing \(quote == UInt8(ascii: "'") ? "'" : "\"")", at: start)
    }

    private mutating func scanEscape(into text: inout [UInt8]) throws(PredicateFormatError) {
        guard let byte = peek() else { return }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"): text.append(byte)
        case UInt8(ascii: "u"): text += try scanUnicodeEscape()
        default: text += [UInt8(ascii: "\\"), byte]
        }
    }

    /// Reads the digits after `\u`; two escapes in a row may be the halves of one character.
    private mutating func scanUnicodeEscape() throws(PredicateFormatError) -> [UInt8] {
        let start = position
        var unit = scanFourDigits()
        if let high = unit, high >= 0xd800, high < 0xdc00,
            peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u")
        {
            position += 2
            unit = scanFourDigits().flatMap { low in
                low >= 0xdc00 && low < 0xe000 ? 0x10000 + (high - 0xd800) << 10 + low - 0xdc00 : nil
            }
        }
        guard let unit, let scalar = Unicode.Scalar(unit) else {
            throw error("four hexadecimal digits of a character", at: start)
        }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func scanFourDigits() -> UInt32? {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = peek()?.digitValue else { return nil }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}

/// Numbers as the format text writes them.
enum PredicateNumber {
    /// The value of a literal without sign; a whole number beyond 64 bits is a double.
    static func literal(_ bytes: ArraySlice<UInt8>, isNegative: Bool = false) -> PredicateValue? {
        let digits = Array(bytes)
        if digits.count >= 2, digits[0] == UInt8(ascii: "0"), let base = base(digits[1]) {
            return whole(digits[2...], base: base, isNegative: isNegative)
        }
        if let value = whole(digits[...], base: 10, isNegative: isNegative) { return value }
        let sign = isNegative ? "-" : ""
        return Double(sign + String(decoding: digits, as: UTF8.self)).map { .double($0) }
    }

    private static func base(_ letter: UInt8) -> Int64? {
        switch letter | 0x20 {
        case UInt8(ascii: "x"): 16
        case UInt8(ascii: "o"): 8
        case UInt8(ascii: "b"): 2
        default: nil
        }
    }

    private static func whole(
        _ digits: ArraySlice<UInt8>, base: Int64, isNegative: Bool
    ) -> PredicateValue? {
        guard !digits.isEmpty else { return nil }
        var value: Int64 = 0
        for byte in digits {
            guard let digit = byte.digitValue, Int64(digit) < base else { return nil }
            let (shifted, overflow) = value.multipliedReportingOverflow(by: base)
            let step = isNegative ? -Int64(digit) : Int64(digit)
            let (sum, more) = shifted.addingReportingOverflow(step)
            if overflow || more { return nil }
            value = sum
        }
        return .integer(value)
    }

    /// The number that a text spells, as CAST reads it.
    static func parse(_ text: [UInt8]) -> PredicateValue? {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = isNegative ? text.dropFirst() : text[...]
        if digits.first.isDigit || digits.first == UInt8(ascii: ".") {
            return literal(digits, isNegative: isNegative)
        }
        return text == Array("NaN".utf8) ? .double(.nan) : nil
    }
}
