import SyncCore
import SyncStore

/// What may be dropped, and what may be deleted: looked at when it happens.
extension Simulation {
    private static let age = "what may be wanted is kept"
    private static let unseen = "a deletion takes what its device had"
    private static let unmounted = "a disk that is not there deletes nothing"

    // MARK: - Collecting

    /// A content goes after thirty days that really passed, if it is no head and on nobody's disk.
    mutating func checkCollection(_ changes: [AccountChange]) {
        for case .collected(let id) in changes {
            counts[.collected] += 1
            if let text = objection(toCollecting: id) {
                found.append(Violation(promise: Self.age, text: "\(id.text) \(text)"))
            } else if let bytes = server.durable.content(of: id) {
                witness.note(expired: bytes)
            }
        }
    }

    private func objection(toCollecting id: VersionID) -> String? {
        let account = server.durable
        guard let item = account.version(id)?.item else { return "is not known" }
        if account.items[item]?.heads.contains(where: { $0.version == id }) == true {
            return "is a head"
        }
        let number = account.replacements[id] ?? .max
        if witness.days(since: number) <= 30 {
            return "was replaced \(witness.days(since: number)) days ago"
        }
        for device in devices where !witness.isSilent(device.index) {
            // An image may be older than what it has told; who has not met this history has told
            // nothing of it.
            let told = account.reports[device.index].number
            guard installedNumber(of: device.index) >= told, isOfThisHistory(device.index) else {
                continue
            }
            let base = device.store.committed.replica.nodes[item]?.base
            if base?.version == id {
                return "is on the disk of device \(device.index), which has told \(told), and was "
                    + "replaced at \(number)"
            }
        }
        return nil
    }

    // MARK: - Deleting

    /// An item goes to the trash only by a device that had all its heads, and whose documents are
    /// there.
    mutating func checkDeletions(_ group: [SimulatedServer.Undurable]) {
        var items: [ItemID: ItemState] = [:]
        for answered in group {
            for case .item(let state) in answered.decision.changes {
                let before = items[state.id] ?? server.durable.items[state.id]
                items[state.id] = state
                // A folder's versions have nothing that could be lost.
                guard state.standing == .trashed, let before, state.kind != .folder else {
                    continue
                }
                check(before, deletedBy: answered.device)
            }
        }
    }

    private mutating func check(_ before: ItemState, deletedBy device: Int) {
        for head in before.heads where head.hasContent {
            if !witness.had(head.version, on: device) {
                found.append(
                    Violation(
                        promise: Self.unseen,
                        text: "device \(device) deletes \(before.id.text) with head "
                            + "\(head.version.text), which it never had"))
            }
            if devices[device].away?.items.contains(before.id) == true {
                found.append(
                    Violation(
                        promise: Self.unmounted,
                        text: "device \(device) deletes \(before.id.text), whose file is on a "
                            + "disk that is not mounted"))
            }
        }
    }
}
