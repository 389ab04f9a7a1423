import SyncCore
import SyncStore

/// What came of one schedule.
package struct Report: Sendable {
    package let plan: Plan
    package internal(set) var violations: [Violation]
    package internal(set) var counts: Counts
    package let digest: TraceDigest
    /// Of ids, heads, places and numbers: the same if the server cannot read.
    package let shape: TraceDigest
    /// Operations sent in the calm, and their bound.
    package let calm: (operations: Int, bound: Int)
    /// What happened in words; empty unless it was asked for.
    package let story: [String]
}

extension Simulation {
    static let rest = "all comes to rest"

    mutating func judge(isQuiet: Bool) -> Report {
        let account = server.durable
        if isHalted { return report(found) }
        var violations = found
        if !isQuiet {
            violations.append(
                Violation(promise: Simulation.rest, text: "it was still busy at the bound"))
        }
        violations += LogChecker().violations(in: account)
        violations += MergeChecker(account: account).violations()
        violations += TreeChecker(account: account).violations()
        violations += PackageChecker(ledger: ledger, account: account).violations()
        violations += acknowledged.violations(in: account)
        violations += LossChecker(
            ledger: ledger, account: account, commitTimes: server.commitTimes,
            witness: witness
        ).violations()
        let convergence = ConvergenceChecker(account: account)
        for device in devices {
            // A root that was found empty, as after a loss of power, is left alone until somebody
            // says what is meant: such a device says "unavailable" and agrees with nobody.
            let isUnavailable = device.replica?.isARootMissing == true
            if !isUnavailable {
                violations += convergence.violations(of: device)
            }
            if let replica = device.replica {
                violations += ConflictChecker(account: account).violations(
                    of: replica, device: device.index)
            }
            violations += ReplicaChecker(account: account).violations(
                image: device.store.committed.replica, device: device.index,
                isUnavailable: isUnavailable)
            if let replica = device.replica {
                let synced = SyncedChecker(account: account)
                violations += synced.conflicts(replica, device.index)
                violations += synced.violations(atRest: replica, device.index)
            }
        }
        violations += PlaceChecker(account: account, renames: renames).violations()
        violations += registerChecker.violations()
        violations += calmChecker.violations()
        // Where deletions are held back, a name that is used again is a clash.
        noteUnavailable()
        if plan.kind == .oneTypist, !wasUnavailable {
            violations += TypistChecker(account: account).violations()
        }
        counts[.conflict] = account.items.values.count { item in
            item.heads.filter(\.hasContent).count > 1
        }
        counts[.crissCross] = MergeChecker(account: account).mergesWithSeveralAncestors
        return report(violations)
    }

    private mutating func report(_ violations: [Violation]) -> Report {
        for item in server.durable.items.keys.sorted() { trace.add(item.high) }
        trace.add(server.durable.position().digest.words.0)
        return Report(
            plan: plan, violations: violations, counts: counts, digest: trace, shape: wholeShape,
            calm: (calmChecker.operations, calmChecker.bound), story: story.lines)
    }

    /// The shape with what the devices have in the end.
    var wholeShape: TraceDigest {
        devices.reduce(into: shape) { $0.add(shapeOf: $1.store.committed.replica) }
    }

    /// By device; what a restored server has lost is told again by whoever has it.
    private var renames: [DiskRenames] {
        guard counts[.serverRestored] > 0 else { return devices.map(\.disk.renames) }
        var all = DiskRenames()
        for device in devices { all.add(device.disk.renames) }
        return devices.map { _ in all }
    }

    private var registerChecker: RegisterChecker {
        RegisterChecker(
            ledger: ledger, account: server.durable, sent: sentWrites,
            jumped: devices.map(\.hasClockJumped),
            serverError: server.hasClockJumped ? nil : server.clockError / 1_000_000)
    }

    private var calmChecker: CalmChecker {
        CalmChecker(changed: changedAtCalm, devices: devices.count, operations: decidedInCalm)
    }
}
