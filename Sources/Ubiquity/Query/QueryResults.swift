import Foundation
import SyncCore
import SyncWire

/// The items that a query has found, in its order.
struct QueryResults {
    /// Each item's position in `order` follows the sort descriptors.
    private(set) var order: [NSMetadataItem] = []
    private var items: [ItemID: NSMetadataItem] = [:]

    /// What is looked for.
    struct Conditions: @unchecked Sendable {
        var predicate: NSPredicate
        var scope: QueryScope
        var sort: [NSSortDescriptor]
        var session: DeviceSession

        /// Nil if the item is none that is looked for.
        fileprivate func facts(_ row: ItemRow) -> ItemFacts? {
            guard scope.contains(row.path), let facts = ItemFacts(row, session: session) else {
                return nil
            }
            return predicate.evaluate(with: NSMetadataItem(facts)) ? facts : nil
        }
    }

    /// What an update notification tells.
    struct Changes {
        var added: [NSMetadataItem] = []
        var changed: [NSMetadataItem] = []
        var removed: [NSMetadataItem] = []

        var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
    }

    mutating func gather(_ rows: [ItemRow], _ conditions: Conditions) {
        for row in rows {
            guard let facts = conditions.facts(row) else { continue }
            items[row.item] = NSMetadataItem(facts)
        }
        sort(conditions)
    }

    /// Takes what has changed in several steps as one; each item is told of once.
    mutating func apply(
        changed rows: [ItemID: ItemRow], removed: Set<ItemID>, _ conditions: Conditions
    ) -> Changes {
        var changes = Changes()
        for id in removed {
            if let item = items.removeValue(forKey: id) { changes.removed.append(item) }
        }
        for (id, row) in rows {
            let facts = conditions.facts(row)
            switch (items[id], facts) {
            case (let item?, let facts?):
                item.become(facts)
                changes.changed.append(item)
            case (let item?, nil):
                // It tells what made it leave.
                if let facts = ItemFacts(row, session: conditions.session) { item.become(facts) }
                items[id] = nil
                changes.removed.append(item)
            case (nil, let facts?):
                let item = NSMetadataItem(facts)
                items[id] = item
                changes.added.append(item)
            case (nil, nil): break
            }
        }
        if !changes.isEmpty { sort(conditions) }
        return changes
    }

    /// Without descriptors, or where they see no difference, by path.
    private mutating func sort(_ conditions: Conditions) {
        let keyed = items.values.map { ($0, $0.current.row.path) }
            .sorted { $0.1.lexicographicallyPrecedes($1.1) }
        let byPath = keyed.map(\.0)
        guard !conditions.sort.isEmpty else {
            order = byPath
            return
        }
        // Swift's sort is stable.
        order = byPath.sorted { one, other in
            for descriptor in conditions.sort {
                switch descriptor.compare(one, to: other) {
                case .orderedAscending: return true
                case .orderedDescending: return false
                case .orderedSame: continue
                }
            }
            return false
        }
    }
}
