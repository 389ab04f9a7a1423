/// What was found on the disk becomes operations; the base tree says at once what the disk holds.
extension Replica {
    // MARK: New

    mutating func foundFolder(_ slot: Slot, _ entry: DiskEntry) -> ItemID {
        let facts = VersionFacts.folder(mode: entry.stamp.mode)
        _ = reclaim(slot, .folder)
        if let id = folderInAccount(at: slot) {
            // One that was made and not recorded, or that was here before this device joined.
            adopt(id, slot, facts, entry.stamp)
            return id
        }
        progress.lastEntry += 1
        let id = newItemID(in: slot, kind: .folder)
        create(id, .folder, slot, facts, content: .none, entry.stamp)
        return id
    }

    /// The account's folder under a name, if this disk has none for it yet.
    private func folderInAccount(at slot: Slot) -> ItemID? {
        let name = TagSlot(folder: slot.folder, tag: vault.tag(slot.name.bytes))
        guard let id = remoteNames[name], let node = nodes[id], node.record.kind == .folder,
            node.record.base == nil, node.pending == 0, node.job == nil
        else { return nil }
        return id
    }

    mutating func adopt(
        _ id: ItemID, _ slot: Slot, _ facts: VersionFacts, _ stamp: FileStamp
    ) {
        guard let remote = nodes[id]?.record.remote, let head = remote.heads.first else { return }
        var version = head.version
        if known(head.version, of: id)?.facts.mode != facts.mode {
            // The account's mode is installed over it, also if it is not known yet.
            version = newVersionID(of: id, parents: [], nature: .edit, facts: facts)
        }
        setBase(
            id,
            BaseState(
                slot: slot, placement: remote.placement.id, version: version, facts: facts,
                stamp: stamp, lastRead: version, isParked: false))
        dirtyItems.insert(id)
        for child in (remoteChildren[id] ?? []).sorted() { dirtyItems.insert(child) }
    }

    mutating func foundNew(_ slot: Slot, _ entryKind: EntryKind, _ content: ReadContent) {
        let kind = entryKind.itemKind
        let reclaimed = reclaim(slot, kind)
        if adoptEqual(slot, kind, content) || adoptPlaceholder(slot, kind, content) { return }
        if let reclaimed, standAgain(reclaimed, slot, content) { return }
        progress.lastEntry += 1
        let id = newItemID(in: slot, kind: kind)
        create(id, kind, slot, content.facts, content: content.content, content.stamp)
    }

    /// Bytes that the account has under this name: an install that was not recorded, or a folder
    /// that held them before this device joined.
    private mutating func adoptEqual(
        _ slot: Slot, _ kind: Kind, _ content: ReadContent
    ) -> Bool {
        let tagSlot = TagSlot(folder: slot.folder, tag: vault.tag(slot.name.bytes))
        guard let id = remoteNames[tagSlot], let node = nodes[id], node.record.base == nil,
            node.record.kind == kind, node.pending == 0, node.job == nil,
            let remote = node.record.remote,
            let known = node.record.versions.first(where: {
                $0.facts.digest == content.digest && isBetween($0.id, node)
            })
        else { return false }
        var facts = content.facts
        var version = known.id
        if node.record.installing == known.id {
            if facts == known.facts { nodes[id]?.record.installing = nil }
            facts = known.facts
        } else if facts != known.facts {
            // Its mode or time is another: the account's is installed over it.
            version = newVersionID(of: id, parents: [], nature: .edit, facts: facts)
        }
        setBase(
            id,
            BaseState(
                slot: slot, placement: remote.placement.id, version: version, facts: facts,
                stamp: content.stamp, lastRead: version, isParked: false))
        dirtyItems.insert(id)
        return true
    }

    private mutating func create(
        _ id: ItemID, _ kind: Kind, _ slot: Slot, _ facts: VersionFacts, content: StoredContent,
        _ stamp: FileStamp
    ) {
        let version = Version(
            id: newVersionID(of: id, parents: [], nature: .edit, facts: facts), parents: [],
            nature: .edit, facts: vault.seal(facts.bytes), content: content)
        let placement = newPlacement(of: id, replacing: nil, at: slot)
        if nodes[id] == nil {
            nodes[id] = Node(
                record: NodeRecord(
                    kind: kind, remote: nil, versions: [], base: nil, installing: nil))
        }
        remember(version, facts, of: id)
        setBase(
            id,
            BaseState(
                slot: slot, placement: placement.id, version: version.id, facts: facts,
                stamp: stamp, lastRead: version.id, isParked: false))
        nodes[id]?.lastEdit = now.steady
        append(.create(item: id, kind: kind, placement: placement, version: version))
        actions.append(.notify(.itemChanged(id)))
    }

    // MARK: Changed

    /// The bytes at an item's name were read: a version that is known, or an edit.
    mutating func found(_ content: ReadContent, of id: ItemID, at slot: Slot) {
        if foundPlaceholder(content, of: id, at: slot) {
            writtenUnread.remove(id)
            return readingEnded(id)
        }
        guard var base = base(id), let node = nodes[id] else { return }
        let facts = facts(of: content, under: base, node)
        if base.stamp.identity != content.stamp.identity { actions.append(.forgetReaders(id)) }
        base.stamp = content.stamp
        writtenUnread.remove(id)
        readingEnded(id)
        if facts == base.facts {
            if openedUnsent.remove(id) != nil { base.lastRead = base.version }
            setBase(id, base)
            return
        }
        if holder(ofGhost: id) != nil {
            release(ghost: id)
            return
        }
        // An install that was not recorded, or the same bytes by another way.
        if let known = node.record.versions.first(where: {
            $0.id != base.version && isBetween($0.id, node)
                && ($0.facts == facts || isInstall($0, node, content))
        }) {
            // Who read it since it was installed is not known, and whoever wrote it knows it; but
            // not who changed mode or time only.
            let isWritten = content.digest != base.facts.digest
            let wasRead = openedUnsent.remove(id) != nil || base.lastRead == base.version
            if isWritten || wasRead { base.lastRead = known.id }
            base.version = known.id
            base.facts = known.facts
            // Of another mode or time it is installed once more.
            if known.facts == facts { nodes[id]?.record.installing = nil }
            setBase(id, base)
            dirtyItems.insert(id)
            return
        }
        edit(id, base, facts, content, at: slot)
    }

    private func isBetween(_ version: VersionID, _ node: Node) -> Bool {
        if node.record.installing == version { return true }
        guard node.record.remote?.heads.contains(where: { $0.version == version }) == true else {
            return false
        }
        return !isBefore(version, node)
    }

    /// Whether what the disk has was made from the version: then it was made anew, as an undo.
    private func isBefore(_ version: VersionID, _ node: Node) -> Bool {
        var open = node.record.base.map { [$0.version] } ?? []
        var seen: Set<VersionID> = []
        while let next = open.popLast() {
            guard seen.insert(next).inserted else { continue }
            let parents = node.record.versions.first { $0.id == next }?.parents ?? []
            if parents.contains(version) { return true }
            open += parents
        }
        return false
    }

    /// Bytes that were about to be installed, with what this disk can hold of their mode and time.
    private func isInstall(_ version: KnownVersion, _ node: Node, _ content: ReadContent) -> Bool {
        node.record.installing == version.id && version.facts.digest == content.digest
            && node.record.base?.facts.digest != content.digest
    }

    /// Mode and time are the version's while they are as they were read back after its install:
    /// what this disk cannot hold of them is no edit.
    private func facts(
        of content: ReadContent, under base: BaseState, _ node: Node
    ) -> VersionFacts {
        var facts = content.facts
        // Of what is to be installed again nothing was read back yet.
        let isAsBefore =
            content.stamp.mode == base.stamp.mode && content.stamp.modified == base.stamp.modified
        if node.record.isInstalledAgain, !isAsBefore { return facts }
        if content.stamp.mode == base.stamp.mode { facts.mode = base.facts.mode }
        if content.stamp.modified == base.stamp.modified { facts.modified = base.facts.modified }
        return facts
    }

    private mutating func edit(
        _ id: ItemID, _ base: BaseState, _ facts: VersionFacts, _ content: ReadContent,
        at slot: Slot
    ) {
        var base = base
        var wasReadHere =
            openedUnsent.remove(id) != nil || base.lastRead == base.version
            || !isKept(base, in: content)
        if isUnread(content.stamp.identity, of: id) { wasReadHere = false }
        var parents = parents(of: content, base)
        let squashed = squashable(id, under: base.version)
        // Made from the unsent one, it takes its place; made from an older one, it only drops it.
        if let squashed, parents == [base.version], let version = outbox[squashed]?.body.version {
            parents = version.parents
        }
        parents = withLostAncestors(parents, of: id)
        let version = Version(
            id: newVersionID(of: id, parents: parents, nature: .edit, facts: facts),
            parents: parents, nature: .edit, facts: vault.seal(facts.bytes),
            content: content.content)
        base.version = version.id
        // Who appends, or changes mode or time only, has not read what stands there.
        if wasReadHere { base.lastRead = version.id }
        base.facts = facts
        remember(version, facts, of: id)
        setBase(id, base)
        if !wasReadHere, let path = path(of: slot) { actions.append(.watchReading(id, path: path)) }
        nodes[id]?.record.installing = nil
        nodes[id]?.lastEdit = now.steady
        nodes[id]?.problem = nil
        endEviction(of: id)
        if let squashed {
            replaceVersion(of: squashed, by: version)
        } else {
            append(.edit(item: id, version: version))
        }
        actions.append(.notify(.itemChanged(id)))
    }

    /// Whether it is another item's file, moved to the item's name, and nobody here has read what
    /// was installed there: nobody has read then what the item is by now.
    private func isUnread(_ identity: FileIdentity, of id: ItemID) -> Bool {
        guard let owner = identities[identity], owner != id, let base = base(owner) else {
            return false
        }
        return base.stamp.identity == identity && base.lastRead != base.version
    }

    /// An edit was made from the newest version that somebody here had read.
    ///
    /// What still begins with the installed bytes, or has the same ones, counts as having read
    /// them.
    private func parents(of content: ReadContent, _ base: BaseState) -> [VersionID] {
        if mutant == .parentIsInstalled { return [base.version] }
        if base.lastRead == base.version || isKept(base, in: content) { return [base.version] }
        return base.lastRead.map { [$0] } ?? []
    }

    /// The content begins with what was installed, or is the same.
    private func isKept(_ base: BaseState, in content: ReadContent) -> Bool {
        content.prefixDigest == base.facts.digest || content.digest == base.facts.digest
    }

    mutating func foundMode(_ mode: UInt16, of id: ItemID) {
        guard var base = base(id), let node = nodes[id] else { return }
        // An install that was not recorded, or the same mode by another way.
        if let known = node.record.versions.first(where: {
            $0.id != base.version && $0.facts.mode == mode && isBetween($0.id, node)
        }) {
            base.version = known.id
            base.lastRead = known.id
            base.facts = known.facts
            nodes[id]?.record.installing = nil
            setBase(id, base)
            dirtyItems.insert(id)
            return
        }
        var facts = base.facts
        facts.mode = mode
        if holder(ofGhost: id) != nil {
            base.facts = facts
            setBase(id, base)
            return
        }
        let parents = withLostAncestors([base.version], of: id)
        let version = Version(
            id: singularVersionID(of: id, parents: parents, nature: .edit, facts: facts),
            parents: parents, nature: .edit, facts: vault.seal(facts.bytes), content: .none)
        base.version = version.id
        base.lastRead = version.id
        base.facts = facts
        remember(version, facts, of: id)
        setBase(id, base)
        append(.edit(item: id, version: version))
    }

    // MARK: Moved

    mutating func foundAt(_ slot: Slot, _ id: ItemID) {
        guard var base = base(id) else { return }
        base.isParked = false
        if base.slot == slot {
            setBase(id, base)
            return
        }
        let from = base.ownSlot
        if holder(ofGhost: id) != nil {
            base.slot = slot
            setBase(id, base)
            return
        }
        if foundBesides(slot, id, base) { return }
        base.slot = slot
        if base.isAside || base.placeholder != nil {
            base.isAside = Placeholder.original(of: slot.name) != nil
        }
        let own = base.ownSlot
        if own == from || isPlaceInAccount(own, of: id) {
            // A move that was not recorded, or the same move by another's hand.
            setBase(id, base)
            dirtyItems.insert(id)
            return
        }
        let placement = newPlacement(of: id, replacing: base.placement, at: own)
        base.placement = placement.id
        setBase(id, base)
        append(.move(item: id, placement: placement))
        actions.append(.notify(.itemRemoved(id, from)))
        actions.append(.notify(.itemChanged(id)))
    }

    private func isPlaceInAccount(_ slot: Slot, of id: ItemID) -> Bool {
        guard let node = nodes[id], node.pending == 0, let remote = node.record.remote else {
            return false
        }
        return remote.standing == .placed && self.slot(of: remote.placement) == slot
    }

    // MARK: Gone

    /// The item's file is nowhere: a deletion, made from the version that the disk had.
    mutating func vanish(_ id: ItemID) {
        guard let base = base(id), let kind = nodes[id]?.record.kind else { return }
        if holder(ofGhost: id) != nil {
            vanish(ghost: id)
        } else if forgetLost(id) {
            // The account has nothing that could be deleted.
        } else if kind == .folder {
            vanishFolder(id, base)
        } else {
            let version = deletion(of: id, from: base.version)
            let container = self.container(of: base.slot)
            setBase(id, nil)
            append(.edit(item: id, version: version))
            noteDeletion(of: [id], in: container)
            noteSwept(version.id, of: id, at: base.slot)
        }
        actions.append(.notify(.itemRemoved(id, base.ownSlot)))
    }

    private func deletion(
        of id: ItemID, from version: VersionID, _ facts: FolderDeletionFacts? = nil
    ) -> Version {
        let parents = withLostAncestors([version], of: id)
        return Version(
            id: singularVersionID(of: id, parents: parents, nature: .deletion, facts: nil),
            parents: parents, nature: .deletion,
            facts: facts.map { vault.seal($0.bytes) } ?? [], content: .none)
    }

    private mutating func vanishFolder(_ id: ItemID, _ base: BaseState) {
        let first = sweeps.end(id, at: now.steady)
        let removal = removal(
            of: id, base, first.map { FolderDeletionFacts(sweptFrom: $0) })
        let container = self.container(of: base.slot)
        let members = baseMembers(of: id)
        for member in members { dropFromDisk(member) }
        dropFromDisk(id)
        append(.removeFolder(removal))
        noteDeletion(of: members + [id], in: container)
        noteSwept(removal.version.id, of: id, at: base.slot)
    }

    mutating func dropFromDisk(_ id: ItemID) {
        if nodes[id]?.record.kind == .folder {
            disk.drop(id)
            actions.append(.unwatch(folder: id))
        }
        setBase(id, nil)
        dirtyItems.insert(id)
    }

    /// The items that the disk had in a folder, those in a folder after it.
    func baseMembers(of folder: ItemID) -> [ItemID] {
        var members: [ItemID] = []
        var open = [folder]
        while let next = open.popLast() {
            for (_, child) in (slots[next] ?? [:]).sorted(by: { $0.key < $1.key }) {
                members.append(child)
                open.append(child)
            }
        }
        return members
    }

    /// Up to which position the folder was installed here, and what of it was beyond that.
    private func removal(
        of folder: ItemID, _ base: BaseState, _ facts: FolderDeletionFacts?
    ) -> FolderRemoval {
        // A folder that the log has not told of yet may be another's by now, who has put things
        // into it that were never here.
        let isTold = nodes[folder]?.record.remote != nil
        var installed = isTold ? progress.cursor.number : 0
        let members = Set(baseMembers(of: folder))
        var seen: [(VersionID, UInt64)] = []
        // Also what was moved into it here, which the account has elsewhere still.
        var open = [folder] + members.sorted()
        var met = members.union([folder])
        while let next = open.popLast() {
            for child in (remoteChildren[next] ?? []).sorted() where met.insert(child).inserted {
                open.append(child)
            }
            // A ghost is nothing of the account's.
            guard next != folder, let node = nodes[next], let remote = node.record.remote,
                holder(ofGhost: next) == nil
            else { continue }
            guard let held = node.record.base, members.contains(next) else {
                // Heard of, never seen there.
                if !isDeletedHere(next, remote) { installed = min(installed, remote.lastBefore) }
                continue
            }
            if isAllOf(next, held.version, remote) {
                seen.append((held.version, remote.changed))
            } else {
                installed = min(installed, remote.lastBefore)
            }
        }
        if mutant == .deletionByCursor { installed = progress.cursor.number }
        var beyond = seen.filter { $0.1 > installed }.map { $0.0 }
        for member in members.sorted() where nodes[member]?.pending ?? 0 > 0 {
            if let version = self.base(member)?.version { beyond.append(version) }
        }
        return FolderRemoval(
            folder: folder, version: deletion(of: folder, from: base.version, facts),
            installed: installed, beyond: beyond)
    }

    /// Whether the disk's version, with what is on its way, is all that the account has of it.
    ///
    /// A head that does not show was not deleted by whoever deleted what shows.
    private func isAllOf(_ id: ItemID, _ version: VersionID, _ remote: ItemState) -> Bool {
        var covered: Set<VersionID> = [version]
        for (_, entry) in outbox.all(on: id) {
            guard let sent = entry.body.version, sent.nature == .edit else { continue }
            covered.formUnion(sent.parents)
        }
        return remote.heads.allSatisfy { covered.contains($0.version) }
    }

    /// A deletion of all that the item is was made here, and is on its way.
    private func isDeletedHere(_ id: ItemID, _ remote: ItemState) -> Bool {
        guard let version = outbox.newest(on: id)?.entry.body.version, !version.hasContent else {
            return false
        }
        return !remote.heads.contains { !version.parents.contains($0.version) }
    }
}

extension VersionFacts {
    static func folder(mode: UInt16) -> VersionFacts {
        VersionFacts(
            digest: .zero, size: 0, mode: mode, modified: FileTime(seconds: 0, nanoseconds: 0))
    }
}

extension ReadContent {
    /// The facts of the version that these bytes would be.
    var facts: VersionFacts {
        var size = UInt64(0)
        switch content {
        case .none: break
        case .inline(let bytes): size = UInt64(bytes.count)
        case .chunks(let chunks): size = chunks.reduce(0) { $0 + UInt64($1.size) }
        }
        return VersionFacts(
            digest: digest, size: size, mode: stamp.mode, modified: stamp.modified)
    }
}
