import Foundation
import Testing

@testable import Ubiquity

/// Programs written for Apple's SDK, unchanged, on two devices of a real cloud.
@Suite(.timeLimit(.minutes(2)), .serialized) struct AcceptanceTests {
    @Test func oneNoteOnTwoDevices() async throws {
        let cloud = try await TestCloud()
        let (here, there) = (try await cloud.device("here"), try await cloud.device("there"))
        let maker = try here.program("acceptance01")
        #expect(await maker.says("iCloud access at iCloud.org.ubiquity.notes"))
        #expect(await maker.says("new document opened from iCloud"))

        try await here.wait()
        try await there.wait()
        let reader = try there.program("acceptance01")
        #expect(await reader.says("note: Empty"))
        #expect(await reader.says("iCloud document opened"))

        // What is typed on one device shows on the other, in the open document.
        try reader.type("edit Hello from there")
        #expect(await maker.says("note: Hello from there"))
        try maker.type("edit And from here")
        #expect(await reader.says("note: And from here"))
        try maker.quit()
        try reader.quit()
    }

    @Test func notesInTheKeyValueStoreOnTwoDevices() async throws {
        let cloud = try await TestCloud()
        let (one, other) = (try await cloud.device("here"), try await cloud.device("there"))
        let (here, there) = (try one.program("acceptance02"), try other.program("acceptance02"))
        #expect(await here.says("started"))
        #expect(await there.says("started"))

        try here.type("set a Apples")
        #expect(await there.says("notes: a=Apples"))
        try there.type("set b Bread")
        #expect(await here.says("notes: a=Apples, b=Bread"))
        try there.type("set a Pears")
        #expect(await here.says("notes: a=Pears, b=Bread"))
        try here.type("delete a")
        #expect(await there.says("notes: b=Bread"))
        try here.quit()
        try there.quit()
    }

    @Test func notesInAnArchiveOnTwoDevices() async throws {
        let cloud = try await TestCloud()
        let (one, other) = (try await cloud.device("here"), try await cloud.device("there"))
        let here = try one.program("acceptance03")
        #expect(await here.says("new file created"))
        try here.type("set a Apples")
        // The program's query gathers once: the device must have seen the file.
        try await one.wait()
        try here.type("list")
        #expect(await here.says("files: notes"))
        try await one.wait()
        try await other.wait()

        let there = try other.program("acceptance03")
        // A change is saved a moment later, and reaches the open document.
        #expect(await there.says("notes: a=Apples"))
        try there.type("set b Bread")
        #expect(await here.says("notes: a=Apples, b=Bread"))
        try here.type("remove a")
        #expect(await there.says("notes: b=Bread"))
        try here.type("delete")
        #expect(await here.says("deleted"))
        try await one.wait()
        try await other.wait()
        #expect(!FileManager.default.fileExists(atPath: other.container.path + "/notes"))
        try here.quit()
        try there.quit()
    }

    @Test func aFileBrowserOnTwoDevices() async throws {
        let cloud = try await TestCloud()
        let (one, other) = (try await cloud.device("here"), try await cloud.device("there"))
        let (here, there) = (try one.program("acceptance04"), try other.program("acceptance04"))
        try here.type("watch")
        #expect(await here.says("watching"))
        try there.type("watch")
        #expect(await there.says("watching"))

        let outside = one.home.appendingPathComponent("Letter-é.txt")
        try Data("Dear all".utf8).write(to: outside)
        try here.type("move \(outside.path)")
        #expect(await here.says("moved: Letter-é.txt"))
        #expect(await there.says("seen: Letter-é.txt"))
        try await one.wait()
        try await other.wait()
        try there.type("read Letter-é.txt")
        #expect(await there.says("read: Dear all"))
        try there.type("download Letter-é.txt")
        #expect(await there.says("download: asked"))
        try there.type("evict Letter-é.txt")
        #expect(await there.says("evict: done"))
        let placeholder = other.container.path + "/Documents/.Letter-é.txt.icloud"
        #expect(FileManager.default.fileExists(atPath: placeholder))
        // A coordinated read brings it back.
        try there.type("read Letter-é.txt")
        #expect(await there.says("read: Dear all"))
        #expect(!FileManager.default.fileExists(atPath: placeholder))

        // The condition passes over case and accents, and the query goes on.
        try there.type("start LETTER")
        try await there.repeats("entries", until: "entries: Letter-é.txt 8 here sent")
        try here.type("note Second-letter.txt Typed")
        #expect(await here.says("unsaved: true"))
        #expect(await here.says("undone: false ''"))
        #expect(await here.says("note saved: true false"))
        try await there.repeats(
            "entries",
            until: "entries: Letter-é.txt 8 here sent, Second-letter.txt 5 here sent")

        try here.type("package Parts.textbundle Whole")
        #expect(await here.says("package made"))
        try await one.wait()
        try await other.wait()
        try there.type("package Parts.textbundle")
        #expect(await there.says("package: Whole [\"one\", \"two\"]"))
        try there.type("unwatch")
        #expect(await there.says("not watching"))
        try here.quit()
        try there.quit()
    }

    @Test func nestedBlocksOnTwoDevices() async throws {
        let cloud = try await TestCloud()
        let (one, other) = (try await cloud.device("here"), try await cloud.device("there"))
        let (here, there) = (try one.program("acceptance05"), try other.program("acceptance05"))
        try here.type("create Note.txt")
        #expect(await here.says("new document opened from iCloud"))
        try here.type("edit Written in a block")
        try here.type("finish")
        #expect(await here.says("finished"))
        try await one.wait()
        try await other.wait()
        try there.type("open Note.txt")
        #expect(await there.says("content: Written in a block"))
        try there.type("finish")
        #expect(await there.says("finished"))
        try here.quit()
        try there.quit()
    }

    @Test func withoutADeviceThereIsNoAccess() async throws {
        let home = try TestHome()
        let program = try Program("acceptance01", home: home.url)
        #expect(await program.says("No iCloud access"))
        try program.quit()
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.url.path) == [])
    }
}
