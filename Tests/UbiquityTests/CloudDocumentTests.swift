import DeviceSocket
import Foundation
import SyncWire
import Testing

@testable import Ubiquity

/// The same document open on two devices of a real cloud.
@MainActor
@Suite(.timeLimit(.minutes(2)), .serialized) struct CloudDocumentTests {
    private let cloud: TestCloud
    private let here: TestDevice
    private let there: TestDevice
    private let one: TextDocument
    private let other: TextDocument

    init() async throws {
        cloud = try await TestCloud()
        here = try await cloud.device("here")
        there = try await cloud.device("there")
        one = try Self.document(on: here)
        other = try Self.document(on: there)
        one.text = "first\nsecond\nthird\nfourth\nfifth\n"
        try #require(await one.save(to: one.fileURL, for: .forCreating))
        try await here.wait()
        try await there.wait()
        try #require(await other.open())
        one.saveByHand()
        other.saveByHand()
    }

    private static func document(on device: TestDevice) throws -> TextDocument {
        let session = device.session()
        let folder = try session.containerFolder(nil).appendingPathComponent("Documents")
        return TextDocument(
            fileURL: folder.appendingPathComponent("note.md"), session: session)
    }

    @Test func whatIsSavedOnOneShowsOnTheOther() async throws {
        one.edit("changed here\n")
        #expect(await one.autosave())
        #expect(await other.loads { $0 == "changed here\n" })
        other.edit("and there\n")
        #expect(await other.autosave())
        #expect(await one.loads { $0 == "and there\n" })
        #expect(one.documentState == .normal && other.documentState == .normal)
    }

    @Test func editsOfTheSameLineAreBothKept() async throws {
        let states = Notifications(UIDocument.stateChangedNotification, one)
        one.edit("mine\n")
        other.edit("theirs\n")
        #expect(await other.autosave())
        while !one.documentState.contains(.inConflict) { _ = await states.next() }
        // The other version is on the disk, and the unsaved one is untouched.
        #expect(one.text == "mine\n")
        #expect(await one.autosave())
        try await here.wait()
        try await there.wait()
        let rows = try one.session.ask { client throws(DeviceClientError) in
            try client.conflicts()
        }
        let heads = try #require(rows.first).heads
        var contents: Set<String> = []
        for head in heads {
            var bytes: [UInt8] = []
            try one.session.ask { client throws(DeviceClientError) in
                try client.content(path: rows[0].path, version: head.version) {
                    bytes += $0
                    return true
                }
            }
            contents.insert(String(decoding: bytes, as: UTF8.self))
        }
        #expect(contents == ["mine\n", "theirs\n"])
        #expect(one.documentState == .inConflict)
    }
}
