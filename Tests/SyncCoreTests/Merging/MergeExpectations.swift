import SyncCore
import Testing

/// How often each line, or word, is in a text.
struct Tally: Equatable {
    private(set) var counts: [ArraySlice<UInt8>: Int] = [:]

    init(linesOf text: [UInt8]) {
        for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
            counts[line, default: 0] += 1
        }
        // What follows the last line feed is no line.
        if text.last == 0x0A || text.isEmpty { counts[[]]? -= 1 }
    }

    init(wordsOf text: [UInt8]) {
        for word in text.split(whereSeparator: { !Self.isInWord($0) }) {
            counts[word, default: 0] += 1
        }
    }

    subscript(item: ArraySlice<UInt8>) -> Int { counts[item, default: 0] }

    private static func isInWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_")
            || UnicodeScalar(byte).properties.isAlphabetic
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Expects that `result` has what each side has more of than the base, and nothing unheard of.
    static func expectBounds(
        of result: Tally, base: Tally, first: Tally, second: Tally, _ comment: Comment?
    ) {
        let items = Set(base.counts.keys).union(first.counts.keys).union(second.counts.keys)
        for item in items {
            let added = max(first[item] - base[item], second[item] - base[item], 0)
            #expect(result[item] >= added, comment)
            #expect(result[item] <= first[item] + second[item], comment)
        }
        #expect(Set(result.counts.keys).isSubset(of: items), comment)
    }
}

/// Expects the same merge, or the same conflicts mirrored, with the sides exchanged.
@discardableResult
func expectSymmetricMerge(
    base: [UInt8], first: [UInt8], second: [UInt8], _ comment: Comment? = nil
) -> TextMergeResult {
    let result = TextMerge.merge(base: base, first: first, second: second)
    let mirrored = TextMerge.merge(base: base, first: second, second: first)
    switch (result, mirrored) {
    case (.conflict(let regions), .conflict(let mirroredRegions)):
        let exchanged = mirroredRegions.map {
            ConflictRegion(base: $0.base, first: $0.second, second: $0.first)
        }
        #expect(regions == exchanged, comment)
    default:
        #expect(result == mirrored, comment)
    }
    return result
}

/// Expects that a suggestion, if there is one, loses no word and does not depend on the order.
func expectWholeSuggestion(
    base: [UInt8], first: [UInt8], second: [UInt8], _ comment: Comment? = nil
) {
    let suggestion = TextMerge.suggestion(base: base, first: first, second: second)
    #expect(
        suggestion == TextMerge.suggestion(base: base, first: second, second: first), comment)
    guard let suggestion else { return }
    let result = Tally(wordsOf: suggestion)
    let baseWords = Tally(wordsOf: base)
    for side in [Tally(wordsOf: first), Tally(wordsOf: second)] {
        for (word, count) in side.counts {
            #expect(result[word] >= count - baseWords[word], comment)
        }
    }
}
