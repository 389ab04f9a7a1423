/// Base64 over bytes, with the standard alphabet and padding.
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Each byte's six bits; 0xFF marks what is not in the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (index, letter) in alphabet.enumerated() {
            values[Int(letter)] = UInt8(index)
        }
        return values
    }()

    /// Turns bytes into text.
    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let left = min(3, bytes.count - index)
            var group = UInt32(bytes[index]) << 16
            if left > 1 { group |= UInt32(bytes[index + 1]) << 8 }
            if left > 2 { group |= UInt32(bytes[index + 2]) }
            for place in 0..<4 {
                let letter = alphabet[Int(group >> UInt32(18 - 6 * place)) & 63]
                text.append(place <= left ? letter : UInt8(ascii: "="))
            }
            index += 3
        }
        return text
    }

    /// Reads text back; nil unless it is exactly what `encode` would have written.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        let padding = text.suffix(2).reduce(0) { $0 + ($1 == UInt8(ascii: "=") ? 1 : 0) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var group: UInt32 = 0
        var bits = 0
        for letter in text.dropLast(padding) {
            let value = values[Int(letter)]
            guard value != 0xFF else { return nil }
            group = group << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
            }
        }
        // Bits that no byte carries must be zero, or two texts would mean the same bytes.
        guard group & (1 << UInt32(bits) - 1) == 0 else { return nil }
        return bytes
    }
}
