import Foundation
import SyncCore
import SyncSimulation
import Testing

/// Random edits, 1,000 seeds; `MERGE_TRIPLES` and `MERGE_SEED` in the environment change that.
///
/// `scripts/merge-properties` tries a million.
@Suite("Merging: properties over random edits")
struct MergePropertyTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let triples = environment["MERGE_TRIPLES"].flatMap { Int($0) } ?? 1_000
    private static let seed = environment["MERGE_SEED"].flatMap { UInt64($0) } ?? 1

    @Test("Nothing is lost or made up, no order matters, a merge merges to itself")
    func mergesKeepTheirPromises() {
        var merged = 0
        for number in 0..<Self.triples {
            let trial = MergeTrial(seed: Self.seed &+ UInt64(number))
            if trial.isMerged { merged += 1 }
            for violation in trial.violations {
                Issue.record("MERGE_SEED=\(trial.seed) MERGE_TRIPLES=1: \(violation)")
            }
        }
        #expect(merged >= Self.triples / 4, "too few of the random edits merge to say anything")
    }

    @Test("Conflicts are in order, apart, inside the texts, and really differ")
    func conflictRegionsAreSound() {
        for number in 0..<(Self.triples / 10) {
            let seed = Self.seed &+ UInt64(number)
            var edits = RandomEdits(seed: seed)
            let (base, first, second) = edits.triple(lineLimit: 24)
            let result = TextMerge.merge(base: base, first: first, second: second)
            guard case .conflict(let regions) = result else { continue }
            var end = (base: 0, first: 0, second: 0)
            for region in regions {
                #expect(region.base.lowerBound >= end.base, "MERGE_SEED=\(seed)")
                #expect(region.first.lowerBound >= end.first, "MERGE_SEED=\(seed)")
                #expect(region.second.lowerBound >= end.second, "MERGE_SEED=\(seed)")
                end = (region.base.upperBound, region.first.upperBound, region.second.upperBound)
            }
            let counts = [base, first, second].map { lines(of: $0).count }
            #expect(end.base <= counts[0] && end.first <= counts[1] && end.second <= counts[2])
            for region in regions {
                let one = lines(of: first)[region.first]
                let two = lines(of: second)[region.second]
                #expect(one != two, "MERGE_SEED=\(seed)")
                #expect(one != lines(of: base)[region.base], "MERGE_SEED=\(seed)")
            }
        }
    }

    @Test("A suggestion loses no inserted word")
    func suggestionsLoseNoWord() {
        for number in 0..<(Self.triples / 10) {
            let seed = Self.seed &+ UInt64(number)
            var edits = RandomEdits(seed: seed)
            let (base, first, second) = edits.triple(lineLimit: 12)
            expectWholeSuggestion(base: base, first: first, second: second, "MERGE_SEED=\(seed)")
        }
    }

    /// The lines of a text with their line feeds: a last line without one is another line.
    private func lines(of text: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = text[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            lines.append(rest[..<end])
            rest = rest[end...]
        }
        return lines
    }
}
