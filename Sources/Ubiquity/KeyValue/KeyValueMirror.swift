import SyncWire

/// What a program sees of a key-value store: the daemon's values, under its own writes that the
/// daemon has not acknowledged.
///
/// Keys are bytes: two keys that Swift's Strings take for equal are two keys.
struct KeyValueMirror: Sendable {
    /// As the daemon told them last.
    private(set) var values: [[UInt8]: [UInt8]] = [:]
    private(set) var pending: [[UInt8]: Pending] = [:]
    private var lastNumber: UInt64 = 0

    struct Pending: Hashable, Sendable {
        /// Nil removes the key.
        var value: [UInt8]?
        /// In the order of the writes.
        var number: UInt64
        /// It is in the file of writes that wait for a daemon, whoever brings them there.
        var isKept: Bool
    }

    init(values: [[UInt8]: [UInt8]] = [:], kept: [[UInt8]: [UInt8]?] = [:]) {
        self.values = values
        for (key, value) in kept { pending[key] = Pending(value: value, number: 0, isKept: true) }
    }

    subscript(key: [UInt8]) -> [UInt8]? {
        if let write = pending[key] { return write.value }
        return values[key]
    }

    /// All that is visible.
    var all: [[UInt8]: [UInt8]] {
        pending.reduce(into: values) { all, write in all[write.key] = write.value.value }
    }

    // MARK: Own writes

    /// False if the key has this value already.
    mutating func set(_ value: [UInt8]?, for key: [UInt8]) -> Bool {
        guard self[key] != value else { return false }
        lastNumber += 1
        pending[key] = Pending(value: value, number: lastNumber, isKept: false)
        return true
    }

    /// The oldest write that has not gone out.
    var next: (key: [UInt8], write: Pending)? {
        pending.filter { !$0.value.isKept }.min { $0.value.number < $1.value.number }
            .map { ($0.key, $0.value) }
    }

    /// The daemon has it; a later write of the same key stays.
    mutating func acknowledge(_ key: [UInt8], _ write: Pending) {
        values[key] = write.value
        if pending[key]?.number == write.number { pending[key] = nil }
    }

    /// The daemon does not take it: its own value shows again.
    mutating func refuse(_ key: [UInt8], _ write: Pending) {
        if pending[key]?.number == write.number { pending[key] = nil }
    }

    mutating func keep(_ key: [UInt8], _ write: Pending) {
        if pending[key]?.number == write.number { pending[key]?.isKept = true }
    }

    /// The file of kept writes was brought to the daemon, by this program or by another.
    mutating func dropKept(_ sent: [[UInt8]: [UInt8]?]) {
        for (key, write) in pending where write.isKept {
            pending[key] = nil
            if let value = sent[key] { values[key] = value }
        }
    }

    // MARK: From elsewhere

    /// The keys whose visible value has changed by it, sorted.
    mutating func take(listing: [KeyValueRow]) -> [[UInt8]] {
        let before = all
        values = Dictionary(listing.map { ($0.key, $0.value) }) { $1 }
        let now = all
        return Set(before.keys).union(now.keys).filter { before[$0] != now[$0] }.sorted()
    }

    mutating func take(_ news: [[UInt8]: [UInt8]?]) -> [[UInt8]] {
        var changed: [[UInt8]] = []
        for (key, value) in news {
            let before = self[key]
            values[key] = value
            if self[key] != before { changed.append(key) }
        }
        return changed.sorted()
    }
}

extension Sequence where Element == [UInt8] {
    fileprivate func sorted() -> [[UInt8]] { sorted { $0.lexicographicallyPrecedes($1) } }
}
