import Foundation
import Testing

@Suite(.timeLimit(.minutes(3))) struct ImportTests {
    @Test func takesInTheVaultOfAnotherApp() throws {
        let cloud = try TestCloud()
        let (desk, lap) = (try cloud.device("desk"), try cloud.device("lap"))
        for round in 0..<2 {
            let report = try desk.notes("import", vault.path, "--json").json()
            #expect(report["imported"] as? Int == 8)
            #expect(report["unchanged"] as? Int == round * 8)
            #expect(report["attachments"] as? Int == 2)
            let skipped = try #require(report["skipped"] as? [[String: String]])
            #expect(skipped.map { $0["source"] } == [".obsidian", ".trash"])
            #expect(report["read"] as? Int == 8 + skipped.count)
        }
        let files = try #require(FileManager.default.subpaths(atPath: vault.path))
            .filter { !$0.hasPrefix(".") }
        #expect(desk.paths == Set(files))
        #expect(try desk.ubiquity("wait").status == 0)
        #expect(try lap.ubiquity("wait").status == 0)
        #expect(lap.paths == Set(files))
        for file in files {
            let origin = vault.appendingPathComponent(file)
            for device in [desk, lap] {
                let copy = device.documents.appendingPathComponent(file)
                var facts = (stat(), stat())
                lstat(origin.path, &facts.0)
                lstat(copy.path, &facts.1)
                guard facts.0.st_mode & S_IFMT == S_IFREG else { continue }
                #expect(try Data(contentsOf: copy) == Data(contentsOf: origin))
                #expect(facts.0.st_mtim.tv_sec == facts.1.st_mtim.tv_sec)
                #expect(facts.0.st_mtim.tv_nsec == facts.1.st_mtim.tv_nsec)
            }
        }
        let rows = (try desk.list(), try lap.list())
        #expect(rows.0.count == 8)
        #expect(rows.0.map { $0["id"] as? String } == rows.1.map { $0["id"] as? String })
        let tags = Set(rows.1.flatMap { $0["tags"] as? [String] ?? [] })
        #expect(tags.isSuperset(of: ["home", "a/b", "inline", "nested/tag", "win"]))
        #expect(!tags.contains("code"))
        let home = try #require(rows.1.first { $0["title"] as? String == "Home" })
        #expect(home["created"] as? String == "2024-01-02T03:04:00.000000000Z")
    }

    @Test func goesOnAfterWhatIsBad() throws {
        let cloud = try TestCloud()
        let desk = try cloud.device("desk")
        let source = cloud.folder.appendingPathComponent("source", isDirectory: true)
        try write("there", source, "A.md")
        #expect(try desk.notes("import", source.path, "--notebook", "In/To").status == 0)
        try write("changed", source, "A.md")
        try write("b", source, "Sub/B.MARKDOWN")
        try write("p", source, "Sub/p.png")
        try write("x", source, "draft.md~")
        try write("x", source, ".git/config")
        try write("h", source, ".hidden.md")
        try write("i", source, ".cloud.md.icloud")
        try FileManager.default.createSymbolicLink(
            atPath: source.path + "/link.md", withDestinationPath: "/etc/passwd")
        try #require(mkfifo(source.path + "/pipe.md", 0o600) == 0)
        try write("locked", source, "locked.md")
        chmod(source.path + "/locked.md", 0)
        let long = String(repeating: "n", count: 252) + ".md"
        try write("long", source, long)

        var expected = [
            ".cloud.md.icloud": "placeholder", ".git": "hidden", "draft.md~": "temporary",
            "link.md": "symbolic link", "pipe.md": "not a file",
        ]
        // Whoever may read everything can read this too.
        if geteuid() != 0 { expected["locked.md"] = "permission denied" }
        for round in 0..<2 {
            let report = try desk.notes(
                "import", source.path, "--notebook", "In/To", "--json"
            ).json()
            let skipped = try #require(report["skipped"] as? [[String: String]])
            #expect(Set(skipped.compactMap { $0["source"] }) == Set(expected.keys))
            for entry in skipped {
                let reason = expected[entry["source"] ?? ""] ?? "?"
                #expect(entry["reason"]?.contains(reason) == true, "\(entry)")
            }
            let imported = try #require(report["imported"] as? Int)
            #expect(imported == (geteuid() == 0 ? 5 : 4))
            #expect(report["unchanged"] as? Int == round * imported)
            #expect(report["read"] as? Int == imported + skipped.count)
        }
        #expect(try desk.content("In/To/A.md") == Array("there".utf8))
        #expect(try desk.content("In/To/A 2.md") == Array("changed".utf8))
        #expect(try desk.content("In/To/\(long)") == Array("long".utf8))
        #expect(try desk.content("In/To/Sub/p.png") == Array("p".utf8))
        #expect(try desk.content("In/To/.hidden.md") == Array("h".utf8))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: desk.container.path) == [
                "Documents"
            ])
        #expect(try desk.ubiquity("wait").status == 0)
    }

    @Test func completesWhatWasInterrupted() throws {
        let cloud = try TestCloud()
        let desk = try cloud.device("desk")
        let source = cloud.folder.appendingPathComponent("source", isDirectory: true)
        for number in 0..<400 { try write("note \(number)", source, "n\(number % 7)/\(number).md") }
        let first = try desk.start("notes", words(["import", source.path]))
        while desk.paths.count < 40 { sched_yield() }
        first.signal(SIGKILL)
        #expect(first.status == -SIGKILL)
        let report = try desk.notes("import", source.path, "--json").json()
        #expect(report["read"] as? Int == 400)
        #expect(report["imported"] as? Int == 400)
        #expect(desk.paths.count == 407)
        for number in 0..<400 {
            #expect(try desk.content("n\(number % 7)/\(number).md") == Array("note \(number)".utf8))
        }
    }

    private func write(_ text: String, _ folder: URL, _ path: String) throws {
        let place = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: place)
    }
}
