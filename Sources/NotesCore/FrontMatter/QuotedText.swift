/// Behind the closing quote of a text that starts with one; nil if there is none.
func quoteEnd(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
    let quote = bytes[range.lowerBound]
    var index = range.lowerBound + 1
    while index < range.upperBound {
        if bytes[index] == .backslash, quote == .quote {
            index += 2
        } else if bytes[index] != quote {
            index += 1
        } else if quote == .apostrophe, index + 1 < range.upperBound, bytes[index + 1] == quote {
            index += 2
        } else {
            return index + 1
        }
    }
    return nil
}

/// What a text in quotes stands for; nil if it has an escape that YAML does not know.
func unquoted(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8]? {
    let quote = bytes[range.lowerBound]
    var text: [UInt8] = []
    var index = range.lowerBound + 1
    let end = range.upperBound - 1
    while index < end {
        let byte = bytes[index]
        if quote == .apostrophe, byte == .apostrophe {
            text.append(byte)
            index += 2
        } else if quote == .quote, byte == .backslash {
            guard let next = unescape(bytes, (index + 1)..<end, to: &text) else { return nil }
            index = next
        } else {
            text.append(byte)
            index += 1
        }
    }
    return text
}

/// Reads what stands behind a backslash, and gives where it ends.
private func unescape(_ bytes: [UInt8], _ range: Range<Int>, to text: inout [UInt8]) -> Int? {
    guard !range.isEmpty else { return nil }
    let next = range.lowerBound + 1
    switch bytes[range.lowerBound] {
    case .quote, .backslash, .slash, .space, .tab: text.append(bytes[range.lowerBound])
    case UInt8(ascii: "n"): text.append(.lineFeed)
    case UInt8(ascii: "r"): text.append(.carriageReturn)
    case UInt8(ascii: "t"): text.append(.tab)
    case UInt8(ascii: "0"): text.append(0)
    case UInt8(ascii: "x"): return appendScalar(bytes, next, digits: 2, range.upperBound, &text)
    case UInt8(ascii: "u"): return appendScalar(bytes, next, digits: 4, range.upperBound, &text)
    case UInt8(ascii: "U"): return appendScalar(bytes, next, digits: 8, range.upperBound, &text)
    default: return nil
    }
    return next
}

private func appendScalar(
    _ bytes: [UInt8], _ start: Int, digits: Int, _ end: Int, _ text: inout [UInt8]
) -> Int? {
    guard start + digits <= end else { return nil }
    var value: UInt32 = 0
    for byte in bytes[start..<(start + digits)] {
        guard let digit = hexadecimalDigit(byte), value < 1 << 24 else { return nil }
        value = value << 4 | digit
    }
    guard let scalar = Unicode.Scalar(value) else { return nil }
    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { text.append(byte) }
    return start + digits
}

private func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte) - 0x30
    case 0x61...0x66: UInt32(byte) - 0x61 + 10
    case 0x41...0x46: UInt32(byte) - 0x41 + 10
    default: nil
    }
}

/// A text as a value that reads back as the same text, in quotes if it needs them.
func scalar(_ text: [UInt8]) -> [UInt8] {
    isPlain(text) ? text : quoted(text)
}

private func isPlain(_ text: [UInt8]) -> Bool {
    guard let first = text.first, let last = text.last, !isIndicator(first), first > .space,
        last > .space, last != .colon, first != .tilde, !readsAsOther(text)
    else { return false }
    var previous: UInt8 = 0
    for byte in text {
        if byte < .space || byte == 0x7F { return false }
        // Lists in one line end a text at these.
        if byte == .comma || byte == .openBracket || byte == .closeBracket { return false }
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") { return false }
        if byte == .number, isBlank(previous) { return false }
        if isBlank(byte), previous == .colon { return false }
        previous = byte
    }
    return true
}

/// Other programs would take it for a number, a truth value, or nothing.
private func readsAsOther(_ text: [UInt8]) -> Bool {
    let words = ["null", "true", "false", "yes", "no", "on", "off"]
    if words.contains(where: { text.equalsFolded(Array($0.utf8)) }) { return true }
    return text.allSatisfy { $0.isDigit || [.dot, .hyphen, .plus, .colon].contains($0) }
}

private func quoted(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [.quote]
    for byte in text {
        switch byte {
        case .quote, .backslash: result += [.backslash, byte]
        case .lineFeed: result += Array("\\n".utf8)
        case .carriageReturn: result += Array("\\r".utf8)
        case .tab: result += Array("\\t".utf8)
        case 0..<0x20, 0x7F:
            let digits = Array("0123456789abcdef".utf8)
            result += Array("\\x".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        default: result.append(byte)
        }
    }
    return result + [.quote]
}
