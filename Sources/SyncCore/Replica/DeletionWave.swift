/// The deletions in one container that came shortly after each other.
struct DeletionWave: Sendable {
    /// Items that went some milliseconds apart, with the moment of the first.
    private var recent: [(at: Instant, items: [ItemID])] = []
    /// Those that went within ``span`` and have not come back, with the moment under which they are
    /// in ``recent``.
    private var gone: [ItemID: Instant] = [:]
    /// The outbox entries that tell of them.
    private(set) var entries: [UInt64] = []
    /// Items in the container when the wave was found to be a large one.
    var itemsBefore: Int?
    /// When it is known not to be over half; nil while it is not large, or is over half.
    var restsAt: Instant?
    var isOverHalf = false

    static var span: Int64 { 60_000 }
    static var mostItems: Int { 100 }
    static var rest: Int64 { 2_000 }

    /// Items that went within ``span`` and are still gone.
    var count: Int { gone.count }

    /// Entries of the outbox have got other numbers.
    mutating func renumber(_ ids: [UInt64: UInt64]) { entries = entries.compactMap { ids[$0] } }

    mutating func add(_ items: [ItemID], entry: UInt64, at now: Instant) {
        forgetOld(at: now)
        if recent.isEmpty { self = DeletionWave() }
        entries.append(entry)
        var moment = now
        if let last = recent.last, now.milliseconds(since: last.at) < 500 {
            moment = last.at
            recent[recent.count - 1].items += items
        } else {
            recent.append((now, items))
        }
        for item in items { gone[item] = moment }
    }

    private mutating func forgetOld(at now: Instant) {
        for old in recent where now.milliseconds(since: old.at) >= DeletionWave.span {
            for item in old.items where gone[item] == old.at { gone[item] = nil }
        }
        recent.removeAll { now.milliseconds(since: $0.at) >= DeletionWave.span }
    }

    /// It was brought back: it counts no more, and once if it goes again.
    mutating func noteReturn(of item: ItemID) { gone[item] = nil }
}
