// The tables that hold a replica's trees.
//
// In a build with TREE_COUNTS, as every debug build is, they count what is read and written of
// them; in any other they are dictionaries, and there is nothing to pay.

#if TREE_COUNTS
typealias TreeTable = CountedTable
#else
typealias TreeTable = Dictionary
#endif

/// Counts the entries of replicas' trees that some work reads or writes.
package enum TreeTally {
    /// Nil in a build that does not count.
    package static func touched(by work: () -> Void) -> Int? {
        #if TREE_COUNTS
        let count = TreeCount()
        TreeCount.$current.withValue(count) { work() }
        return count.value
        #else
        work()
        return nil
        #endif
    }
}

#if TREE_COUNTS
/// Only who counts has one, on one thread.
final class TreeCount: @unchecked Sendable {
    @TaskLocal static var current: TreeCount?
    private(set) var value = 0

    static func add(_ count: Int = 1) { current?.value += count }
}

/// A dictionary that counts the entries that are read and written.
struct CountedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var entries: [Key: Value]

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    subscript(key: Key) -> Value? {
        get {
            TreeCount.add()
            return entries[key]
        }
        _modify {
            TreeCount.add()
            yield &entries[key]
        }
    }

    subscript(key: Key, default value: @autoclosure () -> Value) -> Value {
        get { self[key] ?? value() }
        _modify {
            TreeCount.add()
            yield &entries[key, default: value()]
        }
    }

    mutating func removeValue(forKey key: Key) -> Value? {
        TreeCount.add()
        return entries.removeValue(forKey: key)
    }

    mutating func reserveCapacity(_ count: Int) { entries.reserveCapacity(count) }
}

// What goes through all of them counts all.
extension CountedTable: Sequence {
    func makeIterator() -> [Key: Value].Iterator { all.makeIterator() }

    var keys: [Key: Value].Keys { all.keys }
    var values: [Key: Value].Values { all.values }

    func filter(_ isSo: ((key: Key, value: Value)) -> Bool) -> CountedTable {
        CountedTable(entries: all.filter { isSo(($0.key, $0.value)) })
    }

    func compactMapValues<Other>(_ transform: (Value) -> Other?) -> [Key: Other] {
        all.compactMapValues(transform)
    }

    private var all: [Key: Value] {
        TreeCount.add(entries.count)
        return entries
    }
}

extension CountedTable: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (Key, Value)...) {
        entries = Dictionary(uniqueKeysWithValues: elements)
    }
}
#endif
