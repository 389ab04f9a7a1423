/// Says where words begin and end, for every encoding that extends ASCII.
enum WordRule {
    /// Returns whether a byte is part of a word: ASCII letters, digits, `_`, all beyond ASCII.
    static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x80...0xFF: true
        default: false
        }
    }

    /// Returns the end of the token that starts here: a word, a run of blanks, or one other byte.
    ///
    /// CR LF is one token.
    static func tokenEnd(in text: [UInt8], from start: Int) -> Int {
        let byte = text[start]
        var end = start + 1
        if isInWord(byte) {
            while end < text.count, isInWord(text[end]) { end += 1 }
        } else if isBlank(byte) {
            while end < text.count, isBlank(text[end]) { end += 1 }
        } else if byte == 0x0D, end < text.count, text[end] == 0x0A {
            end += 1
        }
        return end
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09
    }
}
