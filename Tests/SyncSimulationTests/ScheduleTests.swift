import SyncCore
import Testing

@testable import SyncSimulation

@Suite("Schedules of the simulator")
struct ScheduleTests {
    @Test("keep every promise", arguments: [2, 3])
    func keepPromises(devices: Int) {
        var runner = Runner(tellable: 1)
        for number in 0..<(devices == 2 ? 120 : 40) {
            runner.run(seed: Runner.seed(2026, number), devices: devices)
        }
        for failure in runner.failures {
            Issue.record("seed \(failure.report.plan.seed): \(failure.report.violations)")
        }
        #expect(runner.violations == 0)
    }

    @Test("are the same for the same seed")
    func sameSeedSameTrace() {
        func digest() -> TraceDigest {
            var runner = Runner(tellable: 0)
            for number in 0..<10 { runner.run(seed: Runner.seed(7, number), devices: 2) }
            return runner.digest
        }
        #expect(digest() == digest())
    }

    @Test("meet what they are there to meet")
    func meetFaults() {
        var runner = Runner(tellable: 0)
        for number in 0..<300 { runner.run(seed: Runner.seed(11, number), devices: 2) }
        let missed = Occasion.allCases.filter { runner.share(of: $0) == 0 }
        #expect(missed.isEmpty, "never met: \(missed.map(\.rawValue))")
    }

    @Test("have two hundred events, and three faults of two kinds")
    func areRich() {
        for number in 0..<200 {
            let plan = Plan(seed: Runner.seed(3, number))
            var acts = 0
            var faults: [Fault] = []
            for item in plan.items {
                switch item.event {
                case .act: acts += 1
                case .fault(let fault): faults.append(fault)
                case .heal: break
                }
            }
            #expect(acts >= 200)
            #expect(faults.count >= 3)
            #expect(Set(faults).count >= 2)
        }
    }

    @Test("catch every mutant", arguments: Mutant.allCases)
    func catchMutant(_ mutant: Mutant) {
        var runner = Runner(mutant: mutant, tellable: 0)
        var number = 0
        while number < 300, runner.violations == 0 {
            runner.run(seed: Runner.seed(1, number), devices: 2)
            number += 1
        }
        #expect(runner.violations > 0)
    }
}
