extension UInt8 {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let exclamation: UInt8 = 0x21
    static let quote: UInt8 = 0x22
    static let number: UInt8 = 0x23
    static let apostrophe: UInt8 = 0x27
    static let asterisk: UInt8 = 0x2A
    static let plus: UInt8 = 0x2B
    static let comma: UInt8 = 0x2C
    static let hyphen: UInt8 = 0x2D
    static let dot: UInt8 = 0x2E
    static let slash: UInt8 = 0x2F
    static let colon: UInt8 = 0x3A
    static let equals: UInt8 = 0x3D
    static let greater: UInt8 = 0x3E
    static let openBracket: UInt8 = 0x5B
    static let backslash: UInt8 = 0x5C
    static let closeBracket: UInt8 = 0x5D
    static let underscore: UInt8 = 0x5F
    static let backtick: UInt8 = 0x60
    static let bar: UInt8 = 0x7C
    static let tilde: UInt8 = 0x7E

    var isDigit: Bool { (0x30...0x39).contains(self) }
    var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
    /// Inside a character of more than one byte, not its first.
    var isContinuation: Bool { self & 0xC0 == 0x80 }

    var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self + 0x20 : self }
}

extension [UInt8] {
    /// The start of the text that has at most so many bytes and cuts no character.
    func cut(to limit: Int) -> [UInt8] {
        guard count > limit else { return self }
        var end = Swift.max(limit, 0)
        while end > 0, self[end].isContinuation, limit - end < 4 { end -= 1 }
        return Array(self[..<end])
    }

    /// Equal but for the case of ASCII letters.
    func equalsFolded(_ other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        var index = 0
        while index < count {
            if self[index].lowercased != other[index].lowercased { return false }
            index += 1
        }
        return true
    }
}
