import SyncCore
import Testing

@Suite("Merging: several common ancestors")
struct MergeVirtualBaseTests {
    private let base = bytes("a\nb\nc\nd\ne\n")
    private let ancestors = [
        bytes("A\nb\nc\nd\ne\n"), bytes("a\nb\nC\nd\ne\n"), bytes("a\nb\nc\nd\nE\n"),
    ]

    @Test("Their merge stands for them, in whatever order they come")
    func mergeStands() {
        let expected = bytes("A\nb\nC\nd\nE\n")
        #expect(TextMerge.virtualBase(of: ancestors, base: base) == expected)
        #expect(TextMerge.virtualBase(of: ancestors.reversed(), base: base) == expected)
        #expect(TextMerge.virtualBase(of: ancestors + ancestors, base: base) == expected)
    }

    @Test("One is its own")
    func oneIsItself() {
        #expect(TextMerge.virtualBase(of: [ancestors[0]], base: base) == ancestors[0])
        #expect(TextMerge.virtualBase(of: [[0], [0]], base: base) == [0])
    }

    @Test("There is none where they do not merge, or where there are none")
    func noneWithoutMerge() {
        #expect(TextMerge.virtualBase(of: [], base: base) == nil)
        #expect(
            TextMerge.virtualBase(of: [bytes("x\n"), bytes("y\n")], base: bytes("a\n")) == nil)
        #expect(TextMerge.virtualBase(of: [[0], ancestors[0]], base: base) == nil)
    }
}
