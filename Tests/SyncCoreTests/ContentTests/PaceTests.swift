import SyncCore
import Testing

@Suite struct PaceTests {
    private func at(_ milliseconds: Int64) -> Instant {
        Instant(nanoseconds: 0).advanced(milliseconds: 5_000 + milliseconds)
    }

    @Test func withoutALimitNothingWaits() {
        var pace = Pace()
        pace.take(1 << 40, at: at(0))
        #expect(pace.isFree(at: at(0)) && pace.due(after: at(0)) == nil)
        #expect(pace.most(1 << 40) == 1 << 40)
    }

    @Test func whatGoesTakesItsShareOfTheTime() {
        var pace = Pace(rate: 1_000_000)
        #expect(pace.isFree(at: at(0)))
        pace.take(500_000, at: at(0))
        pace.take(250_000, at: at(100))
        #expect(!pace.isFree(at: at(749)) && pace.isFree(at: at(750)))
        #expect(pace.due(after: at(10)) == at(750))
        pace.take(-5, at: at(800))
        #expect(pace.isFree(at: at(800)))
    }

    @Test func timeInWhichNothingWentIsNotMadeUpFor() {
        var pace = Pace(rate: 1_000_000)
        pace.take(1_000, at: at(0))
        pace.take(100_000, at: at(60_000))
        #expect(pace.due(after: at(60_000)) == at(60_100))
    }

    @Test func anotherRateHoldsForWhatComesThen() {
        var pace = Pace(rate: 100_000)
        pace.take(100_000, at: at(0))
        pace.rate = 0
        #expect(pace.isFree(at: at(1)))
        pace.rate = 200_000
        pace.take(100_000, at: at(2_000))
        #expect(pace.due(after: at(2_000)) == at(2_500))
    }

    @Test(arguments: [1 << 33, Int.max]) func noCountIsTooLarge(bytes: Int) {
        var pace = Pace(rate: Pace.leastRate)
        for _ in 0..<4 { pace.take(bytes, at: at(0)) }
        #expect(!pace.isFree(at: at(1 << 28)))
    }

    @Test func aRequestIsShort() {
        #expect(Pace(rate: 1_000_000).most(1 << 20) == 500_000)
        #expect(Pace(rate: 20_000).most(1 << 20) == 16_384)
        #expect(Pace(rate: 1_000_000).most(100) == 100)
    }
}
