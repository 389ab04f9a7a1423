extension [UInt8] {
    /// Appends a number, most significant byte first.
    package mutating func append(bigEndian value: UInt64) {
        var shift = 56
        while shift >= 0 {
            append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
            shift -= 8
        }
    }

    /// Appends a count and the bytes, so that no two lists of fields have the same bytes.
    package mutating func append(field bytes: [UInt8]) {
        append(bigEndian: UInt64(bytes.count))
        append(contentsOf: bytes)
    }
}

private let digits: [UInt8] = Array("0123456789abcdef".utf8)

/// The lower-case hexadecimal digits of bytes.
package func hexadecimal(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
}

/// The bytes of hexadecimal digits, nil if a character is none or their number is odd.
package func decodeHexadecimal(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text.utf8 {
        guard let digit = value(ofDigit: character) else { return nil }
        if let first = high {
            bytes.append(first << 4 | digit)
            high = nil
        } else {
            high = digit
        }
    }
    return high == nil ? bytes : nil
}

private func value(ofDigit character: UInt8) -> UInt8? {
    switch character {
    case 0x30...0x39: character - 0x30
    case 0x61...0x66: character - 0x61 + 10
    case 0x41...0x46: character - 0x41 + 10
    default: nil
    }
}
