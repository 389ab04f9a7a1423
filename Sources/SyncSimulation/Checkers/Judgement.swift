import SyncCore
import SyncStore

/// What came of one schedule.
package struct Report: Sendable {
    package let plan: Plan
    package let violations: [Violation]
    package let counts: Counts
    package let digest: TraceDigest
    /// What happened in words; empty unless it was asked for.
    package let story: [String]
}

extension Simulation {
    static let rest = "all comes to rest"

    mutating func judge(isQuiet: Bool) -> Report {
        let account = server.durable
        var violations: [Violation] = []
        if !isQuiet {
            violations.append(
                Violation(promise: Simulation.rest, text: "it was still busy at the bound"))
        }
        violations += LogChecker().violations(in: account)
        violations += MergeChecker(account: account).violations()
        violations += acknowledged.violations(in: account)
        violations += LossChecker(ledger: ledger, account: account).violations()
        for device in devices {
            // A root that was found empty, as after a loss of power, is left alone until somebody
            // says what is meant: such a device says "unavailable" and agrees with nobody.
            let isUnavailable = device.replica?.status().missingRoots.isEmpty == false
            if !isUnavailable {
                violations += ConvergenceChecker(account: account).violations(
                    disk: device.disk, device: device.index)
            }
            if let replica = device.replica {
                violations += ConflictChecker(account: account).violations(
                    of: replica, device: device.index)
            }
            violations += ReplicaChecker(account: account).violations(
                image: device.store.committed.replica, device: device.index)
        }
        if plan.kind == .oneTypist {
            violations += TypistChecker(account: account).violations()
        }
        counts[.conflict] = account.items.values.count { item in
            item.heads.filter(\.hasContent).count > 1
        }
        counts[.crissCross] = MergeChecker(account: account).mergesWithSeveralAncestors
        for item in account.items.keys.sorted() { trace.add(item.high) }
        trace.add(account.position().digest.words.0)
        return Report(
            plan: plan, violations: violations, counts: counts, digest: trace, story: story.lines)
    }
}
