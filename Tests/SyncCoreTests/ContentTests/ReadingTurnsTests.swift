import SyncCore
import Testing

/// Whose turn it is of the files that are read.
@Suite struct ReadingTurnsTests {
    private let mebibyte: UInt64 = 1_048_576

    @Test func aShortFileDoesNotWaitForALongOne() {
        var turns = ReadingTurns()
        turns.insert(1, bytes: 10_000_000 * mebibyte)
        #expect(turns.next() == 1)
        #expect(turns.next() == 1)
        turns.insert(2, bytes: mebibyte)
        turns.insert(3, bytes: 100 * mebibyte)
        #expect((0..<3).map { _ in turns.next() }.contains(2))
        #expect(Set((0..<3).map { _ in turns.next() }) == [1, 2, 3])
        turns.end(2)
        #expect(Set((0..<2).map { _ in turns.next() }) == [1, 3])
        turns.end(3)
        turns.end(1)
        #expect(turns.next() == nil)
        #expect(turns.isEmpty)
    }

    @Test func filesOfOneMagnitudeGoOneAfterTheOther() {
        var turns = ReadingTurns()
        for reading in 1...3_000 { turns.insert(UInt64(reading), bytes: mebibyte) }
        turns.insert(5_000, bytes: 9 * mebibyte)
        for reading in 1...3_000 {
            #expect(!turns.isEmpty)
            #expect(Set([turns.next(), turns.next()]) == [UInt64(reading), 5_000])
            turns.end(UInt64(reading))
        }
        #expect(turns.next() == 5_000)
    }

    @Test func nothingIsBegunAgain() {
        var turns = ReadingTurns()
        turns.insert(1, bytes: 0)
        #expect(turns.next() == 1)
        turns.end(1)
        turns.end(1)
        #expect(turns.isEmpty)
        #expect(turns.next() == nil)
    }
}
