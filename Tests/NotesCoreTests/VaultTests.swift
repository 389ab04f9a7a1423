import Foundation
import NotesCore
import Testing

@Suite struct VaultTests {
    static let names = [
        "Bad front.md", "CRLF.md", "Empty.md", "Home.md", "No end.md", "Sub/Deep.md", "deep.md",
        "emoji 😀 & # % name.md",
    ]

    @Test(arguments: [
        ("Bad front.md", "body"), ("CRLF.md", "line"), ("Empty.md", "Empty"), ("Home.md", "Home"),
        ("No end.md", "title: x"), ("Sub/Deep.md", "Part one"),
        ("deep.md", "same name, other case and folder"),
    ])
    func hasTitle(path: String, title: String) throws {
        #expect(text(try vaultNote(path).title) == title)
    }

    @Test func readsHome() throws {
        let home = try vaultNote("Home.md")
        #expect(texts(home.aliases) == ["Start", "Front page"])
        #expect(home.created?.seconds == 1_704_164_640)
        // A word with hyphens is a tag; only what stands in code is none.
        #expect(texts(home.tags) == ["home", "a/b", "inline", "nested/tag", "not-a-tag-in"])
        #expect(texts(try vaultNote("CRLF.md").tags) == ["win"])
    }

    @Test func findsBrokenLinks() throws {
        let notes = try Self.names.map(vaultNote)
        var index = LinkIndex()
        for note in notes { index.insert(note.path, aliases: note.aliases) }
        index.insert(NotePath(bytes("att/dot.png")))
        var broken: [String] = []
        for note in notes {
            for link in note.links where index.file(of: link, in: note.path) == nil {
                broken.append(text(link.target))
            }
        }
        #expect(broken == ["Missing"])
    }
}
