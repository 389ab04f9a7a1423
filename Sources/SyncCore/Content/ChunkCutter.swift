/// Where a content is cut into chunks: at places that the bytes themselves choose.
///
/// A hash of the last 64 bytes is looked at behind every byte; where its highest bits are zero, a
/// chunk ends. Bytes that are put in or taken out move all that is behind them, and the same places
/// are found again there, so that a change costs the chunks that it touches. How it was measured
/// and chosen is in `Docs/Decisions/0001-chunk-boundaries.md`.
///
/// It keeps nothing between chunks: whoever reads a content holds ``maximum`` bytes at a time.
/// Ids of versions never rest on boundaries, so another rule may cut them another time.
package struct ChunkCutter: Sendable {
    /// Chunks are no shorter, but for the last of a content.
    package let minimum: Int
    /// From here on an end is looked for less strictly; most chunks end soon after.
    package let average: Int
    /// Chunks are no longer.
    package let maximum: Int
    private let strict: UInt64
    private let lenient: UInt64
    private let table: [UInt64]

    /// For a content of this many bytes: a long one has longer chunks, so that their list stays
    /// short.
    package init(contentSize: UInt64) {
        self.init(average: Self.average(for: contentSize))
    }

    init(average: Int) {
        self.average = average
        let isFixed = average == Self.mostBytes
        minimum = isFixed ? average : average / 4
        maximum = min(average * 4, Self.mostBytes)
        let bits = UInt64(average.trailingZeroBitCount)
        strict = ~0 << (64 - bits - Self.spread)
        lenient = ~0 << (64 - bits + Self.spread)
        table = Self.makeTable()
    }

    /// The length of the chunk that begins where the bytes begin.
    ///
    /// The bytes are ``maximum`` or more, or all that is left of the content; not none.
    package func length(of bytes: Span<UInt8>) -> Int {
        let end = min(bytes.count, maximum)
        guard end > minimum else { return end }
        let table = table.span
        var hash: UInt64 = 0
        for index in (minimum - Self.window)..<minimum {
            hash = (hash << 1) &+ table[Int(bytes[index])]
        }
        if hash & strict == 0 { return minimum }
        let turn = min(average, end)
        for index in minimum..<turn {
            hash = (hash << 1) &+ table[Int(bytes[index])]
            if hash & strict == 0 { return index + 1 }
        }
        for index in turn..<end {
            hash = (hash << 1) &+ table[Int(bytes[index])]
            if hash & lenient == 0 { return index + 1 }
        }
        return end
    }

    /// No chunk of any content is longer.
    package static var mostBytes: Int { 1_048_576 }

    /// The smallest power of two that leaves a content at most 6,144 of them, from 64 to 512 KiB;
    /// contents of more than 48 GiB are cut at every 1 MiB.
    static func average(for size: UInt64) -> Int {
        guard size <= 51_539_607_552 else { return mostBytes }
        var average = 65_536
        while average < 524_288, UInt64(average) * 6_144 < size { average *= 2 }
        return average
    }

    /// The bytes that a hash depends on.
    private static var window: Int { 64 }
    /// So many more bits must be zero before the average, and fewer behind it.
    private static var spread: UInt64 { 3 }

    /// A number for each byte: the first 256 of the generator SplitMix64 from zero.
    private static func makeTable() -> [UInt64] {
        var state: UInt64 = 0
        var table: [UInt64] = []
        table.reserveCapacity(256)
        for _ in 0..<256 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            table.append(mixed ^ (mixed >> 31))
        }
        return table
    }
}
