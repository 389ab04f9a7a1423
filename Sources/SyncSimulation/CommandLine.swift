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

    package static let usage =
        "usage: simulate --schedules N [--seed S] [--devices D] [--mutant NAME] | --mutants"
        + " | --only SEED [--devices D]"

    /// Nil for what is no such command.
    package init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            if option == "--mutants" {
                isMutantsRun = true
                continue
            }
            guard let value = rest.popFirst() else { return nil }
            switch option {
            case "--schedules": guard set(\.schedules, Int(value)) else { return nil }
            case "--seed": guard set(\.seed, UInt64(value)) else { return nil }
            case "--devices": guard set(\.devices, Int(value)) else { return nil }
            case "--mutant":
                guard let named = Mutant(rawValue: value) else { return nil }
                mutant = named
            case "--only": guard set(\.only, UInt64(value)) else { return nil }
            default: return nil
            }
        }
        guard schedules > 0, (2...5).contains(devices ?? 2) else { return nil }
    }

    private mutating func set<Value>(
        _ field: WritableKeyPath<SimulationCommand, Value>, _ value: Value?
    ) -> Bool {
        guard let value else { return false }
        self[keyPath: field] = value
        return true
    }

    /// Runs and prints; the number of broken promises decides the exit status.
    package func run(print: (String) -> Void) -> Bool {
        if isMutantsRun { return runMutants(print) }
        if let only { return tell(only, print) }
        var runner = Runner(mutant: mutant)
        for number in 0..<schedules {
            runner.run(seed: Runner.seed(seed, number), devices: devices)
        }
        for failure in runner.failures { tell(failure, print) }
        for line in runner.summary { print(line) }
        for line in runner.brokenPromises { print("BROKEN \(line)") }
        print("trace \(runner.digest.text)")
        print("\(runner.schedules) schedules, \(runner.violations) violations")
        return runner.violations == 0
    }

    private func tell(_ failure: Runner.Failure, _ print: (String) -> Void) {
        let report = failure.report
        print("seed \(report.plan.seed), shortened to \(report.plan.items.count) events:")
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
        var simulation = Simulation(plan: Plan(seed: seed, devices: devices), isTold: true)
        let report = simulation.run()
        for line in report.story { print(line) }
        for violation in report.violations {
            print("VIOLATION \(violation.promise): \(violation.text)")
        }
        print("1 schedules, \(report.violations.isEmpty ? 0 : 1) violations")
        return report.violations.isEmpty
    }

    /// Each mutant until it is caught, or for as many schedules as were asked for.
    private func runMutants(_ print: (String) -> Void) -> Bool {
        var caught = 0
        for mutant in Mutant.allCases {
            var runner = Runner(mutant: mutant, tellable: 0)
            var number = 0
            while number < max(schedules, 200), runner.violations == 0 {
                runner.run(seed: Runner.seed(seed, number), devices: devices)
                number += 1
            }
            let isCaught = runner.violations > 0
            if isCaught { caught += 1 }
            let how = runner.brokenPromises.joined(separator: ", ")
            print(
                "\(mutant.rawValue): " + (isCaught ? "caught by \(how) after \(number)" : "MISSED"))
        }
        print("\(Mutant.allCases.count) mutants, \(caught) caught")
        return caught == Mutant.allCases.count
    }
}
