/// What became of merging two texts.
package enum TextMergeResult: Equatable, Sendable {
    /// The merged text, byte for byte.
    case merged([UInt8])
    /// Both sides changed the same lines: there is no merged text, a person must choose.
    case conflict([ConflictRegion])
    /// One of the three is no text, by `TextRule`: it is never merged.
    case notText
}

/// A run of lines that both sides changed, each in its own way.
///
/// Lines are counted from 0 and end with a line feed; a range may be empty.
package struct ConflictRegion: Equatable, Sendable {
    package var base: Range<Int>
    package var first: Range<Int>
    package var second: Range<Int>

    package init(base: Range<Int>, first: Range<Int>, second: Range<Int>) {
        self.base = base
        self.first = first
        self.second = second
    }
}

/// Merges two texts by lines, from the ancestor that both were made from.
///
/// Where `git merge-file` merges, the result is the same bytes; where it does not, this does not.
/// The order of the two sides makes no difference.
package enum TextMerge {
    /// Returns the merge of two texts, or where they are in conflict.
    ///
    /// Lines are bytes up to and with a line feed and are never changed.
    ///
    /// Time grows with the length, plus the length times the number of differences: 100 KB with a
    /// hundredth of the lines edited on each side take one or two milliseconds, 10 MB with 2,000
    /// edits a quarter of a second. It is bounded by `SearchBudget` to a few seconds for the worst
    /// texts within `TextRule`; texts that need more are one conflict as a whole. Memory is the
    /// size of the texts and some 30 bytes for each of their lines: 10 MB with ordinary lines take
    /// 170 MB with the texts, two million lines of one letter 230 MB, the most lines 800 MB.
    package static func merge(
        base: [UInt8], first: [UInt8], second: [UInt8]
    ) -> TextMergeResult {
        var budget = SearchBudget.whole
        return merge(base: base, first: first, second: second, within: &budget)
    }

    /// The same, with the work that it may take, and what is left of it.
    package static func merge(
        base: [UInt8], first: [UInt8], second: [UInt8], within budget: inout SearchBudget
    ) -> TextMergeResult {
        guard TextRule.isText(base), TextRule.isText(first), TextRule.isText(second) else {
            return .notText
        }
        if first == second || second == base { return .merged(first) }
        if first == base { return .merged(second) }
        return ThreeTexts(linesOf: base, first, second).mergedByLines(within: &budget)
    }
}
