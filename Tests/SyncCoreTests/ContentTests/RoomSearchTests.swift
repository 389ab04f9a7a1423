import SyncCore
import Testing

/// How often a device whose disk stays short looks at all its files.
@Suite struct RoomSearchTests {
    private let changed: Set<ItemID> = [ItemID(high: 0, low: 1)]

    private func moment(_ seconds: Int64) -> Instant {
        Instant(nanoseconds: seconds * 1_000_000_000)
    }

    /// Every 15 s for a day; gives how often all were looked at.
    private func looksOfADay(_ search: inout RoomSearch, choosing: Bool) -> Int {
        var count = 0
        for look in 0..<(24 * 3600 / 15) {
            let now = moment(Int64(look) * 15)
            switch search.begin(changed: changed, hasMadeRoom: false, at: now) {
            case .all: count += 1
            case .some(let items): #expect(items == changed)
            }
            search.end(hasChosen: choosing, at: now)
        }
        return count
    }

    @Test func whereNothingCanBeEvictedAllAreSeldomLookedAt() {
        var search = RoomSearch()
        #expect((20...40).contains(looksOfADay(&search, choosing: false)))
    }

    /// A file that somebody has open for ever, and is the one not used for longest.
    @Test func whatIsChosenInVainIsSeldomLookedForToo() {
        var search = RoomSearch()
        #expect((20...40).contains(looksOfADay(&search, choosing: true)))
    }

    @Test func whileRoomIsMadeAllAreLookedAt() {
        var search = RoomSearch()
        _ = looksOfADay(&search, choosing: true)
        let now = moment(24 * 3600 + 1)
        #expect(search.begin(changed: [], hasMadeRoom: true, at: now) == .all)
        search.end(hasChosen: false, at: now)
        #expect(search.begin(changed: [], hasMadeRoom: true, at: now) == .some([]))
        search.end(hasChosen: false, at: now)
        let later = now.advanced(milliseconds: RoomSearch.shortestPause)
        #expect(search.begin(changed: [], hasMadeRoom: false, at: later) == .all)
    }
}
