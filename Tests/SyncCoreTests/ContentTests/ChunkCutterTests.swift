import Testing

@testable import SyncCore

/// Where contents are cut, and what that is for.
@Suite struct ChunkCutterTests {
    private static let seeds: [UInt64] = [1, 2, 3, 4, 5]
    /// Short chunks, so that short contents have many.
    private static let average = 2_048

    @Test(arguments: seeds, [2_048, 4_096])
    func everyByteIsInOneChunkOfAllowedLength(_ seed: UInt64, _ average: Int) {
        let cutter = ChunkCutter(average: average)
        for content in [
            noise(90_001, seed), text(75_000, seed), pages(65_000, seed),
            [UInt8](repeating: UInt8(seed), count: 50_000),
        ] {
            let chunks = cut(content, cutter)
            #expect(chunks.reduce(0) { $0 + $1.count } == content.count)
            #expect(zip(chunks, chunks.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
            #expect(chunks.allSatisfy { $0.count <= cutter.maximum && !$0.isEmpty })
            #expect(chunks.dropLast().allSatisfy { $0.count >= cutter.minimum })
        }
    }

    @Test(arguments: [1, 2, 65, 16_383, 16_384, 16_385, 65_537])
    func aShortContentIsCutToo(_ count: Int) {
        let content = noise(count, 9)
        let chunks = cut(content, ChunkCutter(contentSize: UInt64(count)))
        #expect(chunks.first?.lowerBound == 0)
        #expect(chunks.last?.upperBound == count)
        if count <= 16_384 { #expect(chunks.count == 1) }
    }

    /// What follows a chunk within its longest length decides nothing.
    @Test(arguments: seeds)
    func aChunkDependsOnItsOwnBytesOnly(_ seed: UInt64) {
        let cutter = ChunkCutter(average: Self.average)
        let content = noise(60_000, seed)
        for chunk in cut(content, cutter).dropLast() where chunk.count < cutter.maximum {
            let other = Array(content[chunk]) + noise(cutter.maximum, seed + 100)
            #expect(cutter.length(of: other.span) == chunk.count)
            let alone = Array(content[chunk])
            #expect(cutter.length(of: alone.span) == chunk.count)
        }
    }

    @Test(arguments: seeds)
    func aByteInFrontMovesTheBoundariesAndNoMore(_ seed: UInt64) {
        let cutter = ChunkCutter(average: Self.average)
        let content = noise(100_000, seed)
        let before = Set(cut(content, cutter).map { Array(content[$0]) })
        let longer = [7] + content
        let new = cut(longer, cutter).filter { !before.contains(Array(longer[$0])) }
        #expect(new.count <= 2)
        #expect(new.reduce(0) { $0 + $1.count } <= 2 * cutter.maximum)
    }

    @Test(arguments: seeds)
    func whereverBytesAreChangedTheOthersAreFoundAgain(_ seed: UInt64) {
        let cutter = ChunkCutter(average: Self.average)
        var random = Draws(seed)
        for original in [noise(150_000, seed), text(150_000, seed), pages(150_000, seed)] {
            let before = Set(cut(original, cutter).map { Array(original[$0]) })
            for change in 0..<4 {
                var content = original
                let place = random.next(below: content.count - 500)
                switch change {
                case 0: content.insert(contentsOf: noise(1, seed), at: place)
                case 1: content.insert(contentsOf: noise(300, seed), at: place)
                case 2: content.removeSubrange(place..<place + 1 + random.next(below: 400))
                default: content[place] ^= 1
                }
                let new = cut(content, cutter).filter { !before.contains(Array(content[$0])) }
                #expect(new.reduce(0) { $0 + $1.count } <= 6 * cutter.maximum, "change \(change)")
            }
        }
    }

    @Test func chunksAreAboutAsLongAsMeant() {
        let content = noise(400_000, 11)
        let chunks = cut(content, ChunkCutter(average: Self.average))
        let mean = content.count / chunks.count
        #expect((2_000...2_500).contains(mean))
    }

    /// Another table or rule would have each file travel once more: a decision, no accident.
    @Test func theBoundariesAreTheseForEver() {
        let lengths = cut(noise(600_000, 1), ChunkCutter(average: 65_536)).map(\.count)
        #expect(lengths == [85_210, 71_425, 76_877, 88_263, 72_017, 67_330, 87_788, 51_090])
        #expect(ChunkCutter(average: 65_536).length(of: noise(300_000, 2).span) == 77_925)
    }

    @Test(
        arguments: [
            (0, 65_536), (402_653_184, 65_536), (402_653_185, 131_072), (1 << 30, 262_144),
            (2 << 30, 524_288), (48 << 30, 524_288), (48 << 30 | 1, 1_048_576), (.max, 1_048_576),
        ] as [(UInt64, Int)])
    func longContentsHaveLongChunks(_ size: UInt64, _ average: Int) {
        let cutter = ChunkCutter(contentSize: size)
        #expect(cutter.average == average)
        #expect(cutter.maximum <= ChunkCutter.mostBytes)
    }

    @Test func theLongestContentsAreCutAtEveryMebibyte() {
        let cutter = ChunkCutter(contentSize: .max)
        let lengths = cut(noise(1_100_000, 3), cutter).map(\.count)
        #expect(lengths == [1_048_576, 51_424])
    }

    // MARK: Contents

    private func cut(_ content: [UInt8], _ cutter: ChunkCutter) -> [Range<Int>] {
        var chunks: [Range<Int>] = []
        var start = 0
        while start < content.count {
            let window = start..<min(start + cutter.maximum, content.count)
            let length = cutter.length(of: content.span.extracting(window))
            chunks.append(start..<start + length)
            start += length
        }
        return chunks
    }

    private func noise(_ count: Int, _ seed: UInt64) -> [UInt8] {
        var random = Draws(seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    /// Lines of few words.
    private func text(_ count: Int, _ seed: UInt64) -> [UInt8] {
        let words = ["milk", "bread", "and", "the", "quick", "note", "\n", "of", "Monday"]
        var random = Draws(seed)
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += Array((words[random.next(below: 9)] + " ").utf8) }
        return Array(bytes[..<count])
    }

    /// Pages of 512 bytes with a head, some rows and zeros, as databases have.
    private func pages(_ count: Int, _ seed: UInt64) -> [UInt8] {
        var random = Draws(seed)
        var bytes: [UInt8] = []
        while bytes.count < count {
            var page = [UInt8](repeating: 0, count: 512)
            page[0] = 13
            let filled = random.next(below: 512)
            for index in (512 - filled)..<512 {
                page[index] = UInt8(truncatingIfNeeded: random.next())
            }
            bytes += page
        }
        return Array(bytes[..<count])
    }
}

/// Numbers that are the same in every run.
private struct Draws {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D >> 24
    }

    mutating func next(below bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
