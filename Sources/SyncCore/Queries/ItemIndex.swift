/// Finds items by name, size and time of change without looking at the others.
///
/// A change costs the logarithm of the count. An item whose facts it has wrongly is found or missed
/// by them, so each change of an item must be told.
package struct ItemIndex: Sendable {
    private var keys: [ItemID: ItemKeys] = [:]
    private var names = SortedBlocks<Entry<Name>>()
    private var sizes = SortedBlocks<Entry<UInt64>>()
    private var dates = SortedBlocks<Entry<Double>>()

    package init(_ items: [(ItemID, ItemKeys)]) {
        keys.reserveCapacity(items.count)
        for (id, key) in items { keys[id] = key }
        names = Self.sorted(keys) { $0.name }
        sizes = Self.sorted(keys) { $0.size }
        dates = Self.sorted(keys) { $0.changed }
    }

    private static func sorted<Key: Comparable & Sendable>(
        _ keys: [ItemID: ItemKeys], _ key: (ItemKeys) -> Key
    ) -> SortedBlocks<Entry<Key>> {
        SortedBlocks(sorted: keys.map { Entry(key: key($0.value), id: $0.key) }.sorted())
    }

    package var count: Int { keys.count }
    package var ids: [ItemID] { Array(keys.keys) }

    package subscript(id: ItemID) -> ItemKeys? { keys[id] }

    /// Sets what is known of an item; nil for one that is gone.
    package mutating func set(_ id: ItemID, _ new: ItemKeys?) {
        let old = keys[id]
        guard old != new else { return }
        keys[id] = new
        Self.change(&names, id, from: old?.name, to: new?.name)
        Self.change(&sizes, id, from: old?.size, to: new?.size)
        Self.change(&dates, id, from: old?.changed, to: new?.changed)
    }

    private static func change<Key: Comparable & Sendable>(
        _ entries: inout SortedBlocks<Entry<Key>>, _ id: ItemID, from old: Key?, to new: Key?
    ) {
        guard old != new else { return }
        if let old { entries.remove(Entry(key: old, id: id)) }
        if let new { entries.insert(Entry(key: new, id: id)) }
    }

    private struct Entry<Key: Comparable & Sendable>: Comparable, Sendable {
        let key: Key
        let id: ItemID

        static func < (one: Self, other: Self) -> Bool {
            one.key < other.key || (one.key == other.key && one.id < other.id)
        }
    }
}

/// What the index has of an item.
package struct ItemKeys: Hashable, Sendable {
    package let folder: ItemID
    package let name: Name
    package let size: UInt64
    /// In seconds since 2001-01-01 00:00 UTC, as predicates have it.
    package let changed: Double

    package init(folder: ItemID, name: Name, size: UInt64, changed: FileTime) {
        self.folder = folder
        self.name = name
        self.size = size
        self.changed = changed.secondsSinceReferenceDate
    }
}

extension FileTime {
    /// As predicates have it.
    package var secondsSinceReferenceDate: Double {
        Double(seconds) + Double(nanoseconds) / 1_000_000_000 - 978_307_200
    }
}

// MARK: Candidates

extension ItemIndex {
    /// The items that meet all conditions of which there is an index; nil if there is none of any.
    package func candidates(_ constraints: [PredicateIndexConstraint]) -> [ItemID]? {
        let indexed = constraints.compactMap { IndexedRange($0) }
        var best: (range: IndexedRange, count: Int)?
        for range in indexed {
            let count = count(range)
            if count < best?.count ?? .max { best = (range, count) }
        }
        guard let best else { return nil }
        var found: Set<ItemID> = []
        visit(best.range) { id in
            guard let keys = keys[id], indexed.allSatisfy({ $0.contains(keys) }) else { return }
            found.insert(id)
        }
        return found.sorted()
    }

    private func count(_ range: IndexedRange) -> Int {
        range.stretches.reduce(0) { sum, stretch in
            sum
                + {
                    switch range.attribute {
                    case .name, .displayName: Self.count(names, stretch) { .string($0.bytes) }
                    case .size: Self.count(sizes, stretch) { $0.predicateSize }
                    case .changed: Self.count(dates, stretch) { .date($0) }
                    }
                }()
        }
    }

    private func visit(_ range: IndexedRange, _ body: (ItemID) -> Void) {
        for stretch in range.stretches {
            switch range.attribute {
            case .name, .displayName: Self.visit(names, stretch, { .string($0.bytes) }, body)
            case .size: Self.visit(sizes, stretch, { $0.predicateSize }, body)
            case .changed: Self.visit(dates, stretch, { .date($0) }, body)
            }
        }
    }

    private static func count<Key>(
        _ entries: SortedBlocks<Entry<Key>>, _ stretch: IndexedStretch,
        _ value: (Key) -> PredicateValue
    ) -> Int {
        let (start, end) = places(entries, stretch, value)
        return entries.count(from: start, to: end)
    }

    private static func visit<Key>(
        _ entries: SortedBlocks<Entry<Key>>, _ stretch: IndexedStretch,
        _ value: (Key) -> PredicateValue, _ body: (ItemID) -> Void
    ) {
        let (start, end) = places(entries, stretch, value)
        entries.forEach(from: start, to: end) { body($0.id) }
    }

    private static func places<Key>(
        _ entries: SortedBlocks<Entry<Key>>, _ stretch: IndexedStretch,
        _ value: (Key) -> PredicateValue
    ) -> (SortedBlocks<Entry<Key>>.Place, SortedBlocks<Entry<Key>>.Place) {
        (
            entries.firstPlace { stretch.position(of: value($0.key)) != .before },
            entries.firstPlace { stretch.position(of: value($0.key)) == .after }
        )
    }
}

extension UInt64 {
    /// As predicates have a size.
    var predicateSize: PredicateValue { .integer(Int64(clamping: self)) }
}
