import SyncCore

/// Documents as the simulated people write them: lines, each with a number of its own.
enum Document {
    /// The start of a content that does not merge by lines.
    static let binaryMark: [UInt8] = [0x89, 0x00, 0x0A]

    static func line(_ token: Token, _ random: inout RandomSource) -> [UInt8] {
        var line: [UInt8] = [0x74]
        line.append(contentsOf: String(token).utf8)
        line.append(0x20)
        let filling = UInt8(random.below(26)) + 0x61
        line.append(contentsOf: Array(repeating: filling, count: random.below(12)))
        line.append(0x0A)
        return line
    }

    /// A line of so many bytes, if the number leaves room for it.
    static func line(_ token: Token, count: Int) -> [UInt8]? {
        let start = [0x74] + Array(String(token).utf8) + [0x20]
        guard start.count < count else { return nil }
        return start + Array(repeating: 0x78, count: count - start.count - 1) + [0x0A]
    }

    /// The numbers of the lines, in their order.
    static func tokens(in bytes: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        var isAtStart = true
        var number: Token?
        for byte in bytes {
            if let digits = number, byte >= 0x30, byte <= 0x39 {
                number = digits &* 10 &+ Int(byte - 0x30)
            } else {
                if let token = number, token > 0, byte == 0x20 { tokens.append(token) }
                number = isAtStart && byte == 0x74 ? 0 : nil
            }
            isAtStart = byte == 0x0A
        }
        return tokens
    }

    static func lines(of bytes: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var line: [UInt8] = []
        for byte in bytes {
            line.append(byte)
            guard byte == 0x0A else { continue }
            lines.append(line)
            line = []
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }
}
