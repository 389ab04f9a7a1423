// What the beginning of a line says of it. The ranges start behind the line's indentation.

/// 1 to 6 for a heading with number signs; nil for any other line.
func headingLevel(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
    var index = range.lowerBound
    while index < range.upperBound, bytes[index] == .number { index += 1 }
    let level = index - range.lowerBound
    guard (1...6).contains(level) else { return nil }
    return index == range.upperBound || isBlank(bytes[index]) ? level : nil
}

/// The text of a heading, without number signs at either end.
func headingText(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    while start < range.upperBound, bytes[start] == .number { start += 1 }
    let text = trimmed(bytes, start..<range.upperBound)
    var end = text.upperBound
    while end > text.lowerBound, bytes[end - 1] == .number { end -= 1 }
    guard end < text.upperBound else { return text }
    if end == text.lowerBound { return end..<end }
    return isBlank(bytes[end - 1]) ? trimmed(bytes, text.lowerBound..<end) : text
}

/// Where the text of a list item starts, after its sign and a box to tick; nil for other lines.
func listMarkerEnd(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
    guard var index = listSignEnd(bytes, range) else { return nil }
    guard index < range.upperBound else { return index }
    guard isBlank(bytes[index]) else { return nil }
    while index < range.upperBound, isBlank(bytes[index]) { index += 1 }
    let isBox =
        index + 3 < range.upperBound && bytes[index] == .openBracket
        && bytes[index + 2] == .closeBracket && isBlank(bytes[index + 3])
    return isBox ? index + 4 : index
}

/// `-`, `*`, `+`, or a number with a dot or a bracket.
private func listSignEnd(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
    var index = range.lowerBound
    guard index < range.upperBound else { return nil }
    if [.hyphen, .asterisk, .plus].contains(bytes[index]) { return index + 1 }
    while index < range.upperBound, index - range.lowerBound < 9, bytes[index].isDigit {
        index += 1
    }
    guard index > range.lowerBound, index < range.upperBound else { return nil }
    return bytes[index] == .dot || bytes[index] == UInt8(ascii: ")") ? index + 1 : nil
}

/// Whether the line is a rule: three or more of one sign, with blanks between them.
func isRule(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    var sign: UInt8?
    var count = 0
    for byte in bytes[range] where !isBlank(byte) {
        guard sign == nil || byte == sign else { return false }
        guard [.hyphen, .asterisk, .underscore, .equals].contains(byte) else { return false }
        sign = byte
        count += 1
    }
    return count >= 3
}
