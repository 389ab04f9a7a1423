/// Containers and their `Documents`: what becomes of them on a disk is never told to others.
extension Replica {
    /// The containers and their `Documents` stand or fall with the disk: they are never deleted by
    /// an operation.
    func isRoot(_ slot: Slot) -> Bool {
        if slot.folder == .top { return true }
        guard baseSlot(slot.folder)?.folder == .top else { return false }
        return slot.name == Replica.documents
    }

    func isRoot(item id: ItemID) -> Bool { base(id).map { isRoot($0.slot) } ?? false }

    /// Whether a folder lies in a root that is gone, replaced, or was found empty.
    func isUnavailable(_ folder: ItemID) -> Bool {
        var id = folder
        var place = baseSlot(id)
        while id != .top, let slot = place {
            let above = slot.folder == .top ? nil : baseSlot(slot.folder)
            let isRoot =
                slot.folder == .top
                || above?.folder == .top && slot.name == Replica.documents
            if isRoot, !isThere(id, at: slot) { return true }
            id = slot.folder
            place = above
        }
        return false
    }

    /// A root that held something and is empty when it is first looked at: a disk that is not
    /// mounted, or a copy that is not complete.
    mutating func noteEmptied(_ folder: ItemID, _ entries: [Sighting]) {
        guard isRoot(item: folder), disk.folders[folder] == nil else { return }
        guard confirmedRoots.remove(folder) == nil, mutant != .emptyRootDeletes else {
            return setEmptied(folder, nil)
        }
        let hasAny = entries.contains {
            !IgnoredNames.contains($0.slot.name) && !returned.contains($0.slot)
        }
        guard !hasAny, !emptiedRoots.contains(folder), holds(folder) else { return }
        setEmptied(folder, UInt64(slots[folder]?.count ?? 0))
    }

    /// Durable: what is put into the root later must not make it look complete to the next start.
    mutating func setEmptied(_ root: ItemID, _ held: UInt64?) {
        guard nodes[root]?.record.heldWhenEmptied != held else { return }
        nodes[root]?.record.heldWhenEmptied = held
        changedNodes.insert(root)
        if held == nil { emptiedRoots.remove(root) } else { emptiedRoots.insert(root) }
    }

    /// Whether something belongs into a folder that this disk has had there.
    ///
    /// What the account has deleted or moved away may have been taken out and not recorded; where
    /// this device has something to say of it yet, the account's word is an old one.
    private func holds(_ folder: ItemID) -> Bool {
        (slots[folder] ?? [:]).values.contains { id in
            guard let node = nodes[id], node.pending == 0, let remote = node.record.remote else {
                return true
            }
            return remote.standing == .placed && resolve(remote.placement.folder) == folder
        }
    }

    /// Containers, and their `Documents`, that are not what they were: nothing in them is touched.
    func missingRoots() -> [LocalPath] {
        guard disk.isListed(.top) else { return [] }
        var missing: [LocalPath] = []
        for (name, container) in (slots[.top] ?? [:]).sorted(by: { $0.key < $1.key }) {
            if !isThere(container, at: Slot(folder: .top, name: name)) {
                missing.append(LocalPath(names: [name]))
                continue
            }
            let documents = Slot(folder: container, name: Replica.documents)
            guard disk.isListed(container), let item = item(at: documents) else { continue }
            if !isThere(item, at: documents) {
                missing.append(LocalPath(names: [name, Replica.documents]))
            }
        }
        return missing
    }

    /// Whether an item is, or belongs into, a root that was looked for and is not what it was.
    package func isInMissingRoot(_ item: ItemID) -> Bool {
        var id = item
        for _ in 0..<4_096 where id != .top {
            if let base = base(id) {
                let isLookedFor = isRoot(base.slot) && disk.isListed(base.slot.folder)
                if isLookedFor, !isThere(id, at: base.slot) { return true }
                id = base.slot.folder
            } else if let remote = nodes[id]?.record.remote {
                id = resolve(remote.placement.folder)
            } else {
                return false
            }
        }
        return false
    }

    /// Whether there is one among ``missingRoots()``.
    package var isARootMissing: Bool {
        guard disk.isListed(.top), let containers = slots[.top] else { return false }
        for (name, container) in containers {
            guard isThere(container, at: Slot(folder: .top, name: name)) else { return true }
            let documents = Slot(folder: container, name: Replica.documents)
            guard disk.isListed(container), let item = item(at: documents) else { continue }
            guard isThere(item, at: documents) else { return true }
        }
        return false
    }

    /// The root's own folder is at its name, and not another one in its place.
    private func isThere(_ id: ItemID, at slot: Slot) -> Bool {
        guard let entry = disk[slot] else { return false }
        if emptiedRoots.contains(id) { return false }
        return entry.stamp.identity == nodes[id]?.record.base?.stamp.identity
            || dirtySlots.since[slot] != nil
    }
}
