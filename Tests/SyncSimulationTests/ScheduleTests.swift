import SyncCore
import Testing

@testable import SyncSimulation

@Suite("Schedules of the simulator")
struct ScheduleTests {
    private func run(
        _ count: Int, from seed: UInt64, devices: Int? = nil, mutant: Mutant? = nil
    ) -> Runner {
        var runner = Runner()
        for number in 0..<count {
            let plan = Plan(seed: Runner.seed(seed, number), devices: devices)
            runner.add(Trial(plan, mutant: mutant).result)
        }
        return runner
    }

    /// Many more are run by `scripts/simulate`.
    @Test("keep every promise, and meet most of what they are there to meet")
    func keepPromises() {
        let runner = run(60, from: 2026)
        for failure in runner.failures {
            Issue.record("seed \(failure.seed): \(failure.broken ?? "")")
        }
        #expect(runner.violations == 0)
        let ofHistories: Set<Occasion> = [.serverRestored, .deviceRestored, .revoked]
        let missed = Occasion.allCases.filter {
            runner.share(of: $0) == 0 && !ofHistories.contains($0)
        }
        #expect(missed.count <= 4, "never met: \(missed.map(\.rawValue))")
    }

    /// Each broke a promise once, with servers that are restored and devices that come back.
    @Test(
        "of other histories keep every promise",
        arguments: [
            3_005_144_057_360_207_797, 9_895_516_325_359_595_723, 9_488_032_109_015_070_313,
            4_265_007_013_698_127_637, 4_995_403_968_707_796_226, 6_436_735_719_758_577_254,
            13_700_815_514_748_111_873, 11_393_456_939_332_826_121, 13_368_138_276_297_957_043,
            16_163_038_560_392_748_120, 267_093_934_904_382_993, 8_373_280_394_369_387_468,
            7_449_972_902_011_017_478, 7_163_619_856_067_775_094, 15_935_351_995_092_076_751,
            11_761_446_670_481_780_173, 615_149_205_035_040_114, 10_397_117_460_345_441_266,
            14_714_186_247_710_033_311, 3_387_690_504_024_204_798, 10_676_512_913_864_000_942,
            17_028_444_158_879_292_345, 12_113_484_804_424_114_643, 6_394_749_323_857_687_133,
            764_874_745_149_032_885, 13_473_683_760_664_487_645, 187_770_047_009_949_175,
            13_902_866_637_715_977_853, 15_390_379_388_128_259_405, 1_758_995_235_927_943_336,
            14_927_525_268_557_521_557, 9_120_283_532_918_148_486, 2_050_638_694_333_091_209,
            4_932_762_961_378_477_669, 1_210_286_791_077_795_472, 2_936_340_266_296_909_718,
            16_856_605_600_251_037_972, 1_273_573_605_062_737_713,
        ] as [UInt64])
    func keepPromisesWithOtherHistories(seed: UInt64) {
        #expect(Trial(Plan(seed: seed, hasHistories: true)).result.broken == nil)
    }

    /// A folder is moved onto the name of another one in a root that is away, and later back; and
    /// a new file is swapped with one that nobody has read.
    @Test(
        "of one history keep every promise",
        arguments: [11_326_817_318_905_435_510, 14_371_443_742_693_964_647] as [UInt64])
    func keepPromisesWithOneHistory(seed: UInt64) {
        #expect(Trial(Plan(seed: seed)).result.broken == nil)
    }

    @Test("are the same for the same seed")
    func sameSeedSameTrace() {
        #expect(run(5, from: 7).digest == run(5, from: 7).digest)
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
                case .heal, .days: break
                }
            }
            #expect(acts >= 200)
            #expect(faults.count >= 3)
            #expect(Set(faults).count >= 2)
            #expect((2...5).contains(plan.devices))
        }
    }

    @Test("are shortened without becoming another failure")
    func areShortened() throws {
        let trial = Trial(Plan(seed: Runner.seed(1, 0)), mutant: .replayIsApplied)
        var shrinking = try #require(Shrinking(trial))
        let promise = trial.report().violations.first?.promise
        let shortest = shrinking.shortest()
        #expect(shortest.violations.first?.promise == promise)
        #expect(shortest.plan.items.count < trial.plan.items.count)
        #expect(!shortest.story.isEmpty)
    }
}
