/// What queries need of the replica.
extension Replica {
    /// What an index has of an item; nil for one that no listing shows.
    package func keys(of id: ItemID) -> ItemKeys? {
        guard id != .top, let record = nodes[id]?.record else { return nil }
        if let base = record.base {
            return ItemKeys(
                folder: base.slot.folder, name: base.ownSlot.name, size: base.facts.size,
                changed: base.facts.modified)
        }
        guard let remote = record.remote, remote.standing == .placed,
            let bytes = vault.open(remote.placement.name), let name = Name(bytes)
        else { return nil }
        let facts = remote.heads.first.flatMap { known($0.version, of: id)?.facts }
        return ItemKeys(
            folder: resolve(remote.placement.folder), name: name, size: facts?.size ?? 0,
            changed: facts?.modified ?? FileTime(seconds: 0, nanoseconds: 0))
    }

    /// An index of all items that there are now.
    package func makeIndex() -> ItemIndex {
        ItemIndex(nodes.keys.compactMap { id in keys(of: id).map { (id, $0) } })
    }

    /// Everything below a folder, in no order.
    package func descendants(of folder: ItemID) -> [ItemID] {
        var found: [ItemID] = []
        var open = [folder]
        while let next = open.popLast() {
            let first = found.count
            if let children = slots[next] { found.append(contentsOf: children.values) }
            for id in remoteChildren[next] ?? [] where base(id) == nil { found.append(id) }
            open.append(contentsOf: found[first...])
        }
        return found
    }
}
