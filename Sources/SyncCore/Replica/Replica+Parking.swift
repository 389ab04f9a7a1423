/// Names that go round: who is in the way of others is put aside for the moment.
extension Replica {
    /// Asks an item to leave its name for another one.
    ///
    /// Where the other has to leave its own name first for that, one of those that wait for each
    /// other is put aside.
    mutating func makeWay(_ other: ItemID, for id: ItemID) {
        dirtyItems.insert(other)
        if let base = base(id), !base.isParked, outermost(between: other, and: id) != nil {
            // It lies in what is in its way, and would be put aside with it.
            park(id)
            return
        }
        guard let circle = circle(from: other, to: id) else { return }
        // What lies in it has to leave it, and could not be reached any more.
        guard let inner = circle.first(where: { outermost(between: other, and: $0) != nil }) else {
            park(other)
            return
        }
        // There may be more of that.
        if let slot = baseSlot(inner) { waiting[slot, default: []].insert(id) }
        if !park(inner) { retry(id, milliseconds: 500) }
    }

    /// The folder that it goes into is not here yet, and may be waiting for the name that it has.
    mutating func stepAside(_ id: ItemID, _ base: BaseState) {
        guard !base.isParked else { return }
        let waiters = (waiting[base.slot] ?? []).sorted()
        if waiters.contains(where: { $0 != id && circle(from: id, to: $0) != nil }) { park(id) }
    }

    /// Those that wait one for the next, from one item round to another; nil if they do not.
    private func circle(from first: ItemID, to id: ItemID) -> [ItemID]? {
        var waiters: [ItemID: ItemID] = [first: id]
        var open = [first]
        while let member = open.popLast() {
            for next in obstacles(to: member) {
                if next == id { return way(from: first, to: member, waiters) }
                guard waiters[next] == nil else { continue }
                waiters[next] = member
                open.append(next)
            }
        }
        return nil
    }

    private func way(
        from first: ItemID, to last: ItemID, _ waiters: [ItemID: ItemID]
    ) -> [ItemID] {
        var way = [last]
        while let member = way.last, member != first, let waiter = waiters[member] {
            way.append(waiter)
        }
        return way.reversed()
    }

    /// What has to go before an item can go where it belongs, or at all.
    private func obstacles(to id: ItemID) -> [ItemID] {
        if let record = nodes[id]?.record, record.base?.isParked == false,
            record.remote?.standing == .trashed
        {
            return (slots[id] ?? [:]).values.filter(staysOrHolds).sorted()
        }
        guard let slot = goal(of: id) else { return [] }
        if let occupant = item(at: slot), occupant != id { return [occupant] }
        // A folder above its place that is not there; or, if that place lies in the item itself,
        // the outermost folder that is to leave it.
        var leaving: ItemID?
        var folder = slot.folder
        while folder != .top, folder != id {
            guard let base = base(folder), !base.isParked else { return [folder] }
            if goal(of: folder) != nil { leaving = folder }
            folder = base.slot.folder
        }
        guard folder == id, let leaving else { return [] }
        return [leaving]
    }

    /// Whether an item keeps the folder that it is in from being removed by more than its own
    /// removal.
    private func staysOrHolds(_ id: ItemID) -> Bool {
        goal(of: id) != nil || nodes[id]?.record.kind == .folder
    }

    /// Where an item belongs, if it is not there.
    private func goal(of id: ItemID) -> Slot? {
        guard let record = nodes[id]?.record, let remote = record.remote,
            remote.standing == .placed, let own = slot(of: remote.placement), let node = nodes[id]
        else { return nil }
        let slot = wantedBerth(of: id, node, at: own).slot
        if let base = record.base, !base.isParked, base.slot == slot { return nil }
        return slot
    }

    /// False if that cannot be done now.
    @discardableResult
    private mutating func park(_ id: ItemID) -> Bool {
        guard let node = nodes[id], node.job == nil, node.pending == 0,
            var base = node.record.base, !base.isParked, let path = path(of: id)
        else { return false }
        // Durable before the file moves: a crash in between must not look like a deletion.
        base.isParked = true
        setBase(id, base)
        begin(id, .park(from: path, expected: base.stamp))
        return true
    }

    /// The name in a folder under which another folder lies within it; nil if it does not.
    func outermost(between folder: ItemID, and inner: ItemID) -> Slot? {
        var id = inner
        while id != .top, let base = base(id), !base.isParked {
            if base.slot.folder == folder { return base.slot }
            id = base.slot.folder
        }
        return nil
    }

    /// Back under any free name, from where it is judged, or goes on.
    mutating func unparkBeside(_ id: ItemID, _ base: BaseState, isNaming: Bool = false) {
        guard base.slot.folder == .top || self.base(base.slot.folder) != nil else { return }
        let berth = freeBerth(for: base)
        guard let path = path(of: berth.slot) else { return awaitPath(id) }
        begin(
            id, .unpark(to: path, expected: base.stamp), isAside: berth.isAside, isNaming: isNaming)
    }
}
