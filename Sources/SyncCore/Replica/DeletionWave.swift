/// The deletions in one container that came shortly after each other.
struct DeletionWave: Sendable {
    /// Moments at which items went, some milliseconds apart, and how many did.
    private var recent: [(at: Instant, count: Int)] = []
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

    /// Items that went within ``span``.
    var count: Int { recent.reduce(0) { $0 + $1.count } }

    /// Entries of the outbox have got other numbers.
    mutating func renumber(_ ids: [UInt64: UInt64]) { entries = entries.compactMap { ids[$0] } }

    mutating func add(_ count: Int, entry: UInt64, at now: Instant) {
        recent.removeAll { now.milliseconds(since: $0.at) >= DeletionWave.span }
        if recent.isEmpty { self = DeletionWave() }
        entries.append(entry)
        if let last = recent.last, now.milliseconds(since: last.at) < 500 {
            recent[recent.count - 1].count += count
        } else {
            recent.append((now, count))
        }
    }
}
