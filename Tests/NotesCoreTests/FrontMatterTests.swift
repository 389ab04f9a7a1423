import NotesCore
import Testing

@Suite struct FrontMatterTests {
    @Test(arguments: [
        ("a: b", FrontMatterValue.text(bytes("b"))),
        ("a:", .empty),
        ("a: ~", .empty),
        ("a: null # nothing", .empty),
        ("A: \"x: \\\"y\\\" \\u00e9\" # why", .text(bytes("x: \"y\" é"))),
        ("a: 'it''s'", .text(bytes("it's"))),
        ("a: x # y", .text(bytes("x"))),
        ("a: x#y", .text(bytes("x#y"))),
        ("a: 2024-01-02T03:04", .text(bytes("2024-01-02T03:04"))),
        ("a: [b, \"c, d\", 'e', ]", .list([bytes("b"), bytes("c, d"), bytes("e")])),
        ("a: []", .list([])),
        ("a:\n  - b\n  # no\n  - \"c d\"", .list([bytes("b"), bytes("c d")])),
        ("a:\n- b\n- c", .list([bytes("b"), bytes("c")])),
        ("a: [unclosed", .other),
        ("a: \"unclosed", .other),
        ("a: {b: c}", .other),
        ("a: |\n  b", .other),
        ("a: *b", .other),
        ("a:\n  b: c", .other),
        ("\"a\": b", .text(bytes("b"))),
        ("x: y\n: : :\n\na: b", .text(bytes("b"))),
    ])
    func readsValue(block: String, value: FrontMatterValue) {
        for ending in ["\n", "\r\n"] {
            let content = "---\n\(block)\n---\ntext".replacing("\n", with: ending)
            #expect(note(content).value("a") == value, "\(content)")
        }
    }

    @Test(arguments: [
        "text", "", "---", "---\n", "---\na: b\n", "---\na: b\n----\n", "--- x\na: b\n---\n",
        "---\nWords\n---\n", "---\n---\n", "\n---\na: b\n---\n", "---\n- a: b\n---\n",
    ])
    func isText(content: String) {
        #expect(note(content).frontMatter == nil)
        #expect(note(content).textStart == 0)
    }

    @Test func startsBehindByteOrderMark() {
        let marked = note("\u{FEFF}---\na: b\n---\n# T\n")
        #expect(marked.value("a") == .text(bytes("b")))
        #expect(text(marked.title) == "T")
        #expect(text(marked.setting("a", to: .empty)) == "\u{FEFF}# T\n")
    }

    @Test(arguments: [
        ("x", "---\nk: v\n---\nx"),
        ("", "---\nk: v\n---\n"),
        ("a\r\nb\r\n", "---\r\nk: v\r\n---\r\na\r\nb\r\n"),
        ("---\na: b\n---\nx", "---\na: b\nk: v\n---\nx"),
        ("---\na: b\nK: 'old'   # note\n# c\nz: [\n---\nx", "---\na: b\nK: v\n# c\nz: [\n---\nx"),
        ("---\nk:\n  - a\n\n  - b\nz: 1\n---", "---\nk: v\nz: 1\n---"),
        ("---\na: b\n...\nx", "---\na: b\nk: v\n...\nx"),
    ])
    func setsOneKey(before: String, after: String) {
        #expect(text(note(before).setting("k", to: .text(bytes("v")))) == after)
    }

    @Test(arguments: [
        ("---\nk: v\n---\nx", "x"),
        ("---\nk: v\n# c\n---\nx", "---\n# c\n---\nx"),
        ("---\nk:\n- a\n- b\nz: 1\n---\nx", "---\nz: 1\n---\nx"),
        ("x", "x"),
    ])
    func takesOneKeyOut(before: String, after: String) {
        #expect(text(note(before).setting("k", to: .empty)) == after)
    }

    @Test func keepsTheStyleOfLists() {
        let list = FrontMatterValue.list([bytes("a"), bytes("b: c")])
        #expect(
            text(note("---\nk:\n- x\n---\n").setting("k", to: list))
                == "---\nk:\n  - a\n  - \"b: c\"\n---\n")
        #expect(
            text(note("---\nk: [x]\n---\n").setting("k", to: list))
                == "---\nk: [a, \"b: c\"]\n---\n")
    }

    @Test(arguments: 0..<300)
    func whatIsSetReadsBack(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let before = randomContent(&generator)
        let value = FrontMatterValue.list([
            randomText(&generator), randomText(&generator),
        ])
        for value in [value, .text(randomText(&generator))] {
            let after = note(before).setting("key", to: value)
            let changed = Note(path: NotePath(bytes("a.md")), bytes: after)
            #expect(changed.value("key") == value, "\(before.debugDescription)")
            #expect(text(changed.setting("key", to: .empty)) == before)
        }
    }

    /// Not empty and without blanks at the ends, which a person would not mean.
    private func randomText(_ generator: inout SeededGenerator) -> [UInt8] {
        let pieces = ["a", "é", ": ", " #", "\"", "'", "\\", ",", "[", "]", "-", "true", "1", "\n"]
        let count = Int.random(in: 0..<5, using: &generator)
        let middle = (0..<count).map { _ in pieces.randomElement(using: &generator)! }
        return bytes("-x" + middle.joined() + "z")
    }

    private func randomContent(_ generator: inout SeededGenerator) -> String {
        let ending = ["\n", "\r\n"].randomElement(using: &generator)!
        let lines = [
            "a: b", "", "# c", "l:", "- x", "  - y", ": :", "z: [", "---", "text", "q: 'r",
        ]
        let count = Int.random(in: 0..<8, using: &generator)
        let body = (0..<count).map { _ in lines.randomElement(using: &generator)! + ending }
        let opening = Bool.random(using: &generator) ? "---\(ending)f: 1\(ending)" : ""
        return opening + body.joined() + (Bool.random(using: &generator) ? "no end" : "")
    }
}
