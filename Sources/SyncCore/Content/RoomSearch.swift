/// Among which files room is looked for on a disk that stays short.
///
/// Where nothing could be evicted, all files are not looked at again and again: only those that
/// have changed since, and now and then all, as what keeps a file here can end unseen.
package struct RoomSearch: Hashable, Sendable {
    package enum Scope: Hashable, Sendable {
        case all
        case some(Set<ItemID>)
    }

    /// When all are looked at next; nil for at once.
    private var nextOfAll: Instant?
    private var pause = RoomSearch.shortestPause
    private var isOfAll = false
    private var hasChosen = false

    /// In milliseconds.
    package static let shortestPause: Int64 = 15_000
    package static let longestPause: Int64 = 3_600_000

    package init() {}

    /// Begins a look; `hasMadeRoom` if of what the last one chose something is evicted by now.
    package mutating func begin(
        changed: Set<ItemID>, hasMadeRoom: Bool, at now: Instant
    ) -> Scope {
        if hasChosen, hasMadeRoom { self = RoomSearch() }
        isOfAll = nextOfAll.map { $0 <= now } ?? true
        return isOfAll ? .all : .some(changed)
    }

    /// Ends it.
    package mutating func end(hasChosen: Bool, at now: Instant) {
        self.hasChosen = hasChosen
        guard isOfAll else { return }
        nextOfAll = now.advanced(milliseconds: pause)
        pause = min(pause * 2, RoomSearch.longestPause)
    }
}
