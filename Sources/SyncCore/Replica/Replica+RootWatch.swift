/// Roots that are gone, replaced or empty: looked at again until they are back, or a person says
/// that it is meant.
extension Replica {
    /// Nothing tells of a disk that is mounted over a folder, so the roots are looked at now and
    /// then: with any event, and the shell sends one, ``ReplicaEvent/timer``, at least that often.
    package static var rootsInterval: Int64 { 10_000 }
    /// How long an emptied root, of which over half is back, must rest to be taken as it is.
    private static var refillingRest: Int64 { 30_000 }

    /// While a root is away the replica itself asks to be woken to look for it.
    var isARootAway: Bool { !emptiedRoots.isEmpty || isARootMissing }

    mutating func lookAtRoots() {
        guard let due = rootsDue else {
            rootsDue = now.steady.advanced(milliseconds: Replica.rootsInterval)
            return
        }
        guard due <= now.steady else { return }
        rootsDue = now.steady.advanced(milliseconds: Replica.rootsInterval)
        guard disk.isListed(.top) else { return }
        for root in roots() {
            guard let base = base(root), let path = path(of: base.slot) else { continue }
            if disk.isListed(base.slot.folder) {
                actions.append(.look(slot: base.slot, path: path))
            }
            guard emptiedRoots.contains(root) else { continue }
            actions.append(.list(folder: root, path: path))
        }
    }

    /// Containers, and what is a root in them.
    private func roots() -> [ItemID] {
        var roots: [ItemID] = []
        for (_, container) in (slots[.top] ?? [:]).sorted(by: { $0.key < $1.key }) {
            roots.append(container)
            let documents = Slot(folder: container, name: Replica.documents)
            if let item = item(at: documents) { roots.append(item) }
        }
        return roots
    }

    /// Something is seen in an emptied root.
    mutating func noteRefilling(_ slot: Slot) {
        guard emptiedRoots.contains(slot.folder) else { return }
        refilled[slot.folder] = now.steady
        noteRefilled(slot.folder)
    }

    /// An emptied root is back when all that it held is, or over half and nothing more comes.
    mutating func noteRefilled(_ root: ItemID) {
        guard emptiedRoots.contains(root) else { return }
        let names = slots[root] ?? [:]
        let missing = names.keys.count { disk[Slot(folder: root, name: $0)] == nil }
        // What was made in it since is none of what it held.
        let held = max(Int(nodes[root]?.record.heldWhenEmptied ?? 0), missing)
        let isResting =
            refilled[root].map {
                now.steady.milliseconds(since: $0) >= Replica.refillingRest
            } ?? false
        if missing < names.count, refilled[root] == nil { refilled[root] = now.steady }
        guard missing == 0 || (missing * 2 < held && isResting) else { return }
        takeAsItIs(root)
    }

    private mutating func takeAsItIs(_ root: ItemID) {
        setEmptied(root, nil)
        refilled[root] = nil
        // Nothing may have told of all that came back with it.
        if let path = path(of: root) { actions.append(.list(folder: root, path: path)) }
        for member in baseMembers(of: root) {
            if let slot = base(member)?.slot { touch(slot) }
        }
        // What was to come, or to go, meanwhile.
        for id in nodes.keys.sorted() where nodes[id]?.needsPlan == true { dirtyItems.insert(id) }
        actions.append(.notify(.statusChanged))
    }

    /// What the roots show is what a person wants: what is missing in them was deleted.
    mutating func confirmRoots() {
        for root in roots() {
            guard let base = base(root) else { continue }
            if emptiedRoots.contains(root) {
                takeAsItIs(root)
            } else if disk.isListed(base.slot.folder) {
                confirm(root, base, disk[base.slot])
            }
        }
    }

    private mutating func confirm(_ root: ItemID, _ base: BaseState, _ entry: DiskEntry?) {
        guard let entry else {
            confirmedRoots.insert(root)
            makeAgain(base.slot)
            return
        }
        guard entry.kind == .folder, entry.stamp.identity != base.stamp.identity else { return }
        confirmedRoots.insert(root)
        var base = base
        base.stamp = entry.stamp
        disk.drop(root)
        setBase(root, base)
        if let path = path(of: base.slot) { listFolder(root, at: path) }
    }
}
