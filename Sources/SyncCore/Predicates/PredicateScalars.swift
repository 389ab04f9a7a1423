/// Code points of UTF-8 text in which invalid bytes survive.
enum PredicateScalars {
    /// What an invalid byte is added to, above all code points.
    private static let invalid: UInt32 = 0x11_0000

    static func decode(_ text: [UInt8]) -> [UInt32] {
        var scalars: [UInt32] = []
        scalars.reserveCapacity(text.count)
        var place = 0
        while place < text.count {
            if let (scalar, length) = sequence(text, at: place) {
                scalars.append(scalar)
                place += length
            } else {
                scalars.append(invalid + UInt32(text[place]))
                place += 1
            }
        }
        return scalars
    }

    static func append(_ scalar: UInt32, to text: inout [UInt8]) {
        if let character = Unicode.Scalar(scalar) {
            text.append(contentsOf: UTF8.encode(character) ?? UTF8.encodedReplacementCharacter)
        } else {
            text.append(UInt8(truncatingIfNeeded: scalar))
        }
    }

    /// The number of UTF-16 units, which Foundation calls a string's length.
    static func utf16Count(_ text: [UInt8]) -> Int {
        decode(text).reduce(0) { $0 + ($1 > 0xffff && $1 < invalid ? 2 : 1) }
    }

    /// The valid sequence at a place, in its shortest form, and its length.
    private static func sequence(_ text: [UInt8], at place: Int) -> (UInt32, length: Int)? {
        let lead = text[place]
        let length: Int
        switch lead {
        case 0x00...0x7f: return (UInt32(lead), 1)
        case 0xc2...0xdf: length = 2
        case 0xe0...0xef: length = 3
        case 0xf0...0xf4: length = 4
        default: return nil
        }
        guard place + length <= text.count else { return nil }
        var scalar = UInt32(lead) & (0x7f >> UInt32(length))
        for byte in text[place + 1..<place + length] {
            guard byte & 0xc0 == 0x80 else { return nil }
            scalar = scalar << 6 | UInt32(byte & 0x3f)
        }
        let least: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x1_0000
        guard scalar >= least, Unicode.Scalar(scalar) != nil else { return nil }
        return (scalar, length)
    }
}
