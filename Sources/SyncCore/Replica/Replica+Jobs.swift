/// The end of an install: the base tree holds what the disk was read back to hold.
extension Replica {
    mutating func installed(_ job: JobID, _ outcome: JobOutcome) {
        guard let undertaking = jobs.removeValue(forKey: job) else { return }
        let task = undertaking.task
        let id = resolve(undertaking.item)
        nodes[id]?.job = nil
        if case .park = task { if case .done = outcome {} else { returnToSlot(id) } }
        switch outcome {
        case .done(let stamp): done(id, undertaking, stamp)
        case .unexpected(let entry):
            leftUndone(id)
            unexpected(id, undertaking, entry)
        case .busy:
            leftUndone(id)
            postpone(id, .busy, milliseconds: 250)
        case .contentMissing: contentMissing(id)
        case .failed(let failure): postpone(id, .disk(failure), milliseconds: 1_000)
        }
        if case .done = outcome {} else { noteUnevicted(id) }
        dirtyItems.insert(id)
        if losses.contains(id) { offers.insert(id) }
        if let base = base(id), !base.isParked {
            if disk.isListed(base.slot.folder) { touch(base.slot) }
            wakeWaiters(at: base.slot)
        }
        lookAround(task)
    }

    /// Equal bytes that stand there are somebody's, with a mode and a time of their own.
    private mutating func leftUndone(_ id: ItemID) {
        guard nodes[id]?.record.isInstalledAgain == false else { return }
        nodes[id]?.record.installing = nil
    }

    private mutating func postpone(_ id: ItemID, _ problem: Problem, milliseconds: Int64) {
        nodes[id]?.problem = problem
        retry(id, milliseconds: milliseconds)
        actions.append(.notify(.statusChanged))
    }

    private mutating func contentMissing(_ id: ItemID) {
        guard let head = nodes[id]?.record.remote?.heads.first else { return }
        fetched.remove(head.version)
        retry(id, milliseconds: 200)
    }

    // MARK: Done

    private mutating func done(
        _ id: ItemID, _ undertaking: Undertaking, _ stamp: FileStamp?
    ) {
        retries[id] = nil
        nodes[id]?.problem = nil
        switch undertaking.task {
        case .remove: removed(id)
        case .park: parked(id, stamp)
        case .move, .unpark: moved(id, undertaking, stamp)
        case .makeFolder, .setMode: placed(id, undertaking, stamp, isFolder: true)
        case .placeFile, .placeLink, .placePackage: placed(id, undertaking, stamp, isFolder: false)
        }
    }

    /// The name that an install has filled.
    private func filled(_ undertaking: Undertaking) -> Slot? {
        if let slot = undertaking.target, slot.folder == .top || base(slot.folder) != nil {
            return slot
        }
        return undertaking.task.paths.last.flatMap { slot(of: $0) }
    }

    private mutating func removed(_ id: ItemID) {
        guard let base = base(id) else { return }
        if nodes[id]?.record.kind == .folder {
            disk.drop(id)
            actions.append(.unwatch(folder: id))
        }
        disk.set(nil, at: base.slot)
        setBase(id, nil)
        actions.append(.notify(.itemRemoved(id, base.ownSlot)))
    }

    private mutating func parked(_ id: ItemID, _ stamp: FileStamp?) {
        guard var base = base(id) else { return }
        disk.set(nil, at: base.slot)
        if let stamp { base.stamp = base.stamp.renamed(stamp) }
        setBase(id, base)
    }

    private mutating func moved(
        _ id: ItemID, _ undertaking: Undertaking, _ stamp: FileStamp?
    ) {
        guard var base = base(id), let slot = filled(undertaking), let stamp else { return }
        let from = base.ownSlot
        let wasParked = base.isParked
        if !wasParked { disk.set(nil, at: base.slot) }
        base.isParked = false
        base.slot = slot
        base.isAside = undertaking.isAside
        // What was written to the file meanwhile is seen by the stamp that it should have.
        base.stamp = base.stamp.renamed(stamp)
        let kind = nodes[id]?.record.kind.entryKind ?? .file
        // A rename tells nothing of a package's members: the look that follows does.
        disk.set(DiskEntry(kind: kind, stamp: kind == .package ? base.stamp : stamp), at: slot)
        setBase(id, base)
        waiting[slot]?.remove(id)
        if waiting[slot]?.isEmpty == true { waiting[slot] = nil }
        touch(slot)
        if base.lastRead != base.version, base.placeholder == nil { watchReaders(id) }
        if wasParked {
            // What belongs into it, or is to leave it, had no way to go while it was put aside.
            for child in (remoteChildren[id] ?? []).sorted() { dirtyItems.insert(child) }
            for child in (slots[id] ?? [:]).values.sorted() { dirtyItems.insert(child) }
        }
        if from != base.ownSlot { actions.append(.notify(.itemRemoved(id, from))) }
        actions.append(.notify(.itemChanged(id)))
        announcePlace(id, base, instead: undertaking.named)
    }

    /// A name that the device gave by itself is an ordinary rename, and is told to the others.
    ///
    /// Where the log has told of another place meanwhile, that one stands, and it goes there next.
    private mutating func announcePlace(
        _ id: ItemID, _ base: BaseState, instead named: PlaceID?
    ) {
        guard let remote = nodes[id]?.record.remote, nodes[id]?.pending == 0 else { return }
        guard remote.standing != .trashed else { return }
        let own = base.ownSlot
        let tag = vault.tag(own.name.bytes)
        let isAsRemote =
            resolve(remote.placement.folder) == own.folder && remote.placement.tag == tag
        var base = base
        if isAsRemote && remote.standing == .placed || named != remote.placement.id {
            base.placement = placing(of: id, at: own, remote)
            setBase(id, base)
            return
        }
        let placement = newPlacement(of: id, replacing: remote.placement.id, at: own)
        base.placement = placement.id
        setBase(id, base)
        append(.move(item: id, placement: placement))
    }

    private mutating func placed(
        _ id: ItemID, _ undertaking: Undertaking, _ stamp: FileStamp?, isFolder: Bool
    ) {
        guard let slot = filled(undertaking), let stamp else { return }
        let remote = nodes[id]?.record.remote
        let installing = nodes[id]?.record.installing
        // A root that is made again has nothing to install but itself.
        let made = isFolder ? remote?.heads.first?.version : nil
        guard let version = undertaking.version ?? installing ?? made,
            let known = known(version, of: id)
        else { return }
        let before = base(id)
        // Who reads a link or looks into a folder is not told; what is not known counts as read.
        let countsAsRead = !isWatchedForReaders(id) || !progress.hasPulled
        nodes[id]?.record.installing = nil
        openedUnsent.remove(id)
        writtenUnread.remove(id)
        disk.set(
            DiskEntry(kind: nodes[id]?.record.kind.entryKind ?? .file, stamp: stamp), at: slot)
        let own = BaseState.ownSlot(slot, isAside: undertaking.isAside)
        setBase(
            id,
            BaseState(
                slot: slot, placement: placing(of: id, at: own, remote), version: version,
                facts: known.facts, stamp: stamp,
                lastRead: countsAsRead ? version : before?.lastRead, isParked: false,
                isAside: undertaking.isAside, placeholder: undertaking.placeholder))
        if let before, before.slot != slot, !before.isParked {
            // It got another file while this one was on its way: that one is an item of its own.
            touch(before.slot)
        }
        prune(id)
        inHand[version] = nil
        if fetched.remove(version) != nil { actions.append(.releaseFetched(version)) }
        if isFolder, let path = self.path(of: slot) {
            // It may have got another folder while this one was made: that one was listed.
            if let before, before.stamp.identity != stamp.identity { disk.drop(id) }
            listFolder(id, at: path)
            for child in (remoteChildren[id] ?? []).sorted() { dirtyItems.insert(child) }
        } else if isWatchedForReaders(id), undertaking.placeholder == nil {
            watchReaders(id)
        }
        touch(slot)
        actions.append(.notify(.itemChanged(id)))
    }

    /// Who reads a package reads one of its members.
    func isWatchedForReaders(_ id: ItemID) -> Bool {
        let kind = nodes[id]?.record.kind
        if kind == .package, mutant == .packageCountsAsRead { return false }
        return kind == .file || kind == .package
    }

    /// A file that cannot be found while a folder above it is put aside counts as read.
    private mutating func watchReaders(_ id: ItemID) {
        if let path = path(of: id) {
            actions.append(.watchReading(id, path: path))
        } else if let base = base(id) {
            nodes[id]?.record.base?.lastRead = base.version
        }
    }

    /// The placing that stands at the name: if the remote tree says another name by now, it is none
    /// that the account knows, so that the item is seen to be elsewhere.
    private func placing(of id: ItemID, at slot: Slot, _ remote: ItemState?) -> PlaceID {
        guard let remote else {
            return nodes[id]?.record.loss?.placement.id
                ?? newPlacement(of: id, replacing: nil, at: slot).id
        }
        if self.slot(of: remote.placement) == slot { return remote.placement.id }
        return newPlacement(of: id, replacing: nil, at: slot).id
    }

    // MARK: Not as expected

    /// Nothing was changed: what stands there is looked at, then it is planned again.
    private mutating func unexpected(
        _ id: ItemID, _ undertaking: Undertaking, _ entry: DiskEntry?
    ) {
        if case .unpark(let to, _) = undertaking.task {
            if let entry {
                // Written to while it was parked: it goes back as it is, and is read there.
                begin(id, .unpark(to: to, expected: entry.stamp), isAside: undertaking.isAside)
            } else {
                // It never left its name.
                returnToSlot(id)
            }
            return
        }
        retry(id, milliseconds: 30)
    }

    mutating func returnToSlot(_ id: ItemID) {
        guard var base = base(id) else { return }
        if let other = item(at: base.slot), other != id {
            // Its file is in neither place: it is installed again.
            setBase(id, nil)
            return
        }
        guard base.slot.folder == .top || self.base(base.slot.folder) != nil else {
            // So it is if its folder went meanwhile, with all that is in it.
            for member in baseMembers(of: id) { dropFromDisk(member) }
            dropFromDisk(id)
            return
        }
        base.isParked = false
        setBase(id, base)
    }

    /// Both ends of the task as they are now.
    private mutating func lookAround(_ task: InstallJob.Task) {
        for path in task.paths {
            guard let slot = slot(of: path) else { continue }
            actions.append(.look(slot: slot, path: path))
        }
    }

    /// The name that a path is, by the base tree.
    package func slot(of path: LocalPath) -> Slot? {
        var folder = ItemID.top
        for name in path.names.dropLast() {
            guard let next = item(at: Slot(folder: folder, name: name)) else { return nil }
            folder = next
        }
        return path.names.last.map { Slot(folder: folder, name: $0) }
    }
}

extension InstallJob.Task {
    /// The names that it touches.
    package var paths: [LocalPath] {
        switch self {
        case .makeFolder(let at, _), .placeFile(let at, _, _, _), .placeLink(let at, _, _, _),
            .placePackage(let at, _, _, _), .setMode(let at, _, _), .remove(let at, _, _):
            [at]
        case .move(let from, let to, _): [from, to]
        case .park(let from, _): [from]
        case .unpark(let to, _): [to]
        }
    }
}

extension FileStamp {
    /// The same file after a rename; what else differs is left as it was, to be noticed.
    func renamed(_ seen: FileStamp) -> FileStamp {
        guard provesSameContent(as: seen) else { return self }
        return seen
    }
}
