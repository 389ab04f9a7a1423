/// What comes back: from the trash, or an old version that shall be current again.
///
/// Both are ordinary operations that bring a new version on top of what stands, so that nobody's
/// older operation can undo them unseen.
extension Replica {
    /// Brings an item back that is in the trash, with what it was before the deletion.
    ///
    /// Each of `versions` was a head before, and comes with its content. A folder comes with all
    /// that its deletion took, and what the deletions in `swept` took of it.
    mutating func restore(
        _ state: ItemState, _ versions: [Version], swept: [VersionID]
    ) {
        let id = resolve(state.id)
        let deletions = state.heads.map { $0.version }
        guard let first = versions.first, let deletion = deletions.first else { return }
        restoring.insert(id)
        guard state.kind == .folder else {
            for old in versions {
                guard let version = anew(old, of: id, from: deletions) else { continue }
                append(.edit(item: id, version: version))
                noteMade(version.id, of: id)
            }
            return
        }
        guard let version = anew(first, of: id, from: deletions) else { return }
        append(
            .restoreFolder(
                FolderRestoration(
                    folder: id, deletion: deletion,
                    version: Version(
                        id: version.id, parents: version.parents, nature: .edit,
                        facts: version.facts, content: .none),
                    swept: swept)))
    }

    /// Makes an old version of an item the one that shows, instead of one that did.
    ///
    /// If another has come since, that one stays beside it: nobody here has read it.
    mutating func makeCurrent(_ given: ItemID, _ old: Version, instead standing: VersionID) {
        let id = resolve(given)
        guard nodes[id] != nil, standing != old.id,
            let version = anew(old, of: id, from: [standing])
        else { return }
        append(.edit(item: id, version: version))
        noteMade(version.id, of: id)
        actions.append(.notify(.itemChanged(id)))
    }

    private func anew(_ old: Version, of id: ItemID, from parents: [VersionID]) -> Version? {
        guard let bytes = vault.open(old.facts), let facts = VersionFacts(bytes: bytes) else {
            return nil
        }
        return Version(
            id: newVersionID(of: id, parents: parents, nature: .edit, facts: facts),
            parents: parents, nature: .edit, facts: vault.seal(facts.bytes), content: old.content)
    }

    /// Gives an item a place that has none, without waiting for another device.
    mutating func placeNow(_ given: ItemID) {
        let id = resolve(given)
        guard nodes[id]?.record.remote?.standing == .unplaced else { return }
        restoring.insert(id)
        retries[id] = nil
        dirtyItems.insert(id)
    }

    /// Whether the item, and all that belongs into it, is on the disk as the account has it.
    package func isInPlace(_ given: ItemID) -> Bool {
        var open = [resolve(given)]
        while let id = open.popLast() {
            guard let node = nodes[id], node.pending == 0, node.job == nil, !node.needsPlan,
                let base = node.record.base, !base.isParked,
                node.record.remote?.standing == .placed
            else { return false }
            open.append(contentsOf: remoteChildren[id] ?? [])
        }
        return true
    }

    /// Where an item of the trash was, by its folders there and here.
    package func path(of state: ItemState, among trashed: [ItemID: ItemState]) -> LocalPath? {
        var names: [Name] = []
        var next = state
        while let slot = slot(of: next.placement), names.count < 4_096 {
            names.append(slot.name)
            if let path = path(of: slot.folder) {
                return LocalPath(names: path.names + names.reversed())
            }
            guard let folder = trashed[slot.folder] ?? nodes[slot.folder]?.record.remote else {
                break
            }
            next = folder
        }
        return names.isEmpty ? nil : LocalPath(names: names.reversed())
    }
}
