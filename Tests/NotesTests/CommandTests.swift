import Foundation
import Testing

/// The commands as people use them: processes on devices that share a cloud.
@Suite(.timeLimit(.minutes(3))) struct NoteCommandTests {
    @Test func aNoteLives() throws {
        let cloud = try TestCloud()
        let (desk, lap) = (try cloud.device("desk"), try cloud.device("lap"))
        let new = try desk.notes(
            "new", "Shopping", "--notebook", "Private/Lists", "--tag", "home", "--tag", "a: b",
            input: "milk\r\n")
        #expect(new.status == 0, "\(new.complained)")
        let path = desk.documents.appendingPathComponent("Private/Lists/Shopping.md").path
        let id = String(new.text.prefix(32))
        #expect(new.text == "\(id)\t\(path)\n")
        let start = "---\r\ntags: [home, \"a: b\"]\r\n---\r\n# Shopping\r\n\r\nmilk\r\n"
        #expect(try desk.notes("show", "Shopping").text == start)

        #expect(try desk.ubiquity("wait").status == 0)
        #expect(try lap.ubiquity("wait").status == 0)
        let row = try #require(try lap.list().first)
        #expect(row["id"] as? String == id)
        #expect(row["title"] as? String == "Shopping")
        #expect(row["notebook"] as? String == "Private/Lists")
        #expect(row["tags"] as? [String] == ["home", "a: b"])
        #expect(row["snippet"] as? String == "milk")
        #expect(row["favorite"] as? Bool == false && row["pinned"] as? Bool == false)

        #expect(try lap.notes("append", id, "eggs").status == 0)
        #expect(try lap.notes("append", "shopping", input: "bread\n").status == 0)
        #expect(try lap.notes("show", String(id.prefix(6))).text == start + "eggs\r\nbread\n")
        let edit = try lap.notes(
            "edit", "Private/Lists/Shopping", environment: ["EDITOR": "sed -i s/milk/oats/"])
        #expect(edit.status == 0, "\(edit.complained)")
        #expect(try lap.ubiquity("wait").status == 0)
        #expect(try desk.ubiquity("wait").status == 0)
        let after = start.replacing("milk", with: "oats") + "eggs\r\nbread\n"
        #expect(try desk.notes("show", path).text == after)
        #expect(try desk.notes("show", id, "--json").json()["text"] as? String == after)

        try FileManager.default.moveItem(
            atPath: path, toPath: desk.documents.appendingPathComponent("Other.md").path)
        #expect(try desk.ubiquity("wait").status == 0)
        #expect(try lap.ubiquity("wait").status == 0)
        #expect(try lap.list().map { $0["id"] as? String } == [id])
        #expect(try lap.notes("delete", "Other").text == "deleted Other.md\n")
        #expect(try lap.list().isEmpty)
        #expect(try lap.ubiquity("wait").status == 0)
        #expect(try desk.ubiquity("wait").status == 0)
        #expect(try desk.list().isEmpty)
        #expect(try desk.ubiquity("conflicts").said.isEmpty)
    }

    @Test func neverOverwrites() throws {
        let cloud = try TestCloud()
        let desk = try cloud.device("desk")
        for title in ["A/b", "A/b", ".hidden", "x"] {
            #expect(try desk.notes("new", title).status == 0)
        }
        #expect(try desk.notes("new", input: "First line\nmore").status == 0)
        #expect(desk.paths == ["A-b.md", "A-b 2.md", "_.hidden.md", "x.md", "First line.md"])
        #expect(try desk.content("A-b 2.md") == Array("# A/b\n".utf8))
        #expect(try desk.content("First line.md") == Array("First line\nmore".utf8))
        #expect(try desk.notes("show", "A/b").failed(saying: "names 2 notes"))
        #expect(try desk.notes("new").failed(saying: "nothing to save"))
        // The newest first.
        #expect(try desk.list().first?["title"] as? String == "First line")
        #expect(try desk.list("--notebook", "x").isEmpty)
    }

    @Test func appendsAllAtOnce() throws {
        let cloud = try TestCloud()
        let desk = try cloud.device("desk")
        #expect(try desk.notes("new", "Log").status == 0)
        let programs = try (0..<6).map { number in
            try desk.start("notes", words(["append", "Log", "line \(number)"]))
        }
        #expect(programs.allSatisfy { $0.status == 0 })
        let lines = try desk.notes("show", "Log").text.split(separator: "\n").sorted()
        #expect(lines.map(String.init) == ["# Log"] + (0..<6).map { "line \($0)" })
        #expect(try desk.ubiquity("wait").status == 0)
        #expect(try desk.ubiquity("status").status == 0)
    }

    @Test func takesNamesThatAreNoText() throws {
        let cloud = try TestCloud()
        let desk = try cloud.device("desk")
        let name = Array("caf".utf8) + [0xE9] + Array(".md".utf8)
        let place = Array(desk.documents.path.utf8) + [0x2F] + name
        let file = open(place.map { CChar(bitPattern: $0) } + [0], O_WRONLY | O_CREAT, 0o600)
        #expect(write(file, "# T\nx", 5) == 5)
        close(file)
        #expect(try desk.notes(bytes: words(["show"]) + [name]).text == "# T\nx")
        #expect(try desk.notes(bytes: words(["append"]) + [place] + words(["y"])).status == 0)
        #expect(try desk.notes("show", "T").text == "# T\nx\ny")
        let row = try #require(try desk.list().first)
        #expect(row["pathBytes"] as? String == Data(place).base64EncodedString())
        #expect(try desk.notes(bytes: words(["delete"]) + [name]).status == 0)
        #expect(desk.paths.isEmpty)
    }

    @Test func saysWhyItFails() throws {
        let cloud = try TestCloud()
        let desk = try cloud.device("desk")
        #expect(try desk.notes("show", "Nothing").failed(saying: "no note is called Nothing"))
        #expect(try desk.notes("import", "/nowhere").failed(saying: "not there"))
        #expect(try desk.notes("import", desk.documents.path).failed(saying: "already"))
        #expect(try desk.notes("new", "N").status == 0)
        let edit = try desk.notes("edit", "N", environment: ["EDITOR": "false"])
        #expect(edit.failed(saying: "did not end well"))
        #expect(try cloud.home("other").notes("list").failed(saying: "ubiquity device run"))
        for wrong in [
            [], ["x"], ["list", "x"], ["show"], ["new", "--tag"], ["list", "--no"],
            ["new", "x", "--notebook", "../y"], ["append", "a", "b", "c"],
        ] {
            let ended = try desk.start("notes", words(wrong))
            #expect(ended.status == 2, "\(wrong)")
        }
    }
}
