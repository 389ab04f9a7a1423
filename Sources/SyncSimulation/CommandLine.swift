package import SyncCore

/// What `simulate` was asked for.
package struct SimulationCommand: Hashable, Sendable {
    package var schedules = 100
    package var seed: UInt64 = 1
    /// Nil if the seed decides.
    package var devices: Int?
    package var mutant: Mutant?
    package var isMutantsRun = false
    /// Runs this one schedule and tells all of it.
    package var only: UInt64?
    /// Tells the one schedule as it goes with everything encrypted.
    package var isBlind = false
    /// Names the seeds that fail, and tells no stories.
    package var isBrief = false
    /// Also servers and devices that go back to what they were, and devices that are revoked.
    package var hasHistories = true
    /// How many schedules are run at a time; what is printed does not depend on it.
    package var jobs = 1

    package static let usage =
        "usage: simulate [--schedules N] [--seed S] [--devices D] [--mutant NAME] [--jobs J]"
        + " [--brief] [--without-histories]"
        + " | --mutants [--schedules N] | --only SEED [--devices D] [--mutant NAME] [--blind]"

    /// Nil for what is no such command.
    package init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--mutants":
                isMutantsRun = true
                continue
            case "--blind":
                isBlind = true
                continue
            case "--brief":
                isBrief = true
                continue
            case "--without-histories":
                hasHistories = false
                continue
            default: break
            }
            guard let value = rest.popFirst() else { return nil }
            switch option {
            case "--schedules": guard set(\.schedules, Int(value)) else { return nil }
            case "--seed": guard set(\.seed, UInt64(value)) else { return nil }
            case "--devices": guard set(\.devices, Int(value)) else { return nil }
            case "--jobs": guard set(\.jobs, Int(value)) else { return nil }
            case "--mutant":
                guard let named = Mutant(rawValue: value) else { return nil }
                mutant = named
            case "--only": guard set(\.only, UInt64(value)) else { return nil }
            default: return nil
            }
        }
        guard schedules > 0, (2...5).contains(devices ?? 2), (1...64).contains(jobs) else {
            return nil
        }
    }

    private mutating func set<Value>(
        _ field: WritableKeyPath<SimulationCommand, Value>, _ value: Value?
    ) -> Bool {
        guard let value else { return false }
        self[keyPath: field] = value
        return true
    }

    /// Runs the schedules with the numbers of a range, and gives their results in order.
    package typealias Work = (
        _ numbers: Range<Int>, _ schedule: @escaping @Sendable (Int) -> ScheduleResult
    ) -> [ScheduleResult]

    /// Runs and prints; whether all was well decides the exit status.
    package func run(
        print: (String) -> Void, work: Work = { numbers, schedule in numbers.map(schedule) }
    ) -> Bool {
        if isMutantsRun { return runMutants(print, work) }
        if let only { return tell(only, print) }
        var runner = Runner(keeping: 100)
        forEach(mutant, upTo: schedules, work) { result in
            runner.add(result)
            return true
        }
        for failure in runner.failures.prefix(isBrief ? 0 : 3) { tell(failure, print) }
        for failure in runner.failures { print("seed \(failure.seed): \(failure.broken ?? "")") }
        for line in runner.summary { print(line) }
        for line in runner.brokenPromises { print("BROKEN \(line)") }
        print("trace \(runner.digest.text)")
        print("\(runner.schedules) schedules, \(runner.violations) violations")
        return runner.violations == 0
    }

    /// In pieces, so that a run that may end early does not do all; false ends it.
    private func forEach(
        _ mutant: Mutant?, upTo count: Int, _ work: Work, take: (ScheduleResult) -> Bool
    ) {
        let piece = 32 * jobs
        var start = 0
        while start < count {
            let numbers = start..<min(start + piece, count)
            let results = work(numbers) { number in
                Trial(plan(Runner.seed(seed, number)), mutant: mutant).result
            }
            for result in results where !take(result) { return }
            start = numbers.upperBound
        }
    }

    private func plan(_ seed: UInt64) -> Plan {
        Plan(seed: seed, devices: devices, hasHistories: hasHistories)
    }

    private func tell(_ failure: ScheduleResult, _ print: (String) -> Void) {
        let plan = plan(failure.seed)
        guard var shrinking = Shrinking(Trial(plan, mutant: mutant)) else { return }
        let report = shrinking.shortest()
        print(
            "seed \(failure.seed), shortened to \(report.plan.items.count) events on "
                + "\(report.plan.devices) devices:")
        for line in excerpt(report.story) { print("  \(line)") }
        for violation in report.violations.prefix(10) {
            print("  VIOLATION \(violation.promise): \(violation.text)")
        }
    }

    /// The beginning and the end of what is too long to read.
    private func excerpt(_ story: [String]) -> [String] {
        guard story.count > 500 else { return story }
        return story.prefix(300) + ["..."] + story.suffix(200)
    }

    private func tell(_ seed: UInt64, _ print: (String) -> Void) -> Bool {
        let trial = Trial(plan(seed), mutant: mutant)
        if isBlind {
            for line in trial.blindStory { print(line) }
            return true
        }
        let report = trial.report(isTold: true)
        for line in report.story { print(line) }
        for violation in report.violations {
            print("VIOLATION \(violation.promise): \(violation.text)")
        }
        print("1 schedules, \(report.violations.isEmpty ? 0 : 1) violations")
        return report.violations.isEmpty
    }

    /// Each mutant until it is caught, or for as many schedules as were asked for.
    ///
    /// A schedule that breaks a promise without the mutant too has not caught it.
    private func runMutants(_ print: (String) -> Void, _ work: Work) -> Bool {
        let mutants = Mutant.allCases.filter { mutant == nil || $0 == mutant }
        var caught = 0
        for mutant in mutants {
            var count = 0
            var promise: String?
            forEach(mutant, upTo: schedules, work) { result in
                count += 1
                guard let broken = result.broken else { return true }
                let plan = plan(result.seed)
                guard Trial(plan).report().violations.isEmpty else { return true }
                promise = broken
                return false
            }
            if promise != nil { caught += 1 }
            let how = promise.map { "caught after \(count): \($0)" } ?? "MISSED in \(count)"
            print("\(mutant.rawValue): \(how)")
        }
        print("\(mutants.count) mutants, \(caught) caught")
        return caught == mutants.count
    }
}
