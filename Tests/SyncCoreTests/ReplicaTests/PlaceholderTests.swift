import SyncCore
import Testing

/// What a placeholder says, and its name.
@Suite struct PlaceholderTests {
    private func name(_ text: String) throws -> Name { try #require(Name(text)) }

    @Test func namesGoThereAndBack() throws {
        for text in ["a", "note.md", ".hidden", "x.icloud", "ä ö"] {
            let hidden = try #require(Placeholder.name(for: try name(text)))
            #expect(hidden.text == ".\(text).icloud")
            #expect(Placeholder.original(of: hidden) == (try name(text)))
        }
    }

    @Test func someNamesHaveNone() throws {
        #expect(Placeholder.name(for: try name(String(repeating: "x", count: 247))) != nil)
        #expect(Placeholder.name(for: try name(String(repeating: "x", count: 248))) == nil)
        // Programs' temporary files begin so, and nobody would see it.
        #expect(Placeholder.name(for: try name("#a")) == nil)
        #expect(Placeholder.name(for: try name("ubiquity-a")) == nil)
    }

    @Test func otherNamesStandForNothing() throws {
        for text in ["a", ".a", "a.icloud", "..icloud", "...icloud", ".icloud"] {
            #expect(Placeholder.original(of: try name(text)) == nil, "\(text)")
        }
    }

    @Test func theCommandIsOneWordForAShell() throws {
        func command(_ text: String) throws -> String {
            let bytes = Placeholder.text(try name(text), VersionID(high: 1, low: 2), size: 7)
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            #expect(lines.contains("size: 7 bytes"))
            return String(try #require(lines.first { $0.contains("ubiquity download") }))
        }
        #expect(try command("a b").hasSuffix("download 'a b'"))
        #expect(try command("it's").hasSuffix(#"download 'it'\''s'"#))
        #expect(try command("-x").hasSuffix("download './-x'"))
    }

    @Test func itsFileIsReadableToWhomTheContentIs() {
        let facts = VersionFacts(
            digest: .zero, size: 9, mode: 0o640, modified: FileTime(seconds: 5, nanoseconds: 6))
        let own = Placeholder.facts(of: [1, 2], for: facts) { _ in .zero }
        #expect(own.mode == 0o440)
        #expect(own.size == 2)
        #expect(own.modified == facts.modified)
    }
}
