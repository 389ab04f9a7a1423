/// Gives every different spelling a number, so that tokens are compared as integers.
///
/// An open-addressing table, half full at most. A hash only narrows the search: bytes decide.
struct SymbolTable {
    /// The first place where a spelling was seen.
    private struct Entry {
        let hash: UInt64
        let text: Int
        let start: Int
        let end: Int
    }

    private var texts: [[UInt8]] = []
    private var entries: [Entry] = []
    /// Numbers of entries by hash, -1 for a free slot; a power of two of them.
    private var slots = [Int32](repeating: -1, count: 1024)

    /// The number of different spellings so far; symbols are below it.
    var count: Int { entries.count }

    /// Cuts a text into lines: each ends with its line feed, the last one perhaps without.
    mutating func lines(of bytes: [UInt8]) -> TokenizedText {
        tokens(of: bytes, expected: bytes.count { $0 == 0x0A } + 1) { text, start in
            var end = start
            while end < text.count {
                end += 1
                if text[end - 1] == 0x0A { break }
            }
            return end
        }
    }

    /// Cuts a text into words, and what stands between words.
    mutating func words(of bytes: [UInt8]) -> TokenizedText {
        tokens(of: bytes, expected: bytes.count / 3 + 1, tokenEnd: WordRule.tokenEnd)
    }

    /// Cuts a text into tokens whose ends `tokenEnd` tells, and numbers them.
    ///
    /// `expected` is about how many there are. `tokenEnd` gets the text and a token's start, and
    /// returns its end, which lies beyond.
    private mutating func tokens(
        of bytes: [UInt8], expected: Int, tokenEnd: ([UInt8], Int) -> Int
    ) -> TokenizedText {
        texts.append(bytes)
        var starts: [Int32] = []
        var symbols: [Int32] = []
        starts.reserveCapacity(expected + 1)
        symbols.reserveCapacity(expected)
        var start = 0
        while start < bytes.count {
            let end = tokenEnd(bytes, start)
            starts.append(Int32(start))
            symbols.append(symbol(of: bytes, from: start, to: end))
            start = end
        }
        starts.append(Int32(bytes.count))
        return TokenizedText(bytes: bytes, starts: starts, symbols: symbols)
    }

    private mutating func symbol(of bytes: [UInt8], from start: Int, to end: Int) -> Int32 {
        let hash = Self.hash(of: bytes, from: start, to: end)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let entry = entries[Int(slots[slot])]
            if entry.hash == hash, spells(entry, bytes, from: start, to: end) {
                return slots[slot]
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        let symbol = Int32(entries.count)
        slots[slot] = symbol
        entries.append(Entry(hash: hash, text: texts.count - 1, start: start, end: end))
        if entries.count * 2 > slots.count { grow() }
        return symbol
    }

    private func spells(_ entry: Entry, _ bytes: [UInt8], from start: Int, to end: Int) -> Bool {
        guard entry.end - entry.start == end - start else { return false }
        let text = texts[entry.text]
        for offset in 0..<(end - start) where text[entry.start + offset] != bytes[start + offset] {
            return false
        }
        return true
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 4)
        for (symbol, entry) in entries.enumerated() {
            var slot = Int(truncatingIfNeeded: entry.hash) & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(symbol)
        }
    }

    private static func hash(of bytes: [UInt8], from start: Int, to end: Int) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in start..<end {
            hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3
        }
        hash ^= hash >> 32
        hash = hash &* 0x9E37_79B9_7F4A_7C15
        return hash ^ (hash >> 29)
    }
}
