/// A move out of a folder that was deleted meanwhile: it counts, whichever came first.
extension Deliberation {
    /// Brings back an item that went with its folder, at the place that a device had given it.
    ///
    /// A new name alone does not count, nor does a move of what was deleted for itself.
    mutating func rescue(
        _ trashed: ItemState, to placement: Placement, _ index: Int
    ) throws(Reader.Failure) -> Ruling {
        let folder = try resolve(placement.folder)
        guard folder != trashed.placement.folder, try isStanding(folder),
            let deletion = try folderDeletion(of: trashed), try isKept(trashed)
        else { return .refused(.stalePlace) }
        if case .refused(let refusal)? = rulings[index] { return .refused(refusal) }
        var state = trashed
        state.placement = placement.moved(to: folder)
        comeBack(&state, try contentBefore(state.heads))
        try occupy(state, Placing(index: index, way: .moved))
        set(state)
        var effects: [Effect] = [.item(state, introducing: nil)]
        try rescueMembers(of: state, deletion, index, &effects)
        return .accepted(effects)
    }

    /// The deletion of a folder above the item, if that is what took it.
    private func folderDeletion(of state: ItemState) throws(Reader.Failure) -> VersionID? {
        var seen: Set<ItemID> = [state.id]
        var next = state.placement.folder
        while next != .top, seen.insert(next).inserted, let folder = try self.state(next) {
            for head in folder.heads where !head.hasContent {
                let taken = FolderRemoval.deletion(of: state.id, by: head.version, sender.hash)
                if state.heads.contains(where: { $0.version == taken }) { return head.version }
            }
            next = folder.placement.folder
        }
        return nil
    }

    /// What the same deletion took of a folder comes along.
    private mutating func rescueMembers(
        of folder: ItemState, _ deletion: VersionID, _ index: Int, _ effects: inout [Effect]
    ) throws(Reader.Failure) {
        var open = try trashedMembers(of: folder)
        while let member = open.popLast() {
            let taken = FolderRemoval.deletion(of: member.id, by: deletion, sender.hash)
            guard member.heads.contains(where: { $0.version == taken }), try isKept(member)
            else { continue }
            var state = member
            comeBack(&state, try contentBefore(state.heads))
            let slot = TagSlot(folder: state.placement.folder, tag: state.placement.tag)
            if try holders(of: slot).isEmpty {
                try occupy(state, Placing(index: index, way: .revived))
            } else {
                state.standing = .unplaced
            }
            set(state)
            effects.append(.item(state, introducing: nil))
            open += try trashedMembers(of: state)
        }
    }

    /// The last first.
    private func trashedMembers(of folder: ItemState) throws(Reader.Failure) -> [ItemState] {
        folder.kind == .folder ? try trashed(in: folder.id).reversed() : []
    }

    /// Whether all that the item was is still to be had.
    private func isKept(_ trashed: ItemState) throws(Reader.Failure) -> Bool {
        for head in try contentBefore(trashed.heads)
        where versions[head.version] == nil {
            if try reader.kept(head.version) == nil { return false }
        }
        return true
    }

    private mutating func comeBack(_ state: inout ItemState, _ heads: [Head]) {
        state.heads = heads
        if state.kind != .folder {
            for head in heads { changes.append(.replaced(head.version, number: nil)) }
        }
        state.changed = nextNumber
        state.standing = .placed
    }
}
