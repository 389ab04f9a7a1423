package import SyncCore

/// One schedule, run once in clear and, for one in four seeds, once more with a blind server.
package struct Trial: Sendable {
    package static let blind = "the server decides the same without reading"

    package var plan: Plan
    let mutant: Mutant?

    package init(_ plan: Plan, mutant: Mutant? = nil) {
        self.plan = plan
        self.mutant = mutant
    }

    /// The seeds whose schedules are run a second time with names, facts and contents encrypted.
    package var isRunBlind: Bool { mixed(plan.seed) % 4 == 0 }

    package func report(isTold: Bool = false) -> Report {
        var simulation = Simulation(plan: plan, mutant: mutant, isTold: isTold)
        var report = simulation.run()
        guard isRunBlind, report.violations.isEmpty else { return report }
        report.counts[.blindRun] += 1
        if blindShape() != report.shape {
            report.violations.append(
                Violation(
                    promise: Trial.blind,
                    text: "with names, facts and contents encrypted the ids, heads, places or "
                        + "numbers are others"))
        }
        return report
    }

    private func blindShape() -> TraceDigest { runBlind(isTold: false).wholeShape }

    private func runBlind(isTold: Bool) -> Simulation {
        let cipher = Cipher(key: mixed(plan.seed ^ 0xC1F4_E200_0000_0001))
        var simulation = Simulation(plan: plan, mutant: mutant, isTold: isTold, cipher: cipher)
        _ = simulation.runToTheEnd()
        return simulation
    }

    /// What happens with a blind server, in words.
    package var blindStory: [String] { runBlind(isTold: true).story.lines }

    package var result: ScheduleResult {
        let report = report()
        return ScheduleResult(
            seed: plan.seed, digest: report.digest, counts: report.counts,
            broken: report.violations.first?.promise)
    }
}
