import SyncCore
import SyncSimulation
import Testing

/// Texts that are dear to compare: each of these would take minutes if cost were quadratic.
@Suite("Merging: bounds", .timeLimit(.minutes(3)))
struct MergeBoundsTests {
    private func text(_ lines: some Sequence<String>) -> [UInt8] {
        bytes(lines.joined(separator: "\n") + "\n")
    }

    @Test("Many interleaved edits of a long text merge")
    func interleavedEdits() {
        let lines = (0..<20_000).map { "line \($0 % 7_000) of this text" }
        var first = lines
        var second = lines
        var both = lines
        for edit in 0..<500 {
            first[edit * 40] = "first \(edit)"
            second[edit * 40 + 20] = "second \(edit)"
            both[edit * 40] = first[edit * 40]
            both[edit * 40 + 20] = second[edit * 40 + 20]
        }
        let result = TextMerge.merge(base: text(lines), first: text(first), second: text(second))
        #expect(result == .merged(text(both)))
    }

    @Test("One line repeated")
    func repeatedLine() {
        let many = Array(repeating: "x", count: 50_000)
        let fewer = Array(repeating: "x", count: 40_000)
        let apart = expectSymmetricMerge(
            base: text(many), first: text(["a"] + fewer), second: text(many + ["b"]))
        #expect(apart == .merged(text(["a"] + fewer + ["b"])))
        let bothGrew = expectSymmetricMerge(
            base: text(fewer), first: text(many), second: text(fewer + ["x"]))
        #expect(
            bothGrew
                == .conflict([
                    ConflictRegion(
                        base: 40_000..<40_000, first: 40_000..<50_000, second: 40_000..<40_001)
                ]))
    }

    @Test("Two lines in random order, rewritten on one side")
    func twoRandomLines() {
        var edits = RandomEdits(seed: 7)
        let base = (0..<20_000).map { _ in Bool.random(using: &edits) ? "x" : "y" }
        let first = (0..<20_000).map { _ in Bool.random(using: &edits) ? "x" : "y" }
        let result = expectSymmetricMerge(
            base: text(base), first: text(first), second: text(base + ["end"]))
        if case .notText = result { Issue.record("this is text") }
    }

    // MARK: Counted work

    /// Merges, and counts the steps that it took to find the differences.
    private func steps(
        base: [UInt8], first: [UInt8], second: [UInt8], expecting expected: TextMergeResult? = nil
    ) -> Int {
        var budget = SearchBudget.whole
        let result = TextMerge.merge(base: base, first: first, second: second, within: &budget)
        if let expected { #expect(result == expected) }
        return SearchBudget.whole.steps - budget.steps
    }

    @Test("10 MB with 2,000 interleaved edits take a step a line and side")
    func tenMegabytes() {
        let lines = (0..<200_000).map { "line \($0 % 50_000) of a text that goes on for a while" }
        var first = lines
        var second = lines
        var both = lines
        for edit in 0..<1_000 {
            first[edit * 200] = "first \(edit)"
            second[edit * 200 + 100] = "second \(edit)"
            both[edit * 200] = first[edit * 200]
            both[edit * 200 + 100] = second[edit * 200 + 100]
        }
        let base = text(lines)
        #expect(base.count > 9_000_000)
        let steps = steps(
            base: base, first: text(first), second: text(second), expecting: .merged(text(both)))
        #expect(steps <= 400_000)
    }

    @Test("One line repeated, with edits at the ends, takes a step a line and side")
    func repeatedLineIsCheap() {
        let many = Array(repeating: "x", count: 300_000)
        let fewer = Array(repeating: "x", count: 200_000)
        let steps = steps(
            base: text(many), first: text(["a"] + fewer), second: text(many + ["b"]),
            expecting: .merged(text(["a"] + fewer + ["b"])))
        #expect(steps <= 400_100)
    }

    /// A change slides by many equal lines, takes in the next, and slides by them again.
    @Test("What is too dear ends within the budget, as one conflict")
    func slidingIsCounted() {
        let base = (0..<30_000).map { ["a", "b", "c"][$0 % 3] }
        var first = base
        for removal in stride(from: 299, through: 0, by: -1) { first.remove(at: removal * 100) }
        let texts = (base: text(base), first: text(first), second: text(base + ["end"]))
        let whole = steps(base: texts.base, first: texts.first, second: texts.second)
        #expect(whole <= 3_000_000)
        var budget = SearchBudget(steps: whole / 4)
        let result = TextMerge.merge(
            base: texts.base, first: texts.first, second: texts.second, within: &budget)
        #expect(
            result
                == .conflict([
                    ConflictRegion(
                        base: 0..<base.count, first: 0..<first.count, second: 0..<base.count + 1)
                ]))
        // No step of the search is longer than a walk through the text.
        #expect(budget.steps > -2 * base.count)
    }

    @Test("Whether the budget is enough does not depend on the order of the sides")
    func budgetIsSymmetric() {
        var edits = RandomEdits(seed: 3)
        let texts = (0..<3).map { _ in
            text((0..<120).map { _ in Bool.random(using: &edits) ? "x" : "y" })
        }
        let whole = steps(base: texts[0], first: texts[1], second: texts[2])
        for limit in stride(from: whole / 3, through: whole + 20, by: 7) {
            var budget = SearchBudget(steps: limit)
            var mirroredBudget = budget
            let result = TextMerge.merge(
                base: texts[0], first: texts[1], second: texts[2], within: &budget)
            let mirrored = TextMerge.merge(
                base: texts[0], first: texts[2], second: texts[1], within: &mirroredBudget)
            #expect(result == mirrored.mirrored, "\(limit) steps of \(whole)")
        }
    }
}
