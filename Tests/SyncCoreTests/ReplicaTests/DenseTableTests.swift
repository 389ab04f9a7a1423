import Testing

@testable import SyncCore

@Suite struct DenseTableTests {
    @Test(arguments: [UInt64(1), 2, 3, 4]) func itIsLikeADictionary(seed: UInt64) {
        var table = DenseTable<UInt64, UInt64>()
        var model: [UInt64: UInt64] = [:]
        var state = seed
        for step in 0..<20_000 as Range<UInt64> {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // It grows, shrinks to nothing and grows again.
            let key = (state >> 33) % (step % 5_000 < 2_500 ? 900 : 40)
            let removes = (state >> 20) % 10 < (step % 5_000 < 2_500 ? 3 : 8)
            table[key] = removes ? nil : step
            model[key] = removes ? nil : step
            #expect(table.count == model.count)
        }
        for key in 0..<1_000 as Range<UInt64> { #expect(table[key] == model[key]) }
        for key in 0..<1_000 as Range<UInt64> { table[key] = nil }
        #expect(table.isEmpty)
    }

    /// All keys lead to one bucket.
    private struct Alike: Hashable, Sendable {
        let number: Int
        func hash(into hasher: inout Hasher) { hasher.combine(1) }
    }

    @Test func keysOfOneHashAreKeptApart() {
        var table = DenseTable<Alike, Int>()
        for number in 0..<50 { table[Alike(number: number)] = number }
        for number in stride(from: 0, to: 50, by: 3) { table[Alike(number: number)] = nil }
        for number in 0..<50 {
            #expect(table[Alike(number: number)] == (number % 3 == 0 ? nil : number))
        }
    }
}
