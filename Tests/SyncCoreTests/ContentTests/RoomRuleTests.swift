import SyncCore
import Testing

/// Which files are evicted for room.
@Suite struct RoomRuleTests {
    private func candidate(_ number: UInt64, _ size: UInt64, used: Int64) -> RoomRule.Candidate {
        RoomRule.Candidate(
            item: ItemID(high: 0, low: number), size: size,
            used: FileTime(seconds: used, nanoseconds: 0))
    }

    private func chosen(free: UInt64, wanted: UInt64) -> [UInt64] {
        let candidates = [
            candidate(1, 100_000, used: 30), candidate(2, 100_000, used: 10),
            candidate(3, 4_096, used: 1), candidate(4, 50_000, used: 20),
        ]
        return RoomRule.choose(candidates, free: free, wanted: wanted).map(\.low)
    }

    @Test func nothingGoesWhileThereIsRoom() {
        #expect(chosen(free: 10, wanted: 10) == [])
    }

    @Test func whatWasNotUsedForLongestGoesFirst() {
        #expect(chosen(free: 0, wanted: 1) == [2])
        #expect(chosen(free: 0, wanted: 100_000) == [2, 4])
        #expect(chosen(free: 0, wanted: 200_000) == [2, 4, 1])
    }

    @Test func whatFreesNothingStays() {
        #expect(chosen(free: 0, wanted: .max) == [2, 4, 1])
    }
}
