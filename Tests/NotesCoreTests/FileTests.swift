import NotesCore
import Testing

@Suite struct FileTests {
    @Test(arguments: [
        ("Plan", "Plan.md"),
        ("  a/b\0c  ", "a-b-c.md"),
        ("", "Untitled.md"),
        (".hidden", "_.hidden.md"),
        ("~$x", "_~$x.md"),
        ("one\ntwo", "one two.md"),
        ("e\u{301} ? * : \" %", "e\u{301} ? * : \" %.md"),
        ("v1.2", "v1.2.md"),
    ])
    func namesFileByTitle(title: String, name: String) {
        #expect(text(NoteName(title: bytes(title)).candidate(1)) == name)
    }

    @Test func numbersNames() {
        #expect(text(NoteName(title: bytes("A")).candidate(2)) == "A 2.md")
        #expect(text(NoteName(of: bytes("a.tar.gz")).candidate(3)) == "a.tar 3.gz")
        #expect(text(NoteName(of: bytes(".env")).candidate(2)) == ".env 2")
        #expect(text(NoteName(of: bytes("README")).candidate(2)) == "README 2")
    }

    @Test func shortensNames() {
        for number in [1, 2, 1000] {
            let name = NoteName(title: bytes(String(repeating: "日", count: 200))).candidate(number)
            #expect(name.count <= 247)
            #expect(String(validating: name, as: UTF8.self)?.hasSuffix(".md") == true)
        }
        let kept = [UInt8](repeating: 0x61, count: 247)
        #expect(NoteName(of: kept).candidate(1) == kept)
    }

    @Test func hasParts() {
        let path = NotePath(bytes("Work/Sub/A.b.MD"))
        #expect(text(path.name) == "A.b.MD")
        #expect(text(path.stem) == "A.b")
        #expect(text(path.notebook) == "Work/Sub")
        #expect(path.isNote)
        #expect(!NotePath(bytes("a.png")).isNote)
        #expect(!NotePath(bytes(".md")).isNote)
        #expect(NotePath(bytes("x/a.md~")).isTemporary)
        #expect(text(NotePath([]).appending(bytes("a")).bytes) == "a")
    }

    @Test func findsLinkedFiles() {
        var index = LinkIndex()
        for path in ["deep.md", "Sub/Deep.md", "Sub/x.md", "att/dot.png", "e\u{301}.md"] {
            index.insert(NotePath(bytes(path)))
        }
        index.insert(NotePath(bytes("Home.md")), aliases: [bytes("Start")])
        func file(_ link: String, in path: String = "Home.md") -> String? {
            let link = note("[[\(link)]]").links[0]
            return index.file(of: link, in: NotePath(bytes(path))).map { text($0.bytes) }
        }
        #expect(file("Deep") == "Sub/Deep.md")
        #expect(file("deep") == "deep.md")
        #expect(file("DEEP", in: "Sub/x.md") == "Sub/Deep.md")
        #expect(file("sub/deep.md#x") == "Sub/Deep.md")
        #expect(file("dot.png|100") == "att/dot.png")
        #expect(file("#here") == "Home.md")
        #expect(file("start") == "Home.md")
        #expect(file("\u{e9}") == "e\u{301}.md")
        #expect(file("Missing") == nil)
        #expect(file("ub/Deep") == nil)
    }
}
