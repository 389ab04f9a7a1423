/// An item with content whose name is taken, or whose folder is gone: a device gives it a place.
///
/// The device that has its file does so at once, and so does the one that was asked to bring it
/// back; any other after a while, so that it is not left to the trash by a device that is away.
extension Replica {
    static var placingDelay: Int64 { 30_000 }

    mutating func placeUnplaced(_ id: ItemID, _ remote: ItemState) {
        guard restoring.contains(id) || hasWaited(id) else { return }
        retries[id] = nil
        guard isConnected, let slot = freeSlot(for: remote) else {
            retry(id, milliseconds: Replica.placingDelay)
            return
        }
        append(
            .move(
                item: id, placement: newPlacement(of: id, replacing: remote.placement.id, at: slot))
        )
    }

    /// Whether the time has come; the first look at it begins the waiting.
    private mutating func hasWaited(_ id: ItemID) -> Bool {
        guard let retry = retries[id] else {
            retries[id] = Retry(
                attempts: 1, at: now.steady.advanced(milliseconds: Replica.placingDelay))
            return false
        }
        return retry.at <= now.steady || retry.at.nanoseconds == .max
    }

    /// Its own name in its own folder if it can have that, else the next free name.
    private mutating func freeSlot(for remote: ItemState) -> Slot? {
        guard let wanted = slot(of: remote.placement) else {
            nodes[remote.id]?.problem = .unreadable
            return nil
        }
        guard let folder = standingFolder(wanted.folder) else { return nil }
        guard isTaken(wanted.name, in: folder) else {
            return Slot(folder: folder, name: wanted.name)
        }
        let name = FreeName.beside(wanted.name) { isTaken($0, in: folder) }
        return Slot(folder: folder, name: name)
    }

    /// The folder; the first container's `Documents` instead of one that the account does not have;
    /// nil while it is not placed itself.
    private func standingFolder(_ folder: ItemID) -> ItemID? {
        if folder == .top || nodes[folder]?.record.remote?.standing == .placed { return folder }
        if nodes[folder]?.record.remote?.standing == .unplaced { return nil }
        for container in (remoteChildren[.top] ?? []).sorted() {
            let documents = newItemID(
                in: Slot(folder: container, name: Replica.documents), kind: .folder)
            if nodes[documents]?.record.remote?.standing == .placed { return documents }
        }
        return nil
    }

    /// Whether the folder that an item lies in here waits for a place too, or is not in the account
    /// yet: that one goes first.
    func liesInUnplaced(_ base: BaseState) -> Bool {
        guard base.slot.folder != .top, let folder = nodes[base.slot.folder] else { return false }
        return folder.record.remote.map { $0.standing == .unplaced } ?? true
    }

    /// Called with each new remote state of an item.
    mutating func notePlace(_ state: ItemState, before: ItemState?) {
        // What waited to give it a place has nothing to wait for.
        if before?.standing == .unplaced, state.standing != .unplaced { retries[state.id] = nil }
        if state.standing == .placed { restoring.remove(state.id) }
    }
}
