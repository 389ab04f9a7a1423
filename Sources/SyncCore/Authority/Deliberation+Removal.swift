/// A folder's deletion: what changed or arrived since its device had installed it lives on.
extension Deliberation {
    mutating func remove(_ removal: FolderRemoval) throws(Reader.Failure) -> Ruling {
        if let present = try record(of: removal.version.id) { return .known(present.number) }
        guard removal.version.nature == .deletion else { return .refused(.malformed) }
        let id = try resolve(removal.folder)
        guard let folder = try state(id) else { return .refused(.unknownItem) }
        guard folder.kind == .folder else { return .refused(.wrongKind) }
        guard folder.standing != .trashed else { return .known(position.number) }
        var sweep = Sweep(reach: removal.reach)
        _ = try survey(folder, &sweep, isRoot: true, isKept: false)
        add(try rooted(removal.version, in: folder), to: id)
        for member in sweep.removed { try trash(member, by: removal.version, root: id) }
        return .accepted([
            .folderRemoved(folder: id, deletion: removal.version.id, survivors: sweep.survivors)
        ])
    }

    private struct Sweep {
        let reach: RemovalReach
        /// A move of the same request may have put a folder into itself.
        var surveyed: Set<ItemID> = []
        /// Members before the folders that hold them.
        var removed: [ItemState] = []
        var survivors: [ItemID] = []
    }

    /// True if the item, or something in it, lives on.
    ///
    /// A folder that was moved in since was not there for its device, nor was what is in it.
    private func survey(
        _ state: ItemState, _ sweep: inout Sweep, isRoot: Bool, isKept: Bool
    ) throws(Reader.Failure) -> Bool {
        guard sweep.surveyed.insert(state.id).inserted else { return false }
        var isAlive = isKept || !isRoot && !sweep.reach.covers(state)
        if isAlive { sweep.survivors.append(state.id) }
        if state.kind == .folder {
            let areKept = isAlive
            for child in try children(of: state.id)
            where try survey(child, &sweep, isRoot: false, isKept: areKept) {
                isAlive = true
            }
        }
        if !isAlive { sweep.removed.append(state) }
        return isAlive
    }

    /// A device that has made a folder of its own, which was taken into this one, may name a
    /// version that the account never had: it replaces what stands, so that it can be undone.
    private func rooted(
        _ deletion: Version, in folder: ItemState
    ) throws(Reader.Failure) -> Version {
        for parent in deletion.parents where try record(of: parent) != nil { return deletion }
        return Version(
            id: deletion.id, parents: folder.heads.map { $0.version }, nature: .deletion,
            facts: deletion.facts, content: .none)
    }

    private mutating func trash(
        _ member: ItemState, by deletion: Version, root: ItemID
    ) throws(Reader.Failure) {
        var state = member
        let parents = state.heads.map { $0.version }
        var id = deletion.id
        if member.id != root {
            id = FolderRemoval.deletion(of: member.id, by: deletion.id, sender.hash)
            add(
                Version(id: id, parents: parents, nature: .deletion, facts: [], content: .none),
                to: member.id)
        }
        state.heads = [Head(version: id, hasContent: false)]
        noteReplaced(member.heads, by: state.heads, in: state.kind)
        state.changed = nextNumber
        try vacate(&state, as: .trashed)
        set(state)
    }
}

extension FolderRemoval {
    /// The id of a member's deletion, which server and devices work out alike.
    package static func deletion(
        of member: ItemID, by folder: VersionID, _ hash: HashFunction
    ) -> VersionID {
        VersionID(hash(folder.bytes + member.bytes))
    }
}
