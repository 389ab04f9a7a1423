/// A folder's return from the trash: what its deletion took comes back, and nothing else.
extension Deliberation {
    mutating func restore(
        _ restoration: FolderRestoration, _ index: Int
    ) throws(Reader.Failure) -> Ruling {
        let version = restoration.version
        if let present = try record(of: version.id) { return .known(present.number) }
        guard version.nature == .edit, version.content == .none else {
            return .refused(.malformed)
        }
        let id = try resolve(restoration.folder)
        guard var folder = try state(id) else { return .refused(.unknownItem) }
        guard folder.kind == .folder else { return .refused(.wrongKind) }
        var effects: [Effect] = []
        if folder.standing == .trashed {
            add(version, to: id)
            folder.heads = [Head(version: version.id, hasContent: true)]
            folder.changed = nextNumber
            let revived = try settle(&folder, Placing(index: index, way: .revived))
            effects = revived.map { .item($0, introducing: nil) }
            effects.append(.item(folder, introducing: version))
        }
        var returning = Returning(
            restoration: restoration, swept: Set(restoration.swept), index: index)
        try restoreMembers(of: id, takenBy: restoration.deletion, &returning)
        effects += returning.effects
        guard !effects.isEmpty else { return .known(position.number) }
        // An edit of something in it had brought it back alone: the entry names it all the same.
        if folder.heads.first?.version != version.id {
            effects.append(.item(folder, introducing: nil))
        }
        return .accepted(effects)
    }

    /// What comes back with the folder.
    private struct Returning {
        let restoration: FolderRestoration
        let swept: Set<VersionID>
        let index: Int
        var effects: [Effect] = []
        /// A move of the same request may have put a folder into itself.
        var visited: Set<ItemID> = []

        /// The deletion that took what is in the member, if what took the member is undone.
        func undone(
            _ member: ItemState, takenBy deletion: VersionID, _ hash: HashFunction
        ) -> VersionID? {
            let taken = FolderRemoval.deletion(of: member.id, by: deletion, hash)
            if member.heads.contains(where: { $0.version == taken }) { return deletion }
            return member.heads.first { swept.contains($0.version) }?.version
        }
    }

    /// A step of the way through a folder, and the deletion that is undone there.
    private enum Step {
        case folder(ItemID, takenBy: VersionID)
        case member(ItemState, takenBy: VersionID)
    }

    private mutating func restoreMembers(
        of folder: ItemID, takenBy deletion: VersionID, _ returning: inout Returning
    ) throws(Reader.Failure) {
        var open: [Step] = [.folder(folder, takenBy: deletion)]
        while let step = open.popLast() {
            switch step {
            case .folder(let id, let deletion):
                guard returning.visited.insert(id).inserted else { continue }
                // The last first: what lives comes behind what comes back.
                for child in try children(of: id).reversed() where child.kind == .folder {
                    open.append(.folder(child.id, takenBy: deletion))
                }
                for member in try trashed(in: id).reversed() {
                    open.append(.member(member, takenBy: deletion))
                }
            case .member(let member, let deletion):
                guard let undone = returning.undone(member, takenBy: deletion, sender.hash),
                    let state = try restored(member, returning.restoration, returning.index)
                else { continue }
                returning.effects.append(.item(state, introducing: nil))
                if state.kind == .folder { open.append(.folder(state.id, takenBy: undone)) }
            }
        }
    }

    /// The member alive again, with new versions on top of its deletion; nil if the content of all
    /// that it was has been collected.
    private mutating func restored(
        _ member: ItemState, _ restoration: FolderRestoration, _ index: Int
    ) throws(Reader.Failure) -> ItemState? {
        var heads: [Head] = []
        for head in try contentBefore(member.heads) {
            guard let old = try reader.kept(head.version) else {
                // It was made in the same request.
                if versions[head.version]?.nature != .deletion, versions[head.version] != nil {
                    heads.append(head)
                }
                continue
            }
            guard old.hasContent else { continue }
            let version = Version(
                id: restoration.version(of: member.id, from: old.id, sender.hash),
                parents: member.heads.map { $0.version }, nature: .edit, facts: old.facts,
                content: old.content)
            add(version, to: member.id)
            heads.append(Head(version: version.id, hasContent: true))
        }
        guard !heads.isEmpty else { return nil }
        var state = member
        state.heads = heads
        state.changed = nextNumber
        let slot = TagSlot(folder: state.placement.folder, tag: state.placement.tag)
        state.standing = try holders(of: slot).isEmpty ? .placed : .unplaced
        if state.standing == .placed {
            try occupy(state, Placing(index: index, way: .revived))
        }
        set(state)
        return state
    }
}

extension FolderRestoration {
    /// The id of the version that a member comes back with, one for each head that it had.
    package func version(
        of member: ItemID, from head: VersionID, _ hash: HashFunction
    ) -> VersionID {
        VersionID(hash(version.id.bytes + member.bytes + head.bytes))
    }
}
