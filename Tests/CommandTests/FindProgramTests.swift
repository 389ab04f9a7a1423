import Foundation
import Testing

/// `ubiquity find` against a real device.
@Suite(.timeLimit(.minutes(2))) struct FindProgramTests {
    private func names(_ ended: Ended) throws -> [String] {
        let items = try #require(try ended.json()["items"] as? [[String: Any]])
        return items.compactMap { ($0["path"] as? String)?.split(separator: "/").last }
            .map { String($0) }
    }

    /// A file that is written in place may be seen more than once on its way.
    private func lineAfterChanges(_ find: RunningProgram) throws -> String {
        while true {
            let line = try find.line()
            if !line.hasPrefix("changed\t") { return line }
        }
    }

    @Test func findsByNameSizeAndDate() throws {
        let cloud = try TestCloud()
        let home = cloud.home("desk")
        #expect(try home.run("join", cloud.url, "--account", "anna").status == 0)
        let device = try home.startDevice()
        try FileManager.default.createDirectory(
            atPath: home.documents + "/sub", withIntermediateDirectories: false)
        try home.write("short", to: "a.md")
        try home.write(String(repeating: "x", count: 2000), to: "sub/b.md")
        try home.write("text", to: "c.txt")
        #expect(try home.run("wait").status == 0)

        let long = try home.run("find", "kMDItemFSName LIKE '*.md' AND kMDItemFSSize > 1000")
        #expect(long.status == 0 && long.text == home.documents + "/sub/b.md\n")
        let one = try home.run("find", "kMDItemFSName == 'c.txt'", "--json")
        #expect(try names(one) == ["c.txt"])
        #expect(try one.json()["visited"] as? Int == 1)
        for (predicate, wanted) in [
            ("kMDItemFSName MATCHES '[ab][.]md'", ["a.md", "b.md"]),
            ("kMDItemFSName MATCHES[c] 'A.*'", ["a.md"]),
            ("kMDItemFSName IN {'a.md', 'c.txt'}", ["a.md", "c.txt"]),
            ("kMDItemDisplayName == 'b' AND kMDItemPath CONTAINS '/sub/'", ["b.md"]),
            ("kMDItemContentType UTI-CONFORMS-TO 'public.text'", ["a.md", "c.txt", "b.md"]),
            (
                "kMDItemFSContentChangeDate > CAST('2001-01-01', 'NSDate') AND kMDItemFSSize > 9",
                ["b.md"]
            ),
            ("kMDItemContentType == 'public.folder'", ["sub"]),
            ("NSMetadataUbiquitousItemIsUploadedKey == NO", []),
            ("kMDItemFSSize > 'x'", []),
        ] {
            let found = try home.run("find", predicate, "--json")
            #expect(try names(found) == wanted, "\(predicate): \(found.complained)")
        }
        device.signal(SIGTERM)
        #expect(device.status == 0)
    }

    @Test func aPredicateThatIsNoneIsShownWithThePlace() throws {
        let home = TestHome(path: "/nonexistent/home")
        let wrong = try home.run("find", "kMDItemFSName == ")
        #expect(wrong.status == 2 && wrong.said.isEmpty)
        let lines = wrong.complained.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0].contains("byte 17"))
        #expect(lines[1].contains("kMDItemFSName =="))
        #expect(lines[2].last == "^")
        #expect(try home.run("find").status == 2)
        #expect(try home.run("find", String(repeating: "(", count: 100_000)).status == 2)
        #expect(try home.run("find", "TRUEPREDICATE").failed(saying: "device run"))
    }

    @Test func tellsOfChangesWhileItIsLive() throws {
        let cloud = try TestCloud()
        let home = cloud.home("desk")
        #expect(try home.run("join", cloud.url, "--account", "anna").status == 0)
        let device = try home.startDevice()
        try home.write("one", to: "a.md")
        #expect(try home.run("wait").status == 0)
        let find = try home.start(bytes("find", "kMDItemFSName LIKE '*.md'", "--live"))
        #expect(try find.line() == home.documents + "/a.md")
        try home.write("two", to: "b.md")
        #expect(try find.line() == "added\t\(home.documents)/b.md")
        try home.write("three", to: "b.md")
        #expect(try find.line() == "changed\t\(home.documents)/b.md")
        try FileManager.default.moveItem(
            atPath: home.documents + "/a.md", toPath: home.documents + "/a.txt")
        #expect(try lineAfterChanges(find) == "removed\t\(home.documents)/a.md")
        try FileManager.default.removeItem(atPath: home.documents + "/b.md")
        #expect(try lineAfterChanges(find) == "removed\t\(home.documents)/b.md")
        device.signal(SIGTERM)
        #expect(device.status == 0)
        #expect(find.status == 1)
        #expect(find.complained.contains("find: "))
    }
}
