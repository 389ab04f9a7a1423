/// What people and apps ask for.
extension Replica {
    /// A container is a folder under the top, with `Documents` in it; both have ids that every
    /// device gives alike.
    mutating func ensureContainer(_ name: Name) {
        guard disk.isListed(.top) else { return }
        let slot = Slot(folder: .top, name: name)
        if item(at: slot) == nil, disk[slot] == nil { make(slot) }
        guard let container = item(at: slot), disk.isListed(container) else { return }
        let documents = Slot(folder: container, name: Replica.documents)
        if item(at: documents) == nil, disk[documents] == nil { make(documents) }
    }

    /// Makes a folder on the disk; seeing it there makes it an item.
    private mutating func make(_ slot: Slot) {
        let id = newItemID(in: slot, kind: .folder)
        guard nodes[id]?.job == nil, let path = path(of: slot) else { return }
        guard jobs.values.first(where: { $0.item == id }) == nil else { return }
        let task = InstallJob.Task.makeFolder(at: path, mode: 0o755)
        lastJob += 1
        jobs[lastJob] = Undertaking(item: id, task: task, target: slot, named: nil)
        nodes[id]?.job = lastJob
        actions.append(.install(InstallJob(id: lastJob, item: id, task: task)))
    }

    /// The folder of a root that is gone is made again.
    mutating func makeAgain(_ slot: Slot) { make(slot) }

    /// A choice among heads: nobody's typing, so the first choice stands.
    mutating func settle(
        _ id: ItemID, _ keep: HeadContent, _ aside: [HeadContent], _ seen: [VersionID]
    ) {
        guard let remote = nodes[id]?.record.remote, remote.heads.count > 1 else { return }
        guard let chosen = known(keep.version, of: id) else { return }
        // What cannot be put beside is not dropped either.
        guard aside.allSatisfy({ known($0.version, of: id) != nil }) else { return }
        let parents = remote.heads.map { $0.version }
        guard parents == seen else { return }
        let version = Version(
            id: newVersionID(of: id, parents: parents, nature: .settlement, facts: chosen.facts),
            parents: parents, nature: .settlement, facts: vault.seal(chosen.facts.bytes),
            content: keep.content)
        forgetRefusedChoices(of: id)
        remember(version, chosen.facts, of: id)
        changedNodes.insert(id)
        append(.edit(item: id, version: version))
        noteMade(version.id, of: id)
        var names: Set<Name> = []
        for other in aside { createBeside(id, remote, other, &names, restingOn: version.id) }
    }

    /// Only if the choice stands: else nobody has taken the content away.
    private mutating func createBeside(
        _ id: ItemID, _ remote: ItemState, _ other: HeadContent, _ names: inout Set<Name>,
        restingOn choice: VersionID
    ) {
        guard let facts = known(other.version, of: id)?.facts,
            let bytes = vault.open(remote.placement.name), let name = Name(bytes),
            let kind = nodes[id]?.record.kind
        else { return }
        var copy = asideID(of: other.version, of: id)
        if let known = nodes[copy]?.record {
            // Another device has made the same choice, unless it was deleted since.
            guard known.remote?.standing == .trashed else { return }
            progress.lastEntry += 1
            copy = newItemID(in: Slot(folder: remote.placement.folder, name: name), kind: kind)
        }
        let folder = resolve(remote.placement.folder)
        let free = FreeName.beside(name) { isTaken($0, in: folder) || names.contains($0) }
        names.insert(free)
        let slot = Slot(folder: folder, name: free)
        let version = Version(
            id: newVersionID(of: copy, parents: [], nature: .edit, facts: facts), parents: [],
            nature: .edit, facts: vault.seal(facts.bytes), content: other.content)
        append(
            .create(
                item: copy, kind: kind, placement: newPlacement(of: copy, replacing: nil, at: slot),
                version: version), restingOn: choice)
    }
}
