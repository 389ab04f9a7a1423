import SyncCore

/// An item gets another name only if somebody, or the device itself, renamed it so.
struct PlaceChecker {
    let account: AccountTables
    /// By device: the renames on its disk.
    let renames: [DiskRenames]

    func violations() -> [Violation] {
        var violations: [Violation] = []
        var names: [ItemID: [UInt8]] = [:]
        var unplaced: Set<ItemID> = []
        for entry in account.log {
            let device = Int(entry.author.low) - 1
            for case .item(let state, _) in entry.effects {
                let old = names.updateValue(state.placement.name, forKey: state.id)
                // What has no place is given one, by any device.
                let hadNone = unplaced.contains(state.id)
                if state.standing == .unplaced {
                    unplaced.insert(state.id)
                } else {
                    unplaced.remove(state.id)
                }
                guard !hadNone, let old, old != state.placement.name, let from = Name(old),
                    let to = Name(state.placement.name)
                else { continue }
                // So is what comes back with a server that was restored, if another has its name.
                guard !renames[device].lead(from: from, to: to),
                    !account.returned.contains(state.id)
                else { continue }
                violations.append(
                    Violation(
                        promise: "a name changes only if somebody changed it",
                        text: "entry \(entry.position.number) renames \(from.text) to \(to.text) "
                            + "for device \(device), where nobody did"))
            }
        }
        return violations
    }
}

/// Which names were given instead of which others on one disk.
struct DiskRenames {
    private(set) var targets: [Name: Set<Name>] = [:]
    /// Names that the device's program gave by itself.
    private(set) var given: Set<Name> = []

    /// Also those of another disk, or of this one at another time.
    mutating func add(_ other: DiskRenames) {
        targets.merge(other.targets) { $0.union($1) }
        given.formUnion(other.given)
    }

    mutating func note(from: Name, to: Name, by actor: DiskActor) {
        guard from != to else { return }
        // Under its placeholder's name, or back.
        let isOwn = Placeholder.name(for: from) == to || Placeholder.name(for: to) == from
        if actor == .device, isOwn { return }
        targets[from, default: []].insert(to)
        if actor == .device { given.insert(to) }
        let old = Placeholder.original(of: from) ?? from
        let new = Placeholder.original(of: to) ?? to
        if old != new { targets[old, default: []].insert(new) }
    }

    /// A power failure takes renames back.
    mutating func takeBack() {
        for (from, names) in targets {
            for to in names { targets[to, default: []].insert(from) }
        }
    }

    func lead(from: Name, to: Name) -> Bool {
        if given.contains(to) { return true }
        var open = [from]
        var seen: Set<Name> = [from]
        while let next = open.popLast() {
            if next == to { return true }
            for name in targets[next] ?? [] where seen.insert(name).inserted { open.append(name) }
        }
        return false
    }
}
