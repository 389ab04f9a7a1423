import SyncCore
import SyncStore
import SyncWire

/// What is checked while the schedule runs.
extension Simulation {
    /// At some of the events, and at a device that has heard all that happened on its disk.
    mutating func checkSynced(_ item: Plan.Item) {
        guard cipher == nil, item.salt % 5 == 0 else { return }
        let device = devices[Int(item.salt / 5 % UInt64(devices.count))]
        guard device.actions.isEmpty, device.inbox.isEmpty, device.jobs.isEmpty,
            device.disk.notices.isEmpty, !device.isWatcherDue
        else { return }
        found += SyncedChecker(account: server.durable).violations(device)
    }

    /// A root that was found empty was not taken for deletions: such a device is behind.
    mutating func noteUnavailable() {
        wasUnavailable =
            wasUnavailable
            || devices.contains { $0.replica?.isARootMissing == true }
    }

    mutating func checkDestroyed(on index: Int) {
        guard !devices[index].disk.destroyed.isEmpty else { return }
        let saves = devices[index].disk.destroyed
        devices[index].disk.destroyed = []
        guard cipher == nil else { return }
        // Who has not met the server's new history goes by the one that it knows.
        let known = isOfThisHistory(index) ? known : known.union(knownBefore)
        let checker = OverwriteChecker(ledger: ledger, known: known, now: now)
        let others = counts[.serverRestored] > 0 ? devices : []
        found += saves.compactMap {
            checker.violation(of: $0, on: devices[index], others: others)
        }
    }

    /// An account that is no tree cannot be worked with.
    mutating func haltIfBroken() {
        for entry in server.group.flatMap(\.decision.entries) {
            for case .item(let state, nil) in entry.effects
            where state.kind == .folder
                && server.tables.items[state.id]?.standing == .placed
            {
                guard !TreeChecker.hangs(state.id, in: server.tables) else { continue }
                found.append(
                    Violation(
                        promise: "the account is a tree",
                        text: "entry \(entry.position.number) puts a folder into itself"))
                isHalted = true
            }
        }
    }

    mutating func noteWrites(_ waiting: SimulatedServer.Waiting) {
        for carried in waiting.message.operations {
            guard case .write(let write) = carried.operation.body else { continue }
            // What a restored server has lost is offered as if it were from before the first pull,
            // unless it is newer than what the server has.
            let before = sentWrites[write.id]
            sentWrites[write.id] = RegisterChecker.Sent(
                device: before?.device ?? waiting.device,
                beforeFirstPull: write.beforeFirstPull && before?.beforeFirstPull ?? true)
        }
    }

    /// Nothing breaks any more, and nobody begins anything new.
    mutating func beginCalm() {
        isCalm = true
        guard cipher == nil else { return }
        let checker = ConvergenceChecker(account: server.durable)
        changedAtCalm = devices.reduce(0) { sum, device in
            sum + checker.violations(of: device).count
                + device.store.committed.replica.outbox.count + device.programs.count
        }
    }
}
