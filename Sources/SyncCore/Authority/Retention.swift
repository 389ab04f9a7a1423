/// How long an account keeps what is not current, in collections: days of a running server.
package struct Retention: Hashable, Sendable {
    /// How many collections a version, or a value, is kept after it was replaced.
    package var replaced: UInt64
    /// How many collections a deleted item can be restored, whatever ``replaced`` says.
    package static var deleted: UInt64 { 30 }
    /// After so many collections without a word, what a device has installed does not count.
    package static var silence: UInt64 { 365 }

    package init(replaced: UInt64 = 30) { self.replaced = replaced }
}

/// When a collection is due: the running time that a server has had since the last.
///
/// It is counted by a clock that never jumps, and durable, so that neither a wrong wall clock nor
/// many short runs make anything older than it is.
package struct CollectionClock: Hashable, Sendable {
    /// Collections made.
    package private(set) var collections: UInt64
    /// Milliseconds of running time since the last collection.
    package private(set) var ran: UInt64
    private var last: Moment?

    package static var day: UInt64 { 86_400_000 }
    /// A longer stretch between two readings of the clock is not believed: the machine slept.
    package static var longestStretch: UInt64 { 3_600_000 }

    package init(collections: UInt64 = 0, ran: UInt64 = 0) {
        self.collections = collections
        self.ran = ran
    }

    /// Counts the time since the last reading.
    package mutating func read(_ now: Moment, _ mutant: Mutant? = nil) {
        defer { last = now }
        guard let last else { return }
        if mutant == .expiryByWallClock {
            ran += UInt64(max(0, now.wall.milliseconds - last.wall.milliseconds))
            return
        }
        let passed = UInt64(max(0, now.steady.milliseconds(since: last.steady)))
        ran += min(passed, CollectionClock.longestStretch)
    }

    /// The number of the collection that is due; nil if none is.
    package var due: UInt64? { ran >= CollectionClock.day ? collections + 1 : nil }

    /// The collection that was due is made.
    package mutating func made() {
        collections += 1
        ran -= min(ran, CollectionClock.day)
    }
}
