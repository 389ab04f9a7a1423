import SyncCore
import Testing

@Suite struct ModelNameTests {
    @Test(arguments: ["a", ".hidden", "a\nb", "\t", " ", "...", "~", "caf\u{E9}"])
    func whatLinuxAllowsIsAName(text: String) {
        #expect(Name(text)?.bytes == Array(text.utf8))
    }

    @Test(arguments: ["", ".", "..", "a/b", "/", "a\0b"])
    func whatNoDirectoryEntryCanBeIsNone(text: String) { #expect(Name(text) == nil) }

    @Test func aNameHasAtMost255Bytes() {
        #expect(Name(Array(repeating: 0x61, count: 255)) != nil)
        #expect(Name(Array(repeating: 0x61, count: 256)) == nil)
    }

    @Test func namesAreBytes() throws {
        let composed = try #require(Name("caf\u{E9}"))
        let decomposed = try #require(Name("cafe\u{301}"))
        #expect(composed.text == decomposed.text, "equal as Strings")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        let notText = try #require(Name([0xFF, 0xFE]))
        #expect(notText.text == "\u{FFFD}\u{FFFD}")
    }

    @Test func namesAreInTheOrderOfTheirBytes() throws {
        let names = try ["b", "a", "B", "aa", "\u{E9}"].map { try #require(Name($0)) }
        #expect(names.sorted().map(\.text) == ["B", "a", "aa", "b", "\u{E9}"])
    }
}

@Suite struct FreeNameTests {
    private func free(_ text: String, taken: Set<String> = []) throws -> String {
        let name = try #require(Name(text))
        return FreeName.beside(name) { taken.contains($0.text) }.text
    }

    @Test(arguments: [
        ("Note.md", "Note 2.md"), ("Note", "Note 2"), (".hidden", ".hidden 2"),
        ("a.tar.gz", "a.tar 2.gz"), ("Note 2.md", "Note 2 2.md"), ("ends.", "ends 2."),
    ])
    func theNumberComesBeforeTheEnding(text: String, expected: String) throws {
        #expect(try free(text) == expected)
    }

    @Test func takenNamesAreSkipped() throws {
        #expect(try free("n", taken: ["n 2", "n 3"]) == "n 4")
    }

    @Test func aLongNameIsShortenedBetweenCharacters() throws {
        let long = String(repeating: "\u{5B57}", count: 84) + ".md"
        let beside = try free(long)
        #expect(beside.utf8.count <= 255)
        #expect(beside.hasSuffix(" 2.md"))
        #expect(!beside.contains("\u{FFFD}"))
    }

    @Test func aLongEndingIsPartOfTheStem() throws {
        let long = "a." + String(repeating: "x", count: 253)
        let beside = try free(long)
        #expect(beside.utf8.count == 255)
        #expect(beside.hasSuffix("x 2"))
    }

    @Test func bytesThatAreNoTextAreShortenedToo() throws {
        let name = try #require(Name(Array(repeating: 0x80, count: 255)))
        let beside = FreeName.beside(name) { _ in false }
        #expect(beside.bytes.count <= 255)
        #expect(beside.bytes.suffix(2) == Array(" 2".utf8)[...])
    }
}

@Suite struct IgnoredNamesTests {
    @Test(arguments: [
        ".DS_Store", "desktop.ini", "Icon\r", "4913", ".nosync", "photos.nosync", "x.tmp",
        "note.md~", ".dat.nosync1a2b.c3d4", ".#note.md", "~$book.docx", ".ubiquity-x",
        "#note.md#", ".note.md.swp", ".note.md.swo", ".note.md.swa",
    ])
    func temporaryNamesAreLeftAlone(text: String) throws {
        #expect(IgnoredNames.contains(try #require(Name(text))))
    }

    @Test(arguments: [
        "note.md", ".hidden", "~", ".tmp", "nosync", "#", "##x", "note.swp", ".swp", "4914",
        "tmp", "icon", ".note.md.sw1", "~book", ".git", ".ubiquity",
    ])
    func ordinaryNamesAreNot(text: String) throws {
        #expect(!IgnoredNames.contains(try #require(Name(text))))
    }
}
