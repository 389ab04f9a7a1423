import SyncCore

/// "In sync" is never said when it is not so: the disk is what the server's log says at the number
/// that the device names, and its conflicts are the log's.
struct SyncedChecker {
    static let promise = "in sync is said only when it is so"

    let account: AccountTables

    /// Nothing to say about a device that is not in sync, or not at the newest number.
    func violations(_ device: SimulatedDevice) -> [Violation] {
        guard let replica = device.replica, replica.cursor == account.position(),
            replica.isQuiet, replica.status().isInSync
        else { return [] }
        var violations = ConvergenceChecker(account: account).violations(of: device)
            .map { Violation(promise: Self.promise, text: $0.text) }
        violations += conflicts(replica, device.index)
        return violations
    }

    /// When all is at rest a device says that it is in sync, or what it waits for.
    func violations(atRest replica: Replica, _ device: Int) -> [Violation] {
        let status = replica.status()
        guard !status.isInSync, status.missingRoots.isEmpty, status.unconfirmed == 0,
            status.stuck.isEmpty
        else { return [] }
        let items = status.unsettled.map {
            "\($0.id.text) \($0.progress) \($0.problem as Any) next at \($0.nextAttempt as Any)"
        }
        return [
            Violation(
                promise: "in the end all devices say that they are in sync",
                text: "device \(device) does not: \(items.joined(separator: ", "))")
        ]
    }

    /// What a device calls a conflict is one, with the same versions.
    func conflicts(_ replica: Replica, _ device: Int) -> [Violation] {
        var theirs: [ItemID: [VersionID]] = [:]
        for item in account.items.values where item.heads.count > 1 {
            let heads = item.heads.filter(\.hasContent).map(\.version)
            if heads.count > 1 { theirs[item.id] = heads }
        }
        var violations: [Violation] = []
        for item in replica.conflicts() where theirs[item] != replica.heads(of: item) {
            violations.append(broken(device, item, "calls \(item.text) a conflict"))
        }
        for item in theirs.keys.sorted() where replica.heads(of: item) != theirs[item] {
            violations.append(broken(device, item, "does not know the conflict of \(item.text)"))
        }
        return violations
    }

    private func broken(_ device: Int, _ item: ItemID, _ text: String) -> Violation {
        Violation(
            promise: "a device's conflicts are the log's", text: "device \(device) \(text)")
    }
}
