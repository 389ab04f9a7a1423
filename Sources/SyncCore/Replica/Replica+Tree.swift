/// The base and remote trees, kept with their indices.
extension Replica {
    func resolve(_ id: ItemID) -> ItemID {
        var id = id
        while let holder = aliases[id] { id = holder }
        return id
    }

    func base(_ id: ItemID) -> BaseState? { nodes[id]?.record.base }

    func baseSlot(_ id: ItemID) -> Slot? { nodes[id]?.record.base?.slot }

    package func item(at slot: Slot) -> ItemID? {
        if mutant == .namesAsStrings {
            let names = (slots[slot.folder] ?? [:]).sorted { $0.key < $1.key }
            return names.first { $0.key.text == slot.name.text }?.value
        }
        return slots[slot.folder]?[slot.name]
    }

    /// Sets or removes what the disk holds of an item.
    mutating func setBase(_ id: ItemID, _ base: BaseState?) {
        if let old = nodes[id]?.record.base {
            if identities[old.stamp.identity] == id { identities[old.stamp.identity] = nil }
            clearSlot(old.slot, of: id)
        }
        detached.remove(id)
        if base == nil, isWatchedForReaders(id) { actions.append(.forgetReaders(id)) }
        nodes[id]?.record.base = base
        changedNodes.insert(id)
        guard let base else { return }
        for container in waves.keys { waves[container]?.noteReturn(of: id) }
        own(base.stamp.identity, id)
        if !base.isParked {
            // Whoever was at the name is there no more: it is elsewhere, or gone.
            if let other = item(at: base.slot), other != id { detached.insert(other) }
            slots[base.slot.folder, default: [:]][base.slot.name] = id
        }
        prune(id)
    }

    /// One folder of the disk is one item's: who had it before has none from now on.
    ///
    /// It is gone then, or, while nothing is taken to be gone there, what comes to its name is its
    /// folder again.
    private mutating func own(_ identity: FileIdentity, _ id: ItemID) {
        guard identity != .none else { return }
        if let former = identities[identity], former != id, nodes[id]?.record.kind == .folder,
            nodes[former]?.record.kind == .folder, let lost = self.base(former),
            lost.stamp.identity == identity
        {
            nodes[former]?.record.base?.stamp.identity = .none
            changedNodes.insert(former)
            if !lost.isParked { touch(lost.slot) }
        }
        identities[identity] = id
    }

    /// Takes an item from its name without saying where it is.
    mutating func detach(_ id: ItemID) {
        guard let base = base(id) else { return }
        clearSlot(base.slot, of: id)
        detached.insert(id)
    }

    private mutating func clearSlot(_ slot: Slot, of id: ItemID) {
        guard slots[slot.folder]?[slot.name] == id else { return }
        slots[slot.folder]?[slot.name] = nil
        if slots[slot.folder]?.isEmpty == true { slots[slot.folder] = nil }
        if let waiters = waiting.removeValue(forKey: slot) {
            for waiter in waiters.sorted() { dirtyItems.insert(waiter) }
        }
        if let folder = nodes[slot.folder], folder.record.remote?.standing == .trashed {
            dirtyItems.insert(slot.folder)
        }
    }

    /// Follows whether what the disk has of an item is one of its heads.
    mutating func noteInstalled(_ id: ItemID) {
        guard let record = nodes[id]?.record, let base = record.base, holder(ofGhost: id) == nil
        else {
            outdated.remove(id)
            return
        }
        let isHead = record.remote?.heads.contains { $0.version == base.version } ?? true
        if isHead { outdated.remove(id) } else { outdated.insert(id) }
    }

    mutating func setRemote(_ state: ItemState) {
        let old = nodes[state.id]?.record.remote
        notePlace(state, before: old)
        if let old {
            for head in old.heads where !state.heads.contains(head) {
                endBringing(head.version, of: state.id)
            }
        }
        let stays = old.map { $0.standing == .placed && $0.isPlaced(as: state) } ?? false
        if !stays { leaveRemotePlace(state.id) }
        if nodes[state.id] == nil {
            nodes[state.id] = Node(
                record: NodeRecord(
                    kind: state.kind, remote: nil, versions: [], base: nil, installing: nil))
        }
        nodes[state.id]?.record.take(remote: state)
        if base(state.id)?.placeholder != nil { nodes[state.id]?.owesText = true }
        if state.standing == .placed {
            if !stays { remoteChildren[state.placement.folder, default: []].insert(state.id) }
            let slot = TagSlot(folder: state.placement.folder, tag: state.placement.tag)
            remoteNames[slot] = state.id
        }
        changedNodes.insert(state.id)
        dirtyItems.insert(state.id)
        openHeads.insert(state.id)
    }

    private mutating func leaveRemotePlace(_ id: ItemID) {
        guard let old = nodes[id]?.record.remote, old.standing == .placed else { return }
        remoteChildren[old.placement.folder]?.remove(id)
        let slot = TagSlot(folder: old.placement.folder, tag: old.placement.tag)
        if remoteNames[slot] == id { remoteNames[slot] = nil }
    }

    /// The account has no such item any more, not even in its trash.
    mutating func clearRemote(_ id: ItemID) {
        leaveRemotePlace(id)
        for head in nodes[id]?.record.remote?.heads ?? [] { endBringing(head.version, of: id) }
        nodes[id]?.record.remote = nil
        nodes[id]?.record.conflict = []
        changedNodes.insert(id)
        dirtyItems.insert(id)
        openHeads.insert(id)
    }

    /// What was brought of a version that will not be installed any more.
    func isAwaited(_ version: VersionID, of id: ItemID) -> Bool {
        nodes[id]?.record.remote?.heads.contains { $0.version == version } ?? false
    }

    /// Whether a content of the item is to be brought, or has come, and is not on the disk.
    package func awaitsContent(_ given: ItemID) -> Bool {
        guard let record = nodes[resolve(given)]?.record, let remote = record.remote else {
            return false
        }
        return remote.standing != .trashed
            && remote.heads.contains { $0.hasContent && $0.version != record.satisfied }
    }

    /// A version that is no head any more is not brought, if nothing else needs it.
    private mutating func endBringing(_ version: VersionID, of id: ItemID) {
        guard !isOwed(version, id) else { return }
        dropContent(version)
        guard !isWantedForMerge(version, of: id), !supplying.contains(version),
            fetching[version]?.remove(id) != nil, fetching[version]?.isEmpty == true
        else { return }
        fetching[version] = nil
        actions.append(.releaseFetched(version))
    }

    mutating func dropContent(_ version: VersionID) {
        inHand[version] = nil
        if fetched.remove(version) != nil { actions.append(.releaseFetched(version)) }
    }

    /// Forgets an item that is nowhere but in the server's trash.
    mutating func forgetIfGone(_ id: ItemID) {
        guard let node = nodes[id], node.record.base == nil, node.pending == 0, node.job == nil,
            node.record.loss == nil
        else { return }
        guard node.record.remote?.standing == .trashed || node.record.remote == nil else { return }
        nodes[id] = nil
        retries[id] = nil
        settling[id] = nil
        changedNodes.insert(id)
    }

    /// Where the item's file is, from the folder of the containers; nil for what has no place.
    package func path(of id: ItemID) -> LocalPath? {
        if id == .top { return LocalPath(names: []) }
        guard let base = base(id), !base.isParked else { return nil }
        return path(of: base.slot)
    }

    package func path(of slot: Slot) -> LocalPath? {
        var names: [Name] = []
        names.reserveCapacity(8)
        names.append(slot.name)
        var folder = slot.folder
        while folder != .top {
            guard let base = base(folder), !base.isParked else { return nil }
            names.append(base.slot.name)
            folder = base.slot.folder
        }
        names.reverse()
        return LocalPath(names: names)
    }

    package static let documents: Name = {
        guard let name = Name("Documents") else { preconditionFailure("it is a name") }
        return name
    }()

    /// The facts and place of a version that the trees speak of.
    func known(_ version: VersionID, of id: ItemID) -> KnownVersion? {
        nodes[id]?.record.versions.first { $0.id == version }
    }
}

extension ItemState {
    /// Under the same name of the same folder.
    fileprivate func isPlaced(as other: ItemState) -> Bool {
        standing == other.standing && placement.folder == other.placement.folder
            && placement.tag == other.placement.tag
    }
}
