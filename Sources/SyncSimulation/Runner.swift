/// Sums up many schedules: what they met and what they broke.
package struct Runner {
    package private(set) var schedules = 0
    /// The first schedules that broke a promise.
    package private(set) var failures: [ScheduleResult] = []
    package private(set) var digest = TraceDigest()
    private var sums = Counts()
    /// In how many schedules an occasion came at least once.
    private var shares = Counts()
    /// The promises that were broken, with the number of schedules.
    private var broken: [String: Int] = [:]
    /// How many failures are kept.
    private let kept: Int

    package init(keeping kept: Int = 3) { self.kept = kept }

    package var violations: Int { broken.values.reduce(0, +) }

    /// The seed of a run's schedule: neighbours have nothing in common.
    package static func seed(_ first: UInt64, _ number: Int) -> UInt64 {
        mixed(first &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
    }

    package mutating func add(_ result: ScheduleResult) {
        schedules += 1
        digest.add(result.digest.value)
        for occasion in Occasion.allCases {
            sums[occasion] += result.counts[occasion]
            if result.counts[occasion] > 0 { shares[occasion] += 1 }
        }
        guard let promise = result.broken else { return }
        broken[promise, default: 0] += 1
        if failures.count < kept { failures.append(result) }
    }

    /// In how many schedules the occasion came.
    package func share(of occasion: Occasion) -> Int { shares[occasion] }

    /// Means and shares, a line an occasion, and what never came.
    package var summary: [String] {
        guard schedules > 0 else { return [] }
        var lines = Occasion.allCases.map { occasion in
            let mean = decimal(sums[occasion], over: schedules)
            let share = decimal(100 * shares[occasion], over: schedules)
            return "\(occasion.rawValue): mean \(mean), in \(share)% of schedules"
        }
        let missed = Occasion.allCases.filter { shares[$0] == 0 }
        if !missed.isEmpty {
            lines.append("never: \(missed.map(\.rawValue).joined(separator: ", "))")
        }
        return lines
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

/// What a run keeps of one schedule.
package struct ScheduleResult: Sendable {
    package let seed: UInt64
    package let digest: TraceDigest
    package let counts: Counts
    /// The first promise that it broke.
    package let broken: String?
}
