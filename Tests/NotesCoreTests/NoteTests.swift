import NotesCore
import Testing

@Suite struct NoteTests {
    @Test(arguments: [
        ("# Heading\ntext", "Heading"),
        ("![[banner.png]]\n# Heading #\n", "Heading"),
        ("First line\n\n## Later\n", "First line"),
        ("\n\n- [ ] to do\n", "to do"),
        ("> quoted **words**\n", "quoted **words**"),
        ("```swift\n# no\n```\nAfter\n", "After"),
        ("---\ntitle: \"Given: so\"\n---\n# Heading\n", "Given: so"),
        ("---\ntitle: [unclosed\n---\nbody", "body"),
        ("---\ntitle:\n---\n", "File name"),
        ("", "File name"),
        ("\r\n***\r\n", "File name"),
        ("#tag first\n", "#tag first"),
        ("3. third\r\n", "third"),
        ("Setext\n===\n", "Setext"),
    ])
    func hasTitle(content: String, title: String) {
        #expect(text(note(content, "In/File name.md").title) == title)
    }

    @Test func cutsLongTitlesBetweenCharacters() {
        let title = note(String(repeating: "é", count: 400)).title
        #expect(title.count <= 300)
        #expect(String(validating: title, as: UTF8.self)?.hasSuffix("é…") == true)
    }

    @Test(arguments: [
        ("# T\n\nOne  two\n- three\n```\ncode\n```\n", "One two three code"),
        ("---\ntitle: T\n---\n# T\nrest", "T rest"),
        ("only", ""),
        ("", ""),
    ])
    func hasSnippet(content: String, words: String) {
        #expect(text(note(content).snippet) == words)
    }

    @Test(arguments: [
        (
            "---\ntags: [a, \"#b\", a/c, A]\n---\n#d text #e/f, x#no #1 #2nd",
            ["a", "b", "a/c", "d", "e/f", "2nd"]
        ),
        ("---\ntags: a, b c\n---\n", ["a", "b c"]),
        ("---\ntags:\n---\n#x", ["x"]),
        ("`#no` ``#no ` #no`` #yes `#yes2", ["yes"]),
        ("~~~\n#no\n~~~\n#yes\n\n    #no\n\n- a\n\n    #list\n", ["yes", "list"]),
        ("# Heading #in\n##no \\#no (#no) [x](#no)\n", ["in"]),
        ("#größe #日本、#no\u{2014}x\n#a\u{3002}b", ["größe", "日本", "a"]),
        ("> #quoted\n> ```\n> #no\n> ```\n", ["quoted"]),
    ])
    func hasTags(content: String, tags: [String]) {
        #expect(texts(note(content).tags) == tags)
    }

    @Test func hasLinks() {
        let links = note("[[A/B#C d|e]] ![[f.png]] `[[no]]` [[#^g]] [[ ]] [[h\n]] [[x\\|y]] [[[z]]")
            .links
        #expect(links.map { text($0.target) } == ["A/B", "f.png", "", "x", "z"])
        #expect(links.map { $0.fragment.map(text) } == ["C d", nil, "^g", nil, nil])
        #expect(links.map { $0.label.map(text) } == ["e", nil, nil, "y", nil])
        #expect(links.map(\.isEmbedded) == [false, true, false, false, false])
    }

    @Test(arguments: [
        ("2024-01-02", 1_704_153_600, 0),
        ("2024-01-02T03:04", 1_704_164_640, 0),
        ("2024-01-02 03:04:05Z", 1_704_164_645, 0),
        ("2024-01-02T03:04:05.250+01:00", 1_704_161_045, 250_000_000),
        ("2024-02-29T23:59:60 -0130", 1_709_256_600, 0),
        ("1965-07-13T19:57:00.25Z", -141_019_380, 250_000_000),
    ])
    func readsDates(date: String, seconds: Int64, nanoseconds: UInt32) {
        #expect(noteDate(bytes(date)) == NoteTime(seconds: seconds, nanoseconds: nanoseconds))
        #expect(note("---\ncreated: \(date)\n---\n").created != nil)
    }

    @Test(arguments: [
        "", "2024", "2024-13-01", "2023-02-29", "2024-01-02T", "2024-01-02T25:00", "2024-01-02x",
    ])
    func refusesDates(date: String) {
        #expect(noteDate(bytes(date)) == nil)
    }

    @Test(arguments: [
        (1_704_164_645, 250_000_000, "2024-01-02T03:04:05.250000000Z"),
        (-141_019_380, 1, "1965-07-13T19:57:00.000000001Z"),
        (-1, 0, "1969-12-31T23:59:59.000000000Z"),
        (0, 0, "1970-01-01T00:00:00.000000000Z"),
        (951_782_400, 0, "2000-02-29T00:00:00.000000000Z"),
        (253_402_300_800, 0, "+010000-01-01T00:00:00.000000000Z"),
    ])
    func writesDates(seconds: Int64, nanoseconds: UInt32, date: String) {
        #expect(isoText(NoteTime(seconds: seconds, nanoseconds: nanoseconds)) == date)
    }

    @Test(arguments: [
        ("", "# T\n"), ("x", "# T\n\nx"), ("a\r\n", "# T\r\n\r\na\r\n"),
        ("---\nk: v\n---\nx\n", "---\nk: v\n---\n# T\n\nx\n"),
    ])
    func addsHeading(before: String, after: String) {
        #expect(text(note(before).adding(heading: bytes("T"))) == after)
    }

    @Test func readsFlags() {
        #expect(note("---\nfavorite: true\npinned: No\n---\n").isFavorite)
        #expect(!note("---\nfavorite: true\npinned: No\n---\n").isPinned)
        #expect(!note("favorite: true").isFavorite)
    }

    @Test(arguments: [
        ("", "b", "b"), ("a", "b", "a\nb"), ("a\n", "b", "a\nb"), ("a\r\nx", "b", "a\r\nx\r\nb"),
        ("a", "", "a"), ("a", "\nb", "a\n\nb"),
    ])
    func appends(before: String, added: String, after: String) {
        #expect(text(note(before).appending(bytes(added))) == after)
    }

    @Test func takesAnyBytes() {
        var generator = SeededGenerator(seed: 7)
        let pieces: [[UInt8]] = [
            bytes("---\n"), bytes("a: ["), bytes("\n"), bytes("`"), bytes("[["), bytes("]]"),
            bytes("#"), bytes("|"), [0xFF], [0xE2, 0x80], [0], bytes("\r"), bytes("'"), bytes("- "),
        ]
        for _ in 0..<2000 {
            let count = Int.random(in: 0..<20, using: &generator)
            let content = (0..<count).flatMap { _ in pieces.randomElement(using: &generator)! }
            let note = Note(path: NotePath(bytes("a.md")), bytes: content)
            #expect(note.title.count <= 300)
            #expect(note.snippet.count <= 203)
            #expect(note.tags.allSatisfy { !$0.isEmpty })
            #expect(note.links.allSatisfy { $0.range.upperBound <= content.count })
            #expect(
                Array(note.setting("k", to: .text([0x61])).suffix(1)) != [0] || content.last == 0)
        }
    }
}
