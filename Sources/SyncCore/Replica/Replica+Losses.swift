/// What a restored server has lost: this device offers what it has of it, and asks for nothing
/// back.
///
/// A version is offered under its own id, with all its ancestors as parents, so that it takes the
/// place of the older one that the server has. Folders and places go at once; a file's content is
/// read from the disk first, and until then nothing is installed over it.
extension Replica {
    /// Which items have lost what, in the order in which it is offered.
    struct FoundLosses {
        /// Folders that the account does not have, the outer ones first.
        var folders: [ItemID] = []
        var moves: [(item: ItemID, placement: Placement)] = []
        /// Files, links, and folders that the account has in another state.
        var others: [ItemID] = []
        /// The outbox entry of the first move.
        var firstMove: UInt64 = 0
    }

    /// Looks for what the account has lost, and notes it with the items; before the remote tree
    /// becomes what the account is.
    mutating func findLosses(_ recovery: Recovery) -> FoundLosses {
        var found = FoundLosses()
        var folders: [(depth: Int, id: ItemID)] = []
        for (id, before) in recovery.before.sorted(by: { $0.key < $1.key })
        where holder(ofGhost: id) == nil && isHere(before) {
            nameAncestors(id, recovery)
            let now = recovery.states[id]
            rememberBase(id)
            let versions = lostVersions(id, before, now, recovery)
            if !versions.isEmpty {
                let placement = asFirst(before.placement)
                nodes[id]?.record.loss = Loss(
                    versions: versions, placement: placement, entry: 0)
                changedNodes.insert(id)
                if before.kind == .folder, now == nil {
                    folders.append((recovery.depth(of: id), id))
                } else {
                    found.others.append(id)
                }
            }
            if let now, let move = lostMove(before, now, recovery) {
                found.moves.append((id, move))
            }
        }
        makeWay(for: recovery, &found)
        found.folders = folders.sorted { ($0.depth, $0.id) < ($1.depth, $1.id) }.map { $0.id }
        return found
    }

    /// Whether the device has something of it to offer.
    ///
    /// What had been deleted, and is still on this disk, comes back: the account may have lost that
    /// there ever was such an item.
    private func isHere(_ before: ItemState) -> Bool {
        before.heads.contains { $0.hasContent } || base(before.id) != nil
    }

    /// The version on the disk is offered, also where all else was forgotten with the deletion.
    private mutating func rememberBase(_ id: ItemID) {
        guard let base = base(id), known(base.version, of: id) == nil else { return }
        nodes[id]?.record.versions.append(
            KnownVersion(
                id: base.version, parents: [], facts: base.facts, chunks: [], author: nil,
                moment: nil))
        changedNodes.insert(id)
    }

    /// What had been deleted and is there again may have the name that something else had instead
    /// of it: it is the one that gets another.
    private func makeWay(for recovery: Recovery, _ found: inout FoundLosses) {
        var holders: [TagSlot: ItemID] = [:]
        for (_, state) in recovery.before.sorted(by: { $0.key < $1.key })
        where state.standing == .placed {
            holders[TagSlot(state.placement, resolve)] = state.id
        }
        for state in recovery.snapshot.items
        where state.standing == .placed && state.kind != .folder {
            let slot = TagSlot(state.placement, resolve)
            guard let other = holders[slot], other != state.id,
                recovery.before[state.id]?.standing ?? .trashed == .trashed,
                recovery.states[other] == nil, let wanted = self.slot(of: state.placement)
            else { continue }
            let name = FreeName.beside(wanted.name) { isTaken($0, in: wanted.folder) }
            found.moves.append(
                (
                    state.id,
                    newPlacement(
                        of: state.id, replacing: state.placement.id,
                        at: Slot(folder: wanted.folder, name: name))
                ))
        }
    }

    /// From now on edits name their parents with all that these were made from.
    private mutating func nameAncestors(_ id: ItemID, _ recovery: Recovery) {
        for version in nodes[id]?.record.versions ?? [] {
            let parents = recovery.withAncestors(version.parents, of: id)
            guard parents != version.parents else { continue }
            replaceKnown(version.with(parents: parents), of: id)
        }
    }

    private mutating func replaceKnown(_ version: KnownVersion, of id: ItemID) {
        guard let place = nodes[id]?.record.versions.firstIndex(where: { $0.id == version.id })
        else { return }
        nodes[id]?.record.versions[place] = version
        changedNodes.insert(id)
    }

    private mutating func lostVersions(
        _ id: ItemID, _ before: ItemState, _ now: ItemState?, _ recovery: Recovery
    ) -> [VersionID] {
        let heads = Set(now?.heads.map { $0.version } ?? [])
        // What was lost before and is not offered yet is among it.
        var versions = nodes[id]?.record.loss?.versions ?? []
        if let base = base(id)?.version, !versions.contains(base) { versions.append(base) }
        for version in before.heads.withContent where !versions.contains(version) {
            versions.append(version)
        }
        if let installing = nodes[id]?.record.installing, !versions.contains(installing) {
            versions.append(installing)
        }
        versions.removeAll {
            heads.contains($0) || known($0, of: id) == nil || isUnsent($0, of: id)
        }
        if let now, now.standing == .trashed, now.changed <= recovery.snapshot.common.number {
            versions = versions.map { revived($0, of: id, from: now, recovery) }
        }
        return versions
    }

    private func isUnsent(_ version: VersionID, of id: ItemID) -> Bool {
        outbox.all(on: id).contains { $0.entry.body.version?.id == version }
    }

    /// A version that the account has in its trash, and that had come back from there in what it
    /// has lost: it comes back as a new one.
    private mutating func revived(
        _ version: VersionID, of id: ItemID, from trashed: ItemState, _ recovery: Recovery
    ) -> VersionID {
        guard recovery.lineages.parents[version] == nil, let old = known(version, of: id),
            !hidden.contains(version)
        else { return version }
        let parents = trashed.heads.map { $0.version } + [version]
        let fresh = newVersionID(of: id, parents: parents, nature: .edit, facts: old.facts)
        nodes[id]?.record.versions.append(
            KnownVersion(
                id: fresh, parents: parents, facts: old.facts, chunks: old.chunks, author: device,
                moment: now.wall))
        if var base = base(id), base.version == version {
            base.version = fresh
            if base.lastRead == version { base.lastRead = fresh }
            setBase(id, base)
        }
        return fresh
    }

    /// The place that the item had, if it came from the one that it has in the account.
    private func lostMove(
        _ before: ItemState, _ now: ItemState, _ recovery: Recovery
    ) -> Placement? {
        guard now.standing == .placed, before.standing == .placed,
            now.placement.id != before.placement.id,
            recovery.lineages.leads(from: now.placement.id, to: before.placement.id)
        else { return nil }
        return Placement(
            id: before.placement.id, replaces: now.placement.id,
            folder: resolve(before.placement.folder), tag: before.placement.tag,
            name: before.placement.name)
    }

    // MARK: Numbers in the outbox

    /// Gives the losses their entries, in their order, after the last that was made.
    mutating func reserve(_ found: inout FoundLosses) {
        for id in found.folders { reserve(for: id) }
        found.firstMove = progress.lastEntry + 1
        progress.lastEntry += UInt64(found.moves.count)
        for id in found.others { reserve(for: id) }
    }

    private mutating func reserve(for id: ItemID) {
        guard let count = nodes[id]?.record.loss?.versions.count else { return }
        nodes[id]?.record.loss?.entry = progress.lastEntry + 1
        progress.lastEntry += UInt64(count)
        losses.insert(id)
        offers.insert(id)
    }

    /// Folders and places need no content, and go in one request if they can: names are judged at
    /// its end.
    mutating func offerAtOnce(_ found: FoundLosses) {
        for id in found.folders { offer(id, isNew: true) }
        for (place, move) in found.moves.enumerated() {
            insert(
                .move(item: move.item, placement: move.placement),
                as: found.firstMove + UInt64(place))
        }
    }
}

extension KnownVersion {
    fileprivate func with(parents: [VersionID]) -> KnownVersion {
        KnownVersion(
            id: id, parents: parents, facts: facts, chunks: chunks, author: author, moment: moment)
    }
}

extension Recovery {
    /// How many folders are above an item in what the device had.
    fileprivate func depth(of id: ItemID) -> Int {
        var depth = 0
        var next = id
        while let state = before[next], depth < 4_096 {
            depth += 1
            next = state.placement.folder
        }
        return depth
    }
}
