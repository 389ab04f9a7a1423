/// Files on demand: what stands where a content would be, and what becomes of it.
///
/// An item is evicted in two steps, each an ordinary install: its file gets the placeholder's name,
/// and the placeholder takes its place there, judged by what comes out. It is downloaded by the
/// same steps backwards. So nobody ever reads a placeholder under the item's own name, and a crash
/// between the two leaves a whole content.
extension Replica {
    /// Why an item is not to be evicted now; nil if it can be.
    package func objectionToEviction(of given: ItemID) -> EvictionObjection? {
        let id = resolve(given)
        guard let node = nodes[id] else { return .unsynced }
        guard node.record.kind == .file else { return .kind(node.record.kind) }
        guard node.record.residence != .evicted else { return .alreadyEvicted }
        guard !isPinned(id) else { return .pinned }
        guard let remote = node.record.remote, let base = node.record.base else {
            return .unsynced
        }
        guard !remote.heads.areSeveral else { return .inConflict }
        guard reading[base.slot] == nil, dirtySlots.since[base.slot] == nil, node.problem != .busy
        else { return .beingWritten }
        guard node.pending == 0, node.job == nil, node.record.loss == nil, !node.needsPlan,
            !base.isParked, remote.standing == .placed
        else { return .unsynced }
        guard base.stamp.links == 1 else { return .hasSeveralNames }
        guard Placeholder.name(for: base.ownSlot.name) != nil else { return .nameNotPossible }
        return placeholderSlot(id, at: base.ownSlot) == nil ? .nameTaken : nil
    }

    /// The files that could be evicted now, and where they are.
    package func evictableFiles(_ scope: RoomSearch.Scope) -> [(item: ItemID, path: LocalPath)] {
        let candidates: [ItemID] =
            switch scope {
            case .all: nodes.keys.sorted()
            case .some(let some): some.sorted()
            }
        var files: [(item: ItemID, path: LocalPath)] = []
        for id in candidates where objectionToEviction(of: id) == nil {
            if let path = path(of: id) { files.append((id, path)) }
        }
        return files
    }

    /// It, or a folder above it, is to stay on this disk.
    package func isPinned(_ given: ItemID) -> Bool {
        var next = resolve(given)
        while next != .top, let node = nodes[next] {
            if node.record.residence == .pinned { return true }
            guard let folder = node.record.base?.slot.folder ?? node.record.remote?.placement.folder
            else { return false }
            next = resolve(folder)
        }
        return false
    }

    package func isPlaceholder(_ given: ItemID) -> Bool {
        base(resolve(given))?.placeholder != nil
    }

    package func residence(of given: ItemID) -> Residence {
        nodes[resolve(given)]?.record.residence ?? .ordinary
    }

    /// Whether what somebody said of its residence is done, on the disk.
    package func isSettledResidence(of given: ItemID) -> Bool {
        guard let node = nodes[resolve(given)] else { return true }
        return node.job == nil && node.record.hasItsForm
            && (node.record.base != nil || node.record.remote?.standing != .placed)
    }

    /// Somebody wants the content here, or not here.
    mutating func setResidence(of given: ItemID, _ residence: Residence) {
        let id = resolve(given)
        guard let node = nodes[id], id != .top else { return }
        if residence == .evicted, objectionToEviction(of: id) != nil { return }
        if residence == .pinned, node.record.kind == .link { return }
        // What is lost is lost: the older version that the account has is wanted now.
        if residence != .evicted { nodes[id]?.record.lost = nil }
        nodes[id]?.record.residence = residence
        retries[id] = nil
        changedNodes.insert(id)
        dirtyItems.insert(id)
        actions.append(.notify(.itemChanged(id)))
    }

    /// The content is wanted here after all.
    mutating func endEviction(of id: ItemID) {
        guard nodes[id]?.record.residence == .evicted else { return }
        nodes[id]?.record.residence = .ordinary
        changedNodes.insert(id)
        dirtyItems.insert(id)
        actions.append(.notify(.itemChanged(id)))
    }

    // MARK: Names

    /// Where an item's file belongs, and whether that is its placeholder's name.
    struct Berth: Equatable {
        let slot: Slot
        let isAside: Bool
    }

    /// The name of its placeholder; nil if that is impossible, or is another's.
    func placeholderSlot(_ id: ItemID, at own: Slot) -> Slot? {
        guard let name = Placeholder.name(for: own.name) else { return nil }
        let slot = Slot(folder: own.folder, name: name)
        let tag = TagSlot(folder: own.folder, tag: vault.tag(name.bytes))
        if let other = remoteNames[tag], other != id { return nil }
        if let other = item(at: slot), other != id { return nil }
        if let entry = disk[slot], entry.stamp.identity != base(id)?.stamp.identity { return nil }
        return slot
    }

    /// A placeholder that is to become the content does so where it is.
    func wantedBerth(of id: ItemID, _ node: Node, at own: Slot) -> Berth {
        let isPlaceholder = node.record.base?.placeholder != nil
        guard isPlaceholder || node.record.residence == .evicted else {
            return Berth(slot: own, isAside: false)
        }
        if let slot = placeholderSlot(id, at: own) { return Berth(slot: slot, isAside: true) }
        guard isPlaceholder, let base = node.record.base, !base.isParked else {
            return Berth(slot: own, isAside: false)
        }
        return Berth(slot: base.slot, isAside: base.isAside)
    }

    /// As ``wantedBerth(of:_:at:)``; what cannot be a placeholder, or is in conflict, is to be the
    /// content again.
    mutating func berth(of id: ItemID, _ node: Node, at own: Slot) -> Berth {
        if node.record.residence == .evicted,
            isInConflict(node) || placeholderSlot(id, at: own) == nil
        {
            endEviction(of: id)
        }
        return wantedBerth(of: id, nodes[id] ?? node, at: own)
    }

    /// The next free name, as the item's and as that of its file.
    func freeBerth(for base: BaseState) -> Berth {
        let own = base.ownSlot
        let name = FreeName.beside(own.name) { name in
            if isTaken(name, in: own.folder) { return true }
            guard base.isAside, let hidden = Placeholder.name(for: name) else { return false }
            return isTaken(hidden, in: own.folder)
        }
        let hidden = base.isAside ? Placeholder.name(for: name) : nil
        return Berth(slot: Slot(folder: own.folder, name: hidden ?? name), isAside: hidden != nil)
    }

    // MARK: Planning

    /// What the placeholder of the version that shows says, and its file's facts; nil while that
    /// version is not known here.
    func placeholder(
        _ id: ItemID, _ remote: ItemState
    ) -> (text: [UInt8], facts: VersionFacts)? {
        guard let head = remote.heads.first(where: { $0.hasContent }),
            let version = known(head.version, of: id)
        else { return nil }
        return placeholder(of: version, remote)
    }

    private func placeholder(
        of version: KnownVersion, _ remote: ItemState
    ) -> (text: [UInt8], facts: VersionFacts)? {
        guard let name = slot(of: remote.placement)?.name else { return nil }
        let text = Placeholder.text(name, version.id, size: version.facts.size)
        return (text, Placeholder.facts(of: text, for: version.facts, vault.hash))
    }

    mutating func placePlaceholder(
        _ id: ItemID, _ remote: ItemState, at berth: Berth, over base: BaseState?
    ) {
        guard let head = remote.heads.first(where: { $0.hasContent }) else { return }
        guard let path = path(of: berth.slot) else { return awaitPath(id) }
        guard let version = known(head.version, of: id) else {
            return askFor(head.version, of: id)
        }
        guard let placeholder = placeholder(of: version, remote) else { return }
        if version.id != base?.version { note(installing: version, of: id) }
        begin(
            id,
            .placeFile(
                at: path, .inline(placeholder.text), placeholder.facts, expected: base?.stamp),
            isAside: berth.isAside, placeholder: placeholder.facts.digest, of: version.id)
    }

    /// An eviction that the disk does not allow is none: somebody has the file open, or has just
    /// changed it.
    mutating func noteUnevicted(_ id: ItemID) {
        guard base(id)?.placeholder == nil, base(id) != nil else { return }
        endEviction(of: id)
    }

    // MARK: What is found

    /// An install that was not recorded has put it under its placeholder's name, or back; true if
    /// that is all.
    mutating func foundBesides(_ slot: Slot, _ id: ItemID, _ base: BaseState) -> Bool {
        var base = base
        let own = base.ownSlot
        guard own.folder == slot.folder, base.placeholder == nil else { return false }
        if base.isAside, slot == own {
            base.isAside = false
        } else if !base.isAside, nodes[id]?.record.residence == .evicted,
            Placeholder.name(for: own.name) == slot.name
        {
            base.isAside = true
        } else {
            return false
        }
        base.slot = slot
        setBase(id, base)
        dirtyItems.insert(id)
        return true
    }

    /// What was read at the name of an item that is evicted, or is to be: true if it is told by
    /// that.
    ///
    /// A placeholder is what it was before, or an install that was not recorded. What else stands
    /// there was written by somebody: it is a file of its own, and the item's content is wanted
    /// again, as its placeholder's name is taken.
    mutating func foundPlaceholder(
        _ content: ReadContent, of id: ItemID, at slot: Slot
    ) -> Bool {
        guard var base = base(id), let record = nodes[id]?.record, record.kind == .file else {
            return false
        }
        guard base.placeholder != nil || record.residence == .evicted else { return false }
        base.stamp = content.stamp
        if base.placeholder == content.digest {
            setBase(id, base)
            return true
        }
        let candidates = record.versions.filter { version in
            version.id == base.version || version.id == record.installing
                || record.remote?.heads.contains { $0.version == version.id } == true
        }
        if record.residence == .evicted, let remote = record.remote,
            let version = candidates.first(where: {
                placeholder(of: $0, remote)?.facts.digest == content.digest
            })
        {
            base.placeholder = content.digest
            take(version, of: id, base)
            return true
        }
        guard base.placeholder != nil else { return false }
        if let version = candidates.first(where: { $0.facts.digest == content.digest }) {
            base.placeholder = nil
            // Of another mode or time it is installed once more.
            let isWhole = content.facts == version.facts
            take(version, of: id, base)
            if !isWhole { note(installing: version, of: id) }
            endEviction(of: id)
            return true
        }
        if mutant == .writtenPlaceholderDropped {
            setBase(id, base)
            nodes[id]?.record.base?.placeholder = content.digest
            return true
        }
        leavePlaceholder(id, at: slot)
        return true
    }

    private mutating func take(_ version: KnownVersion, of id: ItemID, _ base: BaseState) {
        var base = base
        base.version = version.id
        base.facts = version.facts
        nodes[id]?.record.installing = nil
        setBase(id, base)
        dirtyItems.insert(id)
    }

    private mutating func leavePlaceholder(_ id: ItemID, at slot: Slot) {
        if holder(ofGhost: id) != nil { return release(ghost: id) }
        endEviction(of: id)
        setBase(id, nil)
        dirtyItems.insert(id)
        touch(slot)
    }

    /// A placeholder of this account that this device does not know of: it was put there and that
    /// was not recorded, or an earlier life of the device has left it.
    mutating func adoptPlaceholder(_ slot: Slot, _ kind: Kind, _ content: ReadContent) -> Bool {
        guard kind == .file, let name = Placeholder.original(of: slot.name) else { return false }
        let tag = TagSlot(folder: slot.folder, tag: vault.tag(name.bytes))
        guard let id = remoteNames[tag], let node = nodes[id], node.record.kind == .file,
            node.record.base == nil, node.pending == 0, node.job == nil,
            let remote = node.record.remote,
            let version = node.record.versions.first(where: {
                placeholder(of: $0, remote)?.facts.digest == content.digest
            })
        else { return false }
        nodes[id]?.record.residence = .evicted
        nodes[id]?.record.installing = nil
        setBase(
            id,
            BaseState(
                slot: slot, placement: remote.placement.id, version: version.id,
                facts: version.facts, stamp: content.stamp, lastRead: nil, isParked: false,
                isAside: true, placeholder: content.digest))
        dirtyItems.insert(id)
        return true
    }

    // MARK: What is lost

    /// A server that was restored does not have the content for which a placeholder stands here,
    /// and this device has none to offer: it is said, until the server has it from another one, or
    /// somebody takes what there is.
    mutating func noteLost(_ version: VersionID, of id: ItemID) {
        guard let base = base(id), base.placeholder != nil, base.version == version,
            nodes[id]?.record.remote?.heads.contains(where: { $0.version == version }) != true
        else { return }
        nodes[id]?.record.lost = version
        changedNodes.insert(id)
        actions.append(.notify(.itemChanged(id)))
        actions.append(.notify(.statusChanged))
    }

    /// What stands for a content that is lost goes on saying so, until the account has a version
    /// that came of it.
    mutating func isStillLost(_ id: ItemID, _ remote: ItemState) -> Bool {
        guard let lost = nodes[id]?.record.lost else { return false }
        guard
            remote.heads.contains(where: { head in
                known(head.version, of: id)?.parents.contains(lost) == true
            })
        else { return true }
        nodes[id]?.record.lost = nil
        changedNodes.insert(id)
        return false
    }

    /// Somebody removed the placeholder of what the account does not have at all: true if so.
    mutating func forgetLost(_ id: ItemID) -> Bool {
        guard let record = nodes[id]?.record, record.lost != nil, record.remote == nil else {
            return false
        }
        nodes[id]?.record.lost = nil
        setBase(id, nil)
        forgetIfGone(id)
        return true
    }
}
