import DeviceSocket
import Foundation
import SyncCore
import SyncWire
import Testing

@testable import Ubiquity

/// Programs written for Apple's SDK, unchanged, as processes on two devices.
///
/// The two daemons are the tests' own; the test carries what one has to the other.
@Suite(.timeLimit(.minutes(2))) struct AcceptanceTests {
    private let name = "Containers/iCloud.org.ubiquity.notes/Documents/mydocument.dox"

    /// As a daemon carries a file to another device.
    private func carry(_ from: TestHome, to other: TestHome, _ daemon: TestDaemon) throws {
        let data = try Data(contentsOf: from.url.appendingPathComponent(name))
        let target = other.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: target, options: .atomic)
        daemon.look()
    }

    @Test func oneNoteOnTwoDevices() async throws {
        let (one, other) = (try TestHome(), try TestHome())
        let (first, second) = (try TestDaemon(one.home), try TestDaemon(other.home))
        let maker = try Program("acceptance01", home: one.url)
        #expect(await maker.says("iCloud access at iCloud.org.ubiquity.notes"))
        #expect(await maker.says("note: Empty"))
        #expect(await maker.says("new document opened from iCloud"))

        try carry(one, to: other, second)
        let reader = try Program("acceptance01", home: other.url)
        #expect(await reader.says("note: Empty"))
        #expect(await reader.says("iCloud document opened"))

        // What is typed on one device shows on the other, in the open document.
        try reader.type("edit Hello from the second device")
        try reader.type("close")
        #expect(await reader.says("closed"))
        try carry(other, to: one, first)
        #expect(await maker.says("note: Hello from the second device"))
        try maker.quit()
        try reader.quit()
        first.stop()
        second.stop()
    }

    @Test func withoutADeviceThereIsNoAccess() async throws {
        let home = try TestHome()
        let program = try Program("acceptance01", home: home.url)
        #expect(await program.says("No iCloud access"))
        try program.quit()
        #expect(!FileManager.default.fileExists(atPath: home.url.appendingPathComponent(name).path))
    }

    @Test func notesInTheKeyValueStoreOnTwoDevices() async throws {
        let (one, other) = (try TestHome(), try TestHome())
        let (first, second) = (try TestDaemon(one.home), try TestDaemon(other.home))
        let here = try Program("acceptance02", home: one.url)
        let there = try Program("acceptance02", home: other.url)
        #expect(await here.says("started"))
        #expect(await there.says("started"))

        try here.type("set a Apples")
        try here.type("synchronize")
        #expect(await here.says("synchronized: true"))
        carryValues(first, to: second)
        #expect(await there.says("notes: a=Apples"))

        try there.type("set b Bread")
        try there.type("set a Pears")
        try there.type("synchronize")
        #expect(await there.says("synchronized: true"))
        carryValues(second, to: first)
        #expect(await here.says("notes: a=Pears, b=Bread"))

        try here.type("delete a")
        try here.type("synchronize")
        #expect(await here.says("synchronized: true"))
        carryValues(first, to: second)
        #expect(await there.says("notes: b=Bread"))
        try here.quit()
        try there.quit()
        first.stop()
        second.stop()
    }

    private func carryValues(_ from: TestDaemon, to other: TestDaemon) {
        for (key, value) in from.world({ $0.values }) {
            other.setFromElsewhere(String(decoding: key, as: UTF8.self), value)
        }
    }
}
