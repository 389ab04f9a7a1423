/// What the disk shows goes into the local tree; names that may mean something become dirty.
extension Replica {
    static var holdMilliseconds: Int64 { 20 }
    /// How long a name is waited for whose old file an editor has put under a backup's name.
    static var backupMilliseconds: Int64 { 2_000 }

    mutating func listFolder(_ folder: ItemID, at path: LocalPath) {
        guard !disk.isListed(folder), disk.listing.insert(folder).inserted else { return }
        actions.append(.list(folder: folder, path: path))
    }

    mutating func see(_ sighting: Sighting) {
        // A folder that was taken into another is listed anew, under that one's id.
        guard aliases[sighting.slot.folder] == nil else { return }
        let slot = sighting.slot
        // A name in a folder that is not listed yet will be in the list.
        guard disk.isListed(slot.folder) else { return }
        disk.endLook(slot)
        if sighting.entry == nil || isOther(sighting.entry, than: disk[slot]) {
            writtenSince[slot] = nil
        }
        if sighting.entry != nil {
            if !vanished.isEmpty { vanished.remove(slot) }
        } else if vanishing.contains(slot) {
            vanished.insert(slot)
            touch(slot)
        }
        if !vanishing.isEmpty { vanishing.remove(slot) }
        noteRest(of: slot, sighting.entry)
        readAtOnce(slot, sighting.entry)
        noteUnwritten(sighting.entry)
        if disk[slot] == sighting.entry, item(at: slot) != nil || sighting.entry == nil { return }
        if let old = disk[slot], old.stamp != sighting.entry?.stamp { contents[slot] = nil }
        lookAtLinks(of: sighting.entry, besides: slot)
        noteMove(to: slot, before: sighting.entry)
        disk.set(sighting.entry, at: slot)
        touch(slot)
        if sighting.entry != nil { noteRefilling(slot) }
    }

    private func isOther(_ entry: DiskEntry?, than before: DiskEntry?) -> Bool {
        guard let entry, let before else { return false }
        return entry.stamp.identity != before.stamp.identity
    }

    /// A file that was seen under a new name, and was held there, is replaced by one that is no
    /// item: the item had moved, and what was saved over it is its new content.
    private mutating func noteMove(to slot: Slot, before entry: DiskEntry?) {
        guard let moved = disk[slot], let entry, item(at: slot) == nil, moved.kind == .file,
            moved.stamp.links == 1, moved.stamp.identity != entry.stamp.identity,
            identities[entry.stamp.identity] == nil, !IgnoredNames.contains(slot.name),
            let owner = identities[moved.stamp.identity], nodes[owner]?.job == nil,
            let base = base(owner), !base.isParked, !detached.contains(owner),
            disk.isListed(base.slot.folder), disk[base.slot] == nil
        else { return }
        foundAt(slot, owner)
    }

    /// What could not be read before may have been closed, or allowed, just now.
    private mutating func readAtOnce(_ slot: Slot, _ entry: DiskEntry?) {
        guard entry != nil, let retry = reading[slot]?.retryAt, retry > now.steady else { return }
        reading[slot]?.retryAt = now.steady
        touch(slot)
    }

    /// A file with several names changes under all of them, and the watcher tells of one.
    ///
    /// A name is not looked at twice for one state of the file, nor while a look is on its way:
    /// thousands of names would have each other looked at without end.
    private mutating func lookAtLinks(of entry: DiskEntry?, besides slot: Slot) {
        guard let entry else { return lookAtOneLink(besides: slot) }
        guard entry.kind == .file, entry.stamp.links > 1,
            disk.places(of: entry.stamp.identity).contains(where: { $0 != slot }),
            disk.isNewForLinks(entry.stamp)
        else { return }
        for other in disk.places(of: entry.stamp.identity) where other != slot {
            guard disk[other] != entry, let path = path(of: other),
                disk.beginsLook(other, at: now.steady)
            else { continue }
            actions.append(.look(slot: other, path: path))
        }
    }

    /// A name is gone, perhaps after the file was written there: one of the others tells all.
    private mutating func lookAtOneLink(besides slot: Slot) {
        guard let old = disk[slot], old.kind == .file, old.stamp.links > 1,
            let other = disk.place(of: old.stamp.identity, besides: slot),
            let path = path(of: other), disk.beginsLook(other, at: now.steady)
        else { return }
        actions.append(.look(slot: other, path: path))
    }

    mutating func touch(_ slot: Slot) { dirtySlots.insert(slot, at: now.steady) }

    mutating func listed(_ id: ItemID, _ entries: [Sighting]) {
        guard aliases[id] == nil else { return }
        let folder = id
        let isAsked = disk.listing.remove(id) != nil
        guard isAsked || disk.isListed(folder) else { return }
        if !isAsked { noteWritten(entries) }
        noteEmptied(folder, entries)
        let before = disk.folders[folder] ?? [:]
        if disk.folders[folder] == nil { disk.folders[folder] = [:] }
        var names: Set<Name> = []
        for entry in entries {
            let slot = Slot(folder: folder, name: entry.slot.name)
            names.insert(slot.name)
            noteRest(of: slot, entry.entry)
            if disk[slot] != entry.entry { contents[slot] = nil }
            noteMove(to: slot, before: entry.entry)
            vanished.remove(slot)
            lookAtLinks(of: entry.entry, besides: slot)
            disk.set(entry.entry, at: slot)
            touch(slot)
        }
        for name in before.keys.sorted() where !names.contains(name) {
            disk.set(nil, at: Slot(folder: folder, name: name))
            touch(Slot(folder: folder, name: name))
        }
        for name in (slots[folder] ?? [:]).keys.sorted() { touch(Slot(folder: folder, name: name)) }
        for child in (remoteChildren[folder] ?? []).sorted() { dirtyItems.insert(child) }
        noteRefilled(folder)
        // What could not be told before this folder was known can be told now.
        if disk.listing.isEmpty { dirtySlots.wakeListed(at: now.steady) }
        if folder == .top || base(folder)?.slot.folder == .top {
            for name in containers { ensureContainer(name) }
        }
    }

    mutating func unlisted(_ id: ItemID) {
        disk.listing.remove(id)
        guard let base = base(id) else { return }
        // Nobody watches it any more: where it is found, it is listed with what changed in it.
        disk.drop(id)
        // Its own name tells what became of it; it may only have been moved since it was asked for.
        if let path = path(of: base.slot) { actions.append(.look(slot: base.slot, path: path)) }
        dirtySlots.hold(base.slot, at: now.steady, until: now.steady.advanced(milliseconds: 500))
    }

    /// What is read from now on is not what was installed, whatever the last look showed.
    mutating func written(_ sighting: Sighting) {
        let owner = sighting.entry.flatMap { identities[$0.stamp.identity] }
        if let id = owner ?? item(at: sighting.slot) { writtenUnread.insert(id) }
        guard writtenSince[sighting.slot] == nil, !IgnoredNames.contains(sighting.slot.name) else {
            return
        }
        writtenSince[sighting.slot] = now.steady
    }

    /// A list that nobody asked for comes after the watcher has lost what it had to tell: who wrote
    /// to a file is not known, but that it has changed.
    private mutating func noteWritten(_ entries: [Sighting]) {
        for case let entry? in entries.map({ $0.entry })
        where entry.kind == .file || entry.kind == .package {
            guard let id = identities[entry.stamp.identity], let base = base(id),
                !entry.stamp.isUnwritten(since: base.stamp)
            else { continue }
            writtenUnread.insert(id)
        }
    }

    /// Whoever opened the file for writing has written nothing; or another file had its name by
    /// then, and that one was written to.
    private mutating func noteUnwritten(_ entry: DiskEntry?) {
        guard !writtenUnread.isEmpty, let entry, let id = identities[entry.stamp.identity],
            writtenUnread.contains(id),
            let base = base(id), entry.stamp.provesSameContent(as: base.stamp)
        else { return }
        writtenUnread.remove(id)
        if openedUnsent.remove(id) != nil { opened(id) }
    }

    mutating func opened(_ given: ItemID) {
        // The file may be another item's by now, and both of them for a moment.
        let owner = base(given).flatMap { identities[$0.stamp.identity] }
        noteOpened(given)
        if let owner, owner != given { noteOpened(owner) }
    }

    private mutating func noteOpened(_ id: ItemID) {
        guard var base = base(id), base.lastRead != base.version, base.placeholder == nil else {
            return
        }
        if writtenUnread.contains(id) {
            // Something else was saved there before it was opened: that is what was read.
            openedUnsent.insert(id)
            return
        }
        base.lastRead = base.version
        // Not written down: after a restart everything counts as read.
        nodes[id]?.record.base = base
    }
}
