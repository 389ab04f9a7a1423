import Foundation
import SyncCore
import Testing

/// Random edits, 10,000 triples; `MERGE_TRIPLES` and `MERGE_SEED` in the environment change that.
@Suite("Merging: properties over random edits")
struct MergePropertyTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let triples = environment["MERGE_TRIPLES"].flatMap { Int($0) } ?? 10_000
    private static let seed = environment["MERGE_SEED"].flatMap { UInt64($0) } ?? 1

    @Test("Nothing is lost or made up, the order does not matter, a merge merges to itself")
    func mergesKeepTheirPromises() {
        var merged = 0
        for number in 0..<Self.triples {
            let seed = Self.seed &+ UInt64(number)
            var edits = RandomEdits(seed: seed)
            let (base, first, second) = edits.triple(lineLimit: 24)
            let comment: Comment = "MERGE_SEED=\(seed) MERGE_TRIPLES=1"
            let result = expectSymmetricMerge(base: base, first: first, second: second, comment)
            guard case .merged(let text) = result else { continue }
            merged += 1
            Tally.expectBounds(
                of: Tally(linesOf: text), base: Tally(linesOf: base), first: Tally(linesOf: first),
                second: Tally(linesOf: second), comment)
            expectMergesToItself(text, base: base, sides: [first, second], comment)
        }
        #expect(merged >= Self.triples / 4, "too few of the random edits merge to say anything")
    }

    /// A merge that meets one of its parents again, or the same merge made elsewhere, stays.
    private func expectMergesToItself(
        _ text: [UInt8], base: [UInt8], sides: [[UInt8]], _ comment: Comment
    ) {
        #expect(TextMerge.merge(base: base, first: text, second: text) == .merged(text), comment)
        for side in sides {
            #expect(
                TextMerge.merge(base: side, first: text, second: side) == .merged(text), comment)
        }
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
