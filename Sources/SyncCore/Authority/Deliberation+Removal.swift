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
        try survey(folder, &sweep)
        add(try rooted(removal.version, in: folder), to: id)
        for member in sweep.removed { try trash(member, by: removal.version, root: id) }
        return .accepted([
            .folderRemoved(folder: id, deletion: removal.version.id, survivors: sweep.survivors)
        ])
    }

    private struct Sweep {
        let reach: RemovalReach
        /// Members before the folders that hold them.
        var removed: [ItemState] = []
        /// Folders before what is in them.
        var survivors: [ItemID] = []
    }

    /// What is met on the way through a folder.
    private struct Surveyed {
        let state: ItemState
        /// Where the folder is that holds it.
        let folder: Int?
        /// It, or something in it, lives on.
        var isAlive: Bool
    }

    /// Finds what lives on in a folder, and goes with it, however deep it is.
    ///
    /// A folder that was moved in since was not there for its device, nor was what is in it.
    private func survey(_ root: ItemState, _ sweep: inout Sweep) throws(Reader.Failure) {
        var met: [Surveyed] = []
        // A move of the same request may have put a folder into itself.
        var seen: Set<ItemID> = []
        var open: [Surveyed] = [Surveyed(state: root, folder: nil, isAlive: false)]
        while let next = open.popLast() {
            let state = next.state
            guard seen.insert(state.id).inserted else { continue }
            if next.isAlive { sweep.survivors.append(state.id) }
            let place = met.count
            met.append(next)
            guard state.kind == .folder else { continue }
            for child in try children(of: state.id).reversed() {
                let isAlive = next.isAlive || !sweep.reach.covers(child)
                open.append(Surveyed(state: child, folder: place, isAlive: isAlive))
            }
        }
        for place in met.indices.reversed() {
            if !met[place].isAlive {
                sweep.removed.append(met[place].state)
            } else if let folder = met[place].folder {
                met[folder].isAlive = true
            }
        }
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
