package import SyncCore

/// Runs many schedules and sums up what they met.
package struct Runner {
    /// A schedule that broke a promise, made as short as was cheap.
    package struct Failure {
        package let report: Report
        package let isShortened: Bool
    }

    package private(set) var schedules = 0
    package private(set) var failures: [Failure] = []
    package private(set) var digest = TraceDigest()
    private var sums = Counts()
    /// In how many schedules an occasion came at least once.
    private var shares = Counts()
    /// The promises that were broken, with the number of schedules.
    private var broken: [String: Int] = [:]
    private let mutant: Mutant?
    /// How many failures are told in full.
    private let tellable: Int

    package init(mutant: Mutant? = nil, tellable: Int = 3) {
        self.mutant = mutant
        self.tellable = tellable
    }

    package var violations: Int { schedules == 0 ? 0 : broken.values.reduce(0, +) }

    /// The seed of a run's schedule: neighbours have nothing in common.
    package static func seed(_ first: UInt64, _ number: Int) -> UInt64 {
        mixed(first &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
    }

    package mutating func run(seed: UInt64, devices: Int?) {
        let report = Runner.report(of: Plan(seed: seed, devices: devices), mutant)
        schedules += 1
        digest.add(report.digest.value)
        for occasion in Occasion.allCases {
            sums[occasion] += report.counts[occasion]
            if report.counts[occasion] > 0 { shares[occasion] += 1 }
        }
        guard let first = report.violations.first else { return }
        broken[first.promise, default: 0] += 1
        guard failures.count < tellable else { return }
        failures.append(Failure(report: shortened(report), isShortened: true))
    }

    private static func report(of plan: Plan, _ mutant: Mutant?, isTold: Bool = false) -> Report {
        var simulation = Simulation(plan: plan, mutant: mutant, isTold: isTold)
        return simulation.run()
    }

    /// Leaves out what the failure does not need: halves first, then smaller pieces.
    private func shortened(_ report: Report) -> Report {
        guard let promise = report.violations.first?.promise else { return report }
        var plan = report.plan
        var size = max(1, plan.items.count / 2)
        // Each attempt at what never rests takes long.
        var left = promise == Simulation.rest ? 60 : 400
        while size >= 1, left > 0 {
            var start = 0
            var hasShrunk = false
            while start < plan.items.count, left > 0 {
                left -= 1
                let shorter = plan.without(start..<min(start + size, plan.items.count))
                guard shorter.items.count < plan.items.count else {
                    start += size
                    continue
                }
                if Runner.report(of: shorter, mutant).violations.first?.promise == promise {
                    plan = shorter
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            if size == 1, !hasShrunk { break }
            size = max(1, size / 2)
        }
        return Runner.report(of: plan, mutant, isTold: true)
    }

    /// In how many schedules the occasion came.
    package func share(of occasion: Occasion) -> Int { shares[occasion] }

    /// Means and shares, a line an occasion.
    package var summary: [String] {
        guard schedules > 0 else { return [] }
        return Occasion.allCases.map { occasion in
            let mean = decimal(sums[occasion], over: schedules)
            let share = 100 * shares[occasion] / schedules
            return "\(occasion.rawValue): mean \(mean), in \(share)% of schedules"
        }
    }

    /// The broken promises, a line each, in their order.
    package var brokenPromises: [String] {
        broken.keys.sorted().map { "\($0): \(broken[$0] ?? 0) schedules" }
    }

    private func decimal(_ sum: Int, over count: Int) -> String {
        let tenths = (sum * 10 + count / 2) / count
        return "\(tenths / 10).\(tenths % 10)"
    }
}
