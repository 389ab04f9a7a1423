import SyncCore
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
}
