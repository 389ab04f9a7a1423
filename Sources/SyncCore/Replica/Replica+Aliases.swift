extension [ItemID: ItemID] {
    /// Without those that lead back to themselves, as only rows that are damaged do.
    package var withoutCircles: [ItemID: ItemID] {
        var sound = self
        // Those of which it is known that they end.
        var ending: Set<ItemID> = []
        for item in keys.sorted() {
            var way: Set<ItemID> = []
            var next = item
            while let holder = sound[next], !ending.contains(next) {
                guard way.insert(next).inserted else {
                    sound[next] = nil
                    break
                }
                next = holder
            }
            ending.formUnion(way)
        }
        return sound
    }
}

/// A created item that was taken into the holder of its name.
extension Replica {
    mutating func alias(_ id: ItemID, of holder: ItemID) {
        // Whoever says that two items hold each other says nothing.
        guard id != holder, resolve(holder) != id else { return }
        aliases[id] = holder
        changes.append(.alias(id, of: holder))
        guard let node = nodes[id] else { return }
        if nodes[holder] == nil {
            nodes[holder] = Node(
                record: NodeRecord(
                    kind: node.record.kind, remote: nil, versions: [], base: nil, installing: nil))
        }
        if let loss = node.record.loss { inherit(loss, from: id, by: holder) }
        if node.record.base != nil { setBase(id, nil) }
        dropWork(in: id)
        nodes[holder]?.pending += node.pending
        nodes[holder]?.lastEdit = node.lastEdit
        nodes[holder]?.record.versions.append(contentsOf: node.record.versions)
        nodes[id] = nil
        changedNodes.insert(id)
        let isElsewhere = base(holder) != nil
        let heir = isElsewhere ? ghostID(of: id) : holder
        disk.rename(id, to: heir)
        moveMembers(of: id, to: heir)
        guard let base = node.record.base else { return }
        if let placeholder = self.base(holder), placeholder.isAside, nodes[holder]?.job == nil {
            // What was saved where a placeholder stands is the item's file; that one goes.
            setBase(holder, base)
            haunt(heir, kind: node.record.kind, placeholder, of: holder)
            endEviction(of: holder)
        } else if isElsewhere {
            haunt(heir, kind: node.record.kind, base, of: holder)
        } else {
            setBase(holder, base)
        }
        watchAgain(heir, node.record.kind, base.slot)
        dirtyItems.insert(holder)
    }

    /// In another history the item is one of its own: what is to be sent of it is not the holder's
    /// any more.
    mutating func separate(_ id: ItemID) {
        guard aliases[id] != nil else { return }
        endAlias(id)
        countPending()
    }

    mutating func endAlias(_ id: ItemID) {
        aliases[id] = nil
        changes.append(.alias(id, of: nil))
    }

    /// Counts anew what each item has in the outbox.
    mutating func countPending() {
        for id in nodes.keys.sorted() { nodes[id]?.pending = 0 }
        for (_, entry) in outbox.all {
            if let item = entry.body.item { nodes[resolve(item)]?.pending += 1 }
        }
    }

    /// What the account has lost of it is offered as the holder's; all of it after what was made
    /// meanwhile if both have lost something, as neither has entries reserved for two.
    private mutating func inherit(_ loss: Loss, from id: ItemID, by holder: ItemID) {
        losses.remove(id)
        if let own = nodes[holder]?.record.loss {
            let versions = own.versions + loss.versions.filter { !own.versions.contains($0) }
            nodes[holder]?.record.loss = Loss(
                versions: versions, placement: own.placement, entry: progress.lastEntry + 1)
            progress.lastEntry += UInt64(versions.count)
        } else {
            nodes[holder]?.record.loss = loss
        }
        losses.insert(holder)
        offers.insert(holder)
        changedNodes.insert(holder)
    }

    /// What is under way under the old id begins again under the new one.
    private mutating func dropWork(in id: ItemID) {
        disk.listing.remove(id)
        retries[id] = nil
        for slot in reading.keys where slot.folder == id { reading[slot] = nil }
        for slot in contents.keys where slot.folder == id { contents[slot] = nil }
        for slot in waiting.keys.sorted() where slot.folder == id {
            for waiter in (waiting.removeValue(forKey: slot) ?? []).sorted() {
                dirtyItems.insert(waiter)
            }
        }
    }

    private mutating func moveMembers(of id: ItemID, to heir: ItemID) {
        move(slots[id] ?? [:], to: heir)
    }

    private mutating func move(_ members: TreeTable<Name, ItemID>, to heir: ItemID) {
        for (name, child) in members.sorted(by: { $0.key < $1.key }) {
            guard var base = base(child) else { continue }
            base.slot = Slot(folder: heir, name: name)
            setBase(child, base)
            dirtyItems.insert(child)
        }
    }

    /// A folder is watched under its new id.
    private mutating func watchAgain(_ id: ItemID, _ kind: Kind, _ slot: Slot) {
        guard kind == .folder, let path = path(of: slot) else { return }
        disk.drop(id)
        listFolder(id, at: path)
    }
}

// MARK: - Ghosts

/// The holder is on this disk under another name: what was made under its new name before that was
/// heard of stands in its way.
///
/// It is kept as a ghost: an item of this disk alone, which the account knows as the holder. What
/// is in a ghost folder moves over to the holder, its place in the account; the bytes of a ghost
/// file are one of the holder's heads. Then the ghost goes, judged like every removal, and the
/// holder takes the name.
extension Replica {
    private func ghostID(of id: ItemID) -> ItemID {
        // The flipped bits of an id are no other item's.
        ItemID(high: ~id.high, low: ~id.low)
    }

    /// The ghosts on this disk that stand for an item.
    func ghosts(of holder: ItemID) -> [ItemID] {
        aliases.keys.filter { resolve($0) == holder }.map(ghostID).filter {
            self.holder(ofGhost: $0) == holder
        }.sorted()
    }

    private mutating func haunt(
        _ ghost: ItemID, kind: Kind, _ base: BaseState, of holder: ItemID
    ) {
        let head = Head(
            version: VersionID(high: ghost.high, low: ghost.low), hasContent: false)
        let placement = Placement(
            id: base.placement, replaces: nil, folder: holder,
            tag: vault.tag(base.slot.name.bytes), name: vault.seal(base.slot.name.bytes))
        let remote = ItemState(
            id: ghost, kind: kind, standing: .trashed, placement: placement, heads: [head],
            changed: 0)
        nodes[ghost] = Node(
            record: NodeRecord(
                kind: kind, remote: remote, versions: [], base: nil, installing: nil))
        setBase(ghost, base)
        dirtyItems.insert(ghost)
    }

    /// The item that a ghost stands for; nil for what is none.
    func holder(ofGhost id: ItemID) -> ItemID? {
        guard let remote = nodes[id]?.record.remote, let head = remote.heads.first,
            head.version == VersionID(high: id.high, low: id.low)
        else { return nil }
        return resolve(remote.placement.folder)
    }

    /// A ghost that was written to: its file is no head of the holder, but something new.
    mutating func release(ghost id: ItemID) {
        guard let base = base(id) else { return }
        setBase(id, nil)
        touch(base.slot)
        forgetIfGone(id)
    }

    /// The holder is not on this disk any more: the folder of its ghost is its folder now.
    ///
    /// What is in it waited for the holder's, which could not be made in its place.
    mutating func inherit(_ ghost: ItemID, _ holder: ItemID) -> Bool {
        guard let base = base(ghost), nodes[ghost]?.record.kind == .folder,
            nodes[ghost]?.job == nil, nodes[holder]?.record.kind == .folder
        else { return false }
        setBase(ghost, nil)
        disk.rename(ghost, to: holder)
        adopt(holder, base.slot, base.facts, base.stamp)
        moveMembers(of: ghost, to: holder)
        forgetIfGone(ghost)
        watchAgain(holder, .folder, base.slot)
        return true
    }

    /// The holder's folder lies in its ghost's, which is in its way: they change parts, and what is
    /// now the ghost's moves over.
    mutating func exchangeIfWithin(_ ghost: ItemID, holder id: ItemID) -> Bool {
        guard holder(ofGhost: ghost) == id, let outer = base(ghost), let inner = base(id),
            !inner.isParked, nodes[ghost]?.record.kind == .folder, nodes[ghost]?.job == nil,
            nodes[id]?.job == nil,
            outermost(between: ghost, and: inner.slot.folder) != nil
                || inner.slot.folder == ghost
        else { return false }
        let outerMembers = (slots[ghost] ?? [:]).filter { $0.value != id }
        let innerMembers = slots[id] ?? [:]
        for folder in [ghost, id] {
            setBase(folder, nil)
            dropWork(in: folder)
            disk.drop(folder)
        }
        adopt(id, outer.slot, outer.facts, outer.stamp)
        var nested = inner
        if inner.slot.folder == ghost { nested.slot = Slot(folder: id, name: inner.slot.name) }
        setBase(ghost, nested)
        move(outerMembers, to: id)
        move(innerMembers, to: ghost)
        for folder in [id, ghost] {
            if let path = path(of: folder) { listFolder(folder, at: path) }
            dirtyItems.insert(folder)
        }
        return true
    }

    /// A ghost folder that a person deleted: what was in it is deleted one by one.
    mutating func vanish(ghost id: ItemID) {
        for (_, member) in (slots[id] ?? [:]).sorted(by: { $0.key < $1.key }) { vanish(member) }
        disk.drop(id)
        actions.append(.unwatch(folder: id))
        setBase(id, nil)
        forgetIfGone(id)
    }
}
