import SyncCore
import Testing

@Suite("Merging: texts")
struct TextMergeTests {
    private func merge(_ base: String, _ first: String, _ second: String) -> TextMergeResult {
        expectSymmetricMerge(base: bytes(base), first: bytes(first), second: bytes(second))
    }

    private func merged(_ text: String) -> TextMergeResult { .merged(bytes(text)) }

    @Test("Edits of different lines merge")
    func farEditsMerge() {
        #expect(merge("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n") == merged("A\nb\nC\n"))
    }

    @Test("A side that changed nothing yields, and equal sides are their own merge")
    func unchangedSideYields() {
        #expect(merge("a\n", "a\n", "b\n") == merged("b\n"))
        #expect(merge("a\n", "", "a\n") == merged(""))
        #expect(merge("", "x\n", "x\n") == merged("x\n"))
        #expect(merge("", "", "") == merged(""))
    }

    @Test("Edits of one line, and of lines that touch, are a conflict with its lines")
    func touchingEditsConflict() {
        let same = TextMerge.merge(
            base: bytes("a\nb\nc\n"), first: bytes("a\nB\nc\n"), second: bytes("a\nbb\nc\n"))
        #expect(same == .conflict([ConflictRegion(base: 1..<2, first: 1..<2, second: 1..<2)]))
        let next = TextMerge.merge(
            base: bytes("a\nb\nc\n"), first: bytes("A\nb\nc\n"), second: bytes("a\nB\nB2\nc\n"))
        #expect(next == .conflict([ConflictRegion(base: 0..<2, first: 0..<2, second: 0..<3)]))
    }

    @Test("Different lines inserted at one place are a conflict, equal ones count once")
    func insertionsAtOnePlace() {
        let different = TextMerge.merge(
            base: bytes("a\n"), first: bytes("a\nx\n"), second: bytes("a\ny\n"))
        #expect(different == .conflict([ConflictRegion(base: 1..<1, first: 1..<2, second: 1..<2)]))
        #expect(merge("a\nb\n", "a\nx\nb\n", "a\nx\nb\n") == merged("a\nx\nb\n"))
        #expect(merge("a\nb\nc\n", "a\nx\nb\nc\n", "a\nx\nb\nC\n") == merged("a\nx\nb\nC\n"))
    }

    @Test("Line ends, byte order marks and a missing last line feed stay as they were")
    func bytesStay() {
        #expect(
            merge("a\r\nb\r\nc\r\n", "A\r\nb\r\nc\r\n", "a\r\nb\r\nC\r\n")
                == merged("A\r\nb\r\nC\r\n"))
        #expect(merge("a\nb\nc", "A\nb\nc", "a\nb\nC") == merged("A\nb\nC"))
        #expect(merge("a\nb\nc\n", "A\nb\nc\n", "a\nb\nc") == merged("A\nb\nc"))
        #expect(
            merge("\u{FEFF}a\nb\nc\n", "\u{FEFF}a\nb\nC\n", "\u{FEFF}A\nb\nc\n")
                == merged("\u{FEFF}A\nb\nC\n"))
        #expect(
            merge("a\nb\nc\n", "\u{FEFF}a\nb\nc\n", "a\nb\nC\n") == merged("\u{FEFF}a\nb\nC\n"))
    }

    @Test("Names for one letter in two forms are two lines")
    func normalizationIsKept() {
        #expect(
            merge("e\u{301}\nb\nc\n", "\u{E9}\nb\nc\n", "e\u{301}\nb\nC\n")
                == merged("\u{E9}\nb\nC\n"))
    }

    @Test("Bytes that are no UTF-8 come back")
    func invalidUTF8Stays() {
        let base: [UInt8] = [0xFF, 0x0A, 0xC3, 0x0A, 0x80, 0x0A]
        let first: [UInt8] = [0xFE, 0x0A, 0xC3, 0x0A, 0x80, 0x0A]
        let second: [UInt8] = [0xFF, 0x0A, 0xC3, 0x0A, 0x81]
        let result = expectSymmetricMerge(base: base, first: first, second: second)
        #expect(result == .merged([0xFE, 0x0A, 0xC3, 0x0A, 0x81]))
    }

    @Test("What looks like a conflict marker is a line like any other")
    func markersAreLines() {
        let base = "<<<<<<< a\n=======\n>>>>>>> b\nx\ny\n"
        #expect(merge(base, "n\n" + base, base + "z\n") == merged("n\n" + base + "z\n"))
    }

    @Test("Content with a NUL byte or beyond the limits is never merged")
    func onlyTextMerges() {
        let text = bytes("a\n")
        let binary: [UInt8] = [0x61, 0x00, 0x0A]
        for (base, first, second) in [
            (binary, text, text), (text, binary, text), (text, text, binary),
        ] {
            #expect(TextMerge.merge(base: base, first: first, second: second) == .notText)
            #expect(TextMerge.suggestion(base: base, first: first, second: second) == nil)
        }
        let longest = [UInt8](repeating: 0x61, count: TextRule.sizeLimit)
        #expect(TextRule.isText(longest))
        #expect(!TextRule.isText(longest + [0x61]))
        let mostLines = [UInt8](repeating: 0x0A, count: TextRule.lineLimit)
        #expect(TextRule.isText(mostLines))
        #expect(!TextRule.isText(mostLines + [0x0A]))
    }
}
