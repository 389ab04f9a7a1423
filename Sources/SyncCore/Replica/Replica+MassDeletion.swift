/// Many deletions at once wait for a person: a disk that lost its files must not empty the cloud.
///
/// Over 100 items and over half of a container within a minute are kept here, on the disk as in the
/// outbox, until somebody says that they are meant, or are not. Beyond the first 100 none is sent
/// before the wave has come to rest.
extension Replica {
    /// An operation was appended that deletes items of a container.
    mutating func noteDeletion(of items: [ItemID], in container: ItemID) {
        let entry = progress.lastEntry
        // Taken out, so that it is changed in place and not copied.
        var wave = waves.removeValue(forKey: container) ?? DeletionWave()
        wave.add(items, entry: entry, at: now.steady)
        let isMeant = confirmedUntil.map { now.steady < $0 } ?? false
        if !isMeant, wave.count > DeletionWave.mostItems { hold(&wave, entry, in: container) }
        waves[container] = wave
    }

    private mutating func hold(
        _ wave: inout DeletionWave, _ entry: UInt64, in container: ItemID
    ) {
        let before = wave.itemsBefore ?? baseMembers(of: container).count + wave.count
        wave.itemsBefore = before
        guard wave.isOverHalf || wave.count * 2 > before else {
            wave.restsAt = now.steady.advanced(milliseconds: DeletionWave.rest)
            wavering[entry] = container
            return
        }
        for id in wave.isOverHalf ? [entry] : wave.entries { awaitConfirmation(id) }
        wave.isOverHalf = true
        wave.restsAt = nil
        actions.append(.notify(.statusChanged))
    }

    /// Whether a deletion may be sent: its wave has come to rest.
    mutating func isAtRest(_ id: UInt64) -> Bool {
        guard let container = wavering[id] else { return true }
        if let due = waves[container]?.restsAt, due > now.steady { return false }
        wavering[id] = nil
        return true
    }

    /// When the next wave comes to rest.
    var nextRest: Instant? {
        waves.values.compactMap { $0.restsAt }.filter { $0 > now.steady }.min()
    }

    /// The container that a name is in.
    func container(of slot: Slot) -> ItemID {
        var folder = slot.folder
        while folder != .top, let base = base(folder), base.slot.folder != .top {
            folder = base.slot.folder
        }
        return folder
    }

    private mutating func awaitConfirmation(_ id: UInt64) {
        guard let entry = outbox[id], entry.number == nil, !entry.awaitsConfirmation else { return }
        wavering[id] = nil
        setAwaiting(id, true)
    }

    /// A person says what waiting deletions and empty roots mean.
    mutating func confirm(isMeant: Bool) {
        for id in outbox.ids(where: { $0.awaitsConfirmation }) {
            // What is dropped is wanted on the disk again: planning puts it there.
            if isMeant { setAwaiting(id, false) } else { finish(id) }
        }
        waves.removeAll()
        wavering.removeAll()
        if isMeant {
            confirmedUntil = now.steady.advanced(milliseconds: DeletionWave.span)
            confirmRoots()
            confirmReturned()
        }
        actions.append(.notify(.statusChanged))
    }

    /// Who has seen what a restored server brought back, and deleted what is not wanted, need not
    /// be told of it any more.
    private mutating func confirmReturned() {
        for id in undeleted {
            nodes[id]?.record.hasReturned = false
            changedNodes.insert(id)
        }
    }

    /// A name of a deletion that waits is filled again: the item was not meant to go.
    ///
    /// Gives the item, and the version that it had.
    mutating func reclaim(_ slot: Slot, _ kind: Kind) -> (item: ItemID, version: VersionID)? {
        let name = TagSlot(folder: slot.folder, tag: vault.tag(slot.name.bytes))
        guard let id = remoteNames[name], let node = nodes[id], node.record.base == nil,
            node.record.kind == kind, let last = outbox.newest(on: id),
            last.entry.awaitsConfirmation, let version = last.entry.body.version?.parents.first
        else { return nil }
        finish(last.id)
        return (id, version)
    }

    /// The file that fills the name was made from the version that was there.
    mutating func standAgain(
        _ reclaimed: (item: ItemID, version: VersionID), _ slot: Slot, _ content: ReadContent
    ) -> Bool {
        guard let known = known(reclaimed.version, of: reclaimed.item),
            let remote = nodes[reclaimed.item]?.record.remote
        else { return false }
        // As the version's own file would stand there: what differs is this one's.
        let seen = content.stamp
        let stamp = FileStamp(
            identity: seen.identity, size: known.facts.size, mode: known.facts.mode,
            modified: known.facts.modified, changed: seen.changed, links: seen.links, isRacy: true)
        setBase(
            reclaimed.item,
            BaseState(
                slot: slot, placement: remote.placement.id, version: known.id, facts: known.facts,
                stamp: stamp, lastRead: known.id, isParked: false))
        found(content, of: reclaimed.item, at: slot)
        return true
    }
}
