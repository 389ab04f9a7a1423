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

    @Test func withoutADeviceThereIsNoAccess() async throws {
        let home = try TestHome()
        let program = try Program("acceptance01", home: home.url)
        #expect(await program.says("No iCloud access"))
        try program.quit()
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.url.path) == [])
    }
}
