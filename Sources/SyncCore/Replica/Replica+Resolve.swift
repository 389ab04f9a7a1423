/// Which item is at which name: a name filled again keeps its item, else the item follows its file.
extension Replica {
    /// Looks at the dirty names until nothing more can be told; true if anything was.
    mutating func resolveSlots() -> Bool {
        var hasProgress = false
        var postponed: [Slot] = []
        // Nearly always there is one round, in which each name comes once: they are counted then.
        var first: [Slot] = []
        var visits: [Slot: Int]?
        while true {
            var isDone = false
            let round = dirtySlots.takeReady(at: now.steady) + postponed
            if round.isEmpty { break }
            postponed = []
            if !first.isEmpty, visits == nil {
                visits = [:]
                for slot in first { visits?[slot] = 1 }
            }
            for slot in round {
                guard let since = dirtySlots.since[slot] else { continue }
                if visits == nil { first.append(slot) }
                visits?[slot, default: 0] += 1
                guard visits?[slot] ?? 1 <= Replica.visitsOfAName else {
                    // Names that wait for each other: what is seen or read next may tell.
                    dirtySlots.hold(
                        slot, until: now.steady.advanced(milliseconds: Replica.holdMilliseconds))
                    continue
                }
                switch resolve(slot, since: since) {
                case .done:
                    dirtySlots.remove(slot)
                    isDone = true
                    if let id = item(at: slot), let node = nodes[id],
                        node.needsPlan || node.lacksContent
                    {
                        dirtyItems.insert(id)
                    }
                case .changed:
                    dirtySlots.insert(slot, at: now.steady)
                    isDone = true
                case .hold(let due): dirtySlots.hold(slot, until: due)
                case .listing: dirtySlots.holdUntilListed(slot)
                case .again: postponed.append(slot)
                }
            }
            guard isDone else { break }
            hasProgress = true
        }
        reclaimDetached()
        for slot in postponed where dirtySlots.since[slot] != nil {
            dirtySlots.hold(
                slot, until: now.steady.advanced(milliseconds: Replica.holdMilliseconds))
        }
        return hasProgress
    }

    /// How often a name is looked at for one event: each look may be caused by another name's.
    private static var visitsOfAName: Int { 8 }

    /// Items whose file was taken for another name: where that decided otherwise, or the file
    /// vanished since, the item has no file any more.
    private mutating func reclaimDetached() {
        guard !detached.isEmpty else { return }
        for id in detached.sorted() {
            guard let base = base(id) else { continue }
            let identity = base.stamp.identity
            guard let place = disk.firstPlace(of: identity) else {
                if disk.listing.isEmpty, dirtySlots.isEmpty { vanish(id) }
                continue
            }
            if let other = item(at: place), self.base(other)?.stamp.identity == identity {
                vanish(id)
            } else if dirtySlots.since[place] == nil, reading[place] == nil,
                reclaimed.insert(id).inserted
            {
                touch(place)
            }
        }
    }

    /// Whether an item that had the name may be gone, and that is not told yet: its file stands at
    /// another item's name.
    private func isContested(_ slot: Slot, besides owner: ItemID) -> Bool {
        detached.contains { id in
            guard id != owner, let base = base(id), base.slot == slot else { return false }
            return disk.firstPlace(of: base.stamp.identity).flatMap { item(at: $0) } != nil
        }
    }

    enum Resolution: Equatable {
        /// Nothing more to tell, until something is seen, read or installed there.
        case done
        /// What it means has changed: it is looked at again at once.
        case changed
        case hold(until: Instant)
        /// Until no list is on its way.
        case listing
        /// Another name decides.
        case again
    }

    private mutating func resolve(_ slot: Slot, since: Instant) -> Resolution {
        endReading(slot)
        guard disk.isListed(slot.folder) else { return .done }
        guard !IgnoredNames.contains(slot.name) else { return .done }
        let present = item(at: slot)
        // The end of the install looks at the name again.
        if let present, nodes[present]?.job != nil { return .done }
        if looksAgainForKind(slot) { return .done }
        switch (disk[slot], present) {
        case (nil, nil): return .done
        case (nil, let present?): return missing(present, from: slot, since: since)
        case (let entry?, nil): return filled(slot, entry, since: since)
        case (let entry?, let present?):
            if entry.stamp.identity == base(present)?.stamp.identity {
                return inPlace(present, slot, entry)
            }
            return replaced(present, slot, entry, since: since)
        }
    }

    /// The end of the quiet period that began at a moment, or nil if it has ended.
    private func hold(
        since: Instant, _ milliseconds: Int64 = Replica.holdMilliseconds
    ) -> Instant? {
        let end = since.advanced(milliseconds: milliseconds)
        return now.steady < end ? end : nil
    }

    // MARK: Nothing at the name

    private mutating func missing(_ id: ItemID, from slot: Slot, since: Instant) -> Resolution {
        guard let base = base(id) else { return .done }
        // A root that vanished, or is under another name, is "unavailable", never a change.
        guard !isUnavailable(slot.folder) else { return .done }
        if isRoot(slot) {
            leave(id)
            return .done
        }
        let isFolder = nodes[id]?.record.kind == .folder
        if let target = disk.place(of: base.stamp.identity, besides: slot),
            base.stamp.links == 1 || isFolder || nodes[id]?.record.kind == .package
        {
            if !isFolder, let end = hold(since: since) { return .hold(until: end) }
            touch(target)
            guard let other = item(at: target), other != id, base.placeholder == nil else {
                detach(id)
                return .done
            }
            // The name it was moved to is another item's: if that keeps the name, this file's
            // content is its new content, and this item has none.
            let otherFile = self.base(other)?.stamp.identity ?? base.stamp.identity
            if disk.place(of: otherFile, besides: target)
                == nil
            {
                if let end = hold(since: since) { return .hold(until: end) }
                vanish(id)
                return .done
            }
            detach(id)
            return .done
        }
        // An editor that has put the old file aside is about to write the new one.
        let isBackedUp = disk.isAside(base.stamp.identity, in: slot.folder)
        let length = isBackedUp ? Replica.backupMilliseconds : Replica.holdMilliseconds
        if let end = hold(since: since, length) { return .hold(until: end) }
        guard disk.listing.isEmpty else { return .listing }
        guard vanished.remove(slot) != nil else { return lookOnce(more: slot) }
        if isFolder, evacuate(id) { return .again }
        vanish(id)
        return .done
    }

    /// What was seen may be older than what is there by now: a save by way of a backup is slower
    /// than the quiet period when the watcher is.
    private mutating func lookOnce(more slot: Slot) -> Resolution {
        if let path = path(of: slot) {
            vanishing.insert(slot)
            actions.append(.look(slot: slot, path: path))
        }
        return .hold(until: now.steady.advanced(milliseconds: 1_000))
    }

    /// What a root holds is neither looked at nor changed until the root is back.
    private mutating func leave(_ root: ItemID) {
        for id in [root] + baseMembers(of: root) where nodes[id]?.record.kind == .folder {
            disk.drop(id)
            actions.append(.unwatch(folder: id))
        }
        actions.append(.notify(.statusChanged))
    }

    /// What was moved out before its folder went lives on where it is, and is told first.
    private mutating func evacuate(_ folder: ItemID) -> Bool {
        var hasAny = false
        for member in baseMembers(of: folder) {
            guard let state = base(member), item(at: state.slot) == member else { continue }
            guard let place = disk.place(of: state.stamp.identity, besides: state.slot) else {
                continue
            }
            detach(member)
            touch(place)
            hasAny = true
        }
        return hasAny
    }

    // MARK: A name without an item

    private mutating func filled(_ slot: Slot, _ entry: DiskEntry, since: Instant) -> Resolution {
        guard entry.kind != .other else { return .done }
        guard slot.folder != .top || entry.kind == .folder else { return .done }
        guard let owner = identities[entry.stamp.identity], let base = base(owner),
            entry.kind.fits(nodes[owner]?.record.kind)
        else { return new(slot, entry) }
        if nodes[owner]?.job != nil { return .again }
        // A root under another name waits there until it is put back.
        if isRoot(item: owner) { return .done }
        // Its new name is free for others only when the item that had it is told of.
        if isContested(slot, besides: owner) { return .again }
        // What is seen is not put aside: it never was, or it is back and that was not recorded.
        if base.isParked || detached.contains(owner) {
            return adoptPlace(owner, slot)
        }
        // Its old name tells: gone, there still (a hard link), or taken by another file.
        guard disk.isListed(base.slot.folder) else {
            if !disk.listing.isEmpty { return .listing }
            return isAwaited(base.slot.folder) ? .again : new(slot, entry)
        }
        guard let old = disk[base.slot] else {
            let start = dirtySlots.since[base.slot] ?? since
            if entry.kind != .folder, let end = hold(since: start) { return .hold(until: end) }
            return adoptPlace(owner, slot)
        }
        if old.stamp.identity == entry.stamp.identity {
            if entry.stamp.links > 1 && !entry.kind.isDirectory { return new(slot, entry) }
            return lookAgain(owner, base, slot, entry)
        }
        touch(base.slot)
        return .again
    }

    /// The folder was not listed yet, but its fate, or that of one above it, is being found out.
    private func isAwaited(_ folder: ItemID) -> Bool {
        var folder = folder
        while !disk.isListed(folder), let base = base(folder) {
            if dirtySlots.since[base.slot] != nil || detached.contains(folder) { return true }
            folder = base.slot.folder
        }
        return false
    }

    /// Two names show one file: one of the two sightings is old.
    private mutating func lookAgain(
        _ owner: ItemID, _ base: BaseState, _ slot: Slot, _ entry: DiskEntry
    ) -> Resolution {
        for name in [base.slot, slot] {
            if let path = path(of: name) { actions.append(.look(slot: name, path: path)) }
        }
        return .done
    }

    // MARK: Another file at an item's name

    private mutating func replaced(
        _ id: ItemID, _ slot: Slot, _ entry: DiskEntry, since: Instant
    ) -> Resolution {
        guard let base = base(id), let kind = nodes[id]?.record.kind else { return .done }
        // Another folder in a root's place is no root: what it held is not deleted.
        if isRoot(slot), slots[id]?.isEmpty == false {
            leave(id)
            return .done
        }
        let elsewhere = disk.place(of: base.stamp.identity, besides: slot)
        let owner = identities[entry.stamp.identity]
        if let elsewhere,
            owner != nil || kind == .folder || isFilled(elsewhere, before: since)
        {
            // A swap: each item follows its file.
            detach(id)
            touch(elsewhere)
            return .changed
        }
        // Whoever puts a placeholder over a file puts its item there.
        let isAnothersPlaceholder = owner.flatMap { self.base($0)?.placeholder } != nil
        guard entry.kind.fits(kind), !isAnothersPlaceholder else {
            if isRoot(slot) { return .done }
            vanish(id)
            return .changed
        }
        // The folder that was made anew under the name is the folder.
        if kind == .folder {
            var base = base
            let hasOtherMode = base.stamp.mode != entry.stamp.mode
            base.stamp = entry.stamp
            disk.drop(id)
            setBase(id, base)
            if hasOtherMode { foundMode(entry.stamp.mode, of: id) }
            return inPlace(id, slot, entry)
        }
        if elsewhere == nil, owner == nil, base.placeholder == nil {
            claim(entry.stamp, for: id, base)
        }
        return inPlace(id, slot, entry)
    }

    /// Whether a file that was not read yet stood at a name already: then it was swapped, and is
    /// not what a program has put in the place of one that it keeps aside.
    private func isFilled(_ slot: Slot, before instant: Instant) -> Bool {
        reading[slot] != nil || dirtySlots.since[slot].map { $0 < instant } ?? false
    }

    /// The file that fills the name of a file that is gone is the item's from now on.
    ///
    /// So it is followed also if it moves before it could be read. The stamp proves no content.
    private mutating func claim(_ stamp: FileStamp, for id: ItemID, _ base: BaseState) {
        guard stamp.links == 1 || nodes[id]?.record.kind == .package else { return }
        var base = base
        let old = base.stamp
        base.stamp = FileStamp(
            identity: stamp.identity, size: old.size, mode: old.mode, modified: old.modified,
            changed: old.changed, links: old.links, isRacy: true)
        actions.append(.forgetReaders(id))
        setBase(id, base)
    }

    // MARK: The item's own file

    mutating func inPlace(_ id: ItemID, _ slot: Slot, _ entry: DiskEntry) -> Resolution {
        guard let base = base(id), let kind = nodes[id]?.record.kind else { return .done }
        guard kind != .folder else {
            inPlaceFolder(id, base, slot, entry)
            return disk.isListed(id) || disk.listing.contains(id) ? .done : untilBack(slot)
        }
        if let rest = awaitingRest(slot, entry) { return rest }
        let isUnchanged =
            entry.stamp.provesSameContent(as: base.stamp)
            || mutant == .timesBySecond && entry.stamp.isOfSameSecond(as: base.stamp)
        if isUnchanged {
            if !contents.isEmpty { contents[slot] = nil }
            if !reading.isEmpty { reading[slot] = nil }
            if !writtenSince.isEmpty { writtenSince[slot] = nil }
            readingEnded(id)
            return .done
        }
        guard let content = takeContent(at: slot, entry) else { return awaitingRead(slot) }
        found(content, of: id, at: slot)
        // It may have turned out to be nothing of the item.
        return item(at: slot) == id ? .done : .changed
    }

    private mutating func inPlaceFolder(
        _ id: ItemID, _ base: BaseState, _ slot: Slot, _ entry: DiskEntry
    ) {
        if !disk.isListed(id), let path = path(of: slot) { listFolder(id, at: path) }
        guard entry.stamp != base.stamp else { return }
        var base = base
        base.stamp = entry.stamp
        setBase(id, base)
        if entry.stamp.mode != base.facts.mode { foundMode(entry.stamp.mode, of: id) }
    }

    /// The item follows its file; what was written to it meanwhile is looked at next.
    private mutating func adoptPlace(_ id: ItemID, _ slot: Slot) -> Resolution {
        foundAt(slot, id)
        return .changed
    }

    private mutating func new(_ slot: Slot, _ entry: DiskEntry) -> Resolution {
        guard progress.hasPulled || isRoot(slot) else {
            // The account may have it already: what is equal is adopted, and not made anew.
            unpulled.insert(slot)
            return .done
        }
        if entry.kind == .folder {
            guard let path = path(of: slot) else { return untilBack(slot) }
            listFolder(foundFolder(slot, entry), at: path)
            return .done
        }
        if let rest = awaitingRest(slot, entry) { return rest }
        guard let content = takeContent(at: slot, entry) else { return awaitingRead(slot) }
        foundNew(slot, entry.kind, content)
        return .done
    }
}

extension EntryKind {
    /// Whether an entry of the disk can be an item of the kind.
    func fits(_ kind: Kind?) -> Bool {
        switch (self, kind) {
        case (.file, .file), (.folder, .folder), (.link, .link), (.package, .package): true
        default: false
        }
    }

    /// What a new entry is as an item.
    var itemKind: Kind {
        switch self {
        case .folder: .folder
        case .package: .package
        case .link: .link
        case .file, .other: .file
        }
    }
}
