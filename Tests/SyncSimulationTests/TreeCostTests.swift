import SyncSimulation
import Testing

/// A change costs a replica what it is about, however much else there is.
struct TreeCostTests {
    /// The entries of its trees that a replica reads or writes are at most so many times the items
    /// that changed and the folders above them.
    static let most = 60.0

    @Test
    func costsDoNotGrowWithTheTree() throws {
        // Only a debug build counts.
        guard let small = TreeCost.all(files: 1_000), let large = TreeCost.all(files: 100_000)
        else { return }
        try #require(small.count == large.count && !small.isEmpty)
        for (one, other) in zip(small, large) {
            #expect(one.change == other.change)
            #expect(one.touched > 0)
            #expect(one.factor <= Self.most, "\(one.change): \(one.touched)")
            #expect(
                other.touched <= 2 * one.touched,
                "\(one.change): \(one.touched) of 1,000, \(other.touched) of 100,000")
        }
    }
}
