import SyncCore
import SyncSimulation
import Testing

/// How often each word is in a text.
private struct WordTally {
    private(set) var counts: [ArraySlice<UInt8>: Int] = [:]

    init(_ text: [UInt8]) {
        for word in text.split(whereSeparator: { !Self.isInWord($0) }) {
            counts[word, default: 0] += 1
        }
    }

    subscript(word: ArraySlice<UInt8>) -> Int { counts[word, default: 0] }

    private static func isInWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_")
            || UnicodeScalar(byte).properties.isAlphabetic
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

/// Expects the same merge, or the same conflicts mirrored, with the sides exchanged.
@discardableResult
func expectSymmetricMerge(
    base: [UInt8], first: [UInt8], second: [UInt8], _ comment: Comment? = nil
) -> TextMergeResult {
    let result = TextMerge.merge(base: base, first: first, second: second)
    let mirrored = TextMerge.merge(base: base, first: second, second: first)
    #expect(result == mirrored.mirrored, comment)
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
    let result = WordTally(suggestion)
    let baseWords = WordTally(base)
    for side in [WordTally(first), WordTally(second)] {
        for (word, count) in side.counts {
            #expect(result[word] >= count - baseWords[word], comment)
        }
    }
}
