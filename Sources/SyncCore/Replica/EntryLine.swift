/// Numbers of outbox entries in an order, mostly added at its end and taken from its front.
///
/// What was taken from the front stays until it is much: thousands leave one after the other, and
/// moving the rest each time would cost their square.
struct EntryLine: Sendable {
    private var stored: [UInt64]
    private var first = 0

    init(_ ids: [UInt64]) { stored = ids }

    var ids: ArraySlice<UInt64> { stored[first...] }

    mutating func append(_ id: UInt64) { stored.append(id) }

    /// Before the first that is greater.
    mutating func insert(_ id: UInt64) {
        stored.insert(id, at: ids.firstIndex { $0 > id } ?? stored.count)
    }

    mutating func remove(_ id: UInt64) {
        guard let place = ids.firstIndex(of: id) else { return }
        guard place == first else {
            stored.remove(at: place)
            return
        }
        first += 1
        if first > EntryLine.slack, first > stored.count / 2 {
            stored.removeFirst(first)
            first = 0
        }
    }

    private static var slack: Int { 256 }
}
