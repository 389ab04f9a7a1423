import SyncCore
import SyncWire

/// What the programs' queries rest on: an index, made when the first one asks, and what changed.
struct QueriedItems {
    private(set) var index: ItemIndex?
    /// Somebody wants to hear of changes.
    var isWatched = false
    /// Items whose rows may be others now, and items that are gone.
    private var changed: Set<ItemID> = []

    /// The index is made once, and kept with each change from then on.
    mutating func prepare(_ replica: Replica) {
        if index == nil { index = replica.makeIndex() }
    }

    mutating func note(_ changes: [ReplicaChange], _ replica: Replica) {
        guard index != nil else { return }
        for case .node(let id, let record) in changes {
            let old = index?[id]
            let new = replica.keys(of: id)
            index?.set(id, new)
            guard isWatched else { continue }
            changed.insert(id)
            // What is in a folder that has moved has another path.
            guard let old, let new, record?.kind == .folder || record?.kind == .package,
                old.folder != new.folder || old.name != new.name
            else { continue }
            changed.formUnion(replica.descendants(of: id))
        }
    }

    mutating func note(_ id: ItemID) {
        if isWatched { changed.insert(id) }
    }

    mutating func takeChanged() -> [ItemID] {
        defer { changed = [] }
        return changed.sorted()
    }
}

extension Session {
    /// The item as programs see it; nil if no listing shows it.
    func listedRow(_ id: ItemID) -> ItemRow? {
        guard replica.keys(of: id) != nil else { return nil }
        return replica.view(of: id).map { ItemRow($0) }
    }
}
