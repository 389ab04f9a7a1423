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
        // A transfer may still be under way.
        #expect(one.documentState.isSubset(of: .progressAvailable))
        #expect(other.documentState.isSubset(of: .progressAvailable))
    }

    /// By hand, or because the disk is short: nobody knows there that a program shows it.
    @Test func aDocumentWhoseFileIsEvictedMeanwhileIsSavedAsAnEdit() async throws {
        let evicting = try Program("ubiquity", ["evict", one.fileURL.path], home: here.home)
        try #require(await evicting.ended() == 0)
        try #require(!FileManager.default.fileExists(atPath: one.fileURL.path))
        one.edit("typed\n")
        #expect(await one.autosave())
        try await here.wait()
        #expect(await other.loads { $0 == "typed\n" })
        try await there.wait()
        #expect(one.text == "typed\n")
        #expect(try versions(one).filter { $0.isConflict }.isEmpty)
        #expect(!one.documentState.contains(.inConflict))
    }

    /// Both save another text without having seen each other's.
    private func makeConflict() async throws {
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
    }

    private func versions(_ document: TextDocument) throws -> [NSFileVersion] {
        let item = VersionedItem(url: document.fileURL, session: document.session)
        return try #require(item?.versions())
    }

    private func text(_ version: NSFileVersion) throws -> String {
        try String(contentsOf: version.url, encoding: .utf8)
    }

    @Test func editsOfTheSameLineAreBothKept() async throws {
        try await makeConflict()
        let heads = try versions(one).filter { $0.row.isCurrent || $0.isConflict }
        #expect(try Set(heads.map(text)) == ["mine\n", "theirs\n"])
        #expect(Set(heads.map(\.localizedNameOfSavingComputer)) == ["here", "there"])
        #expect(one.documentState.contains(.inConflict))
        #expect(!heads.contains { $0.modificationDate == nil })
    }

    @Test func aConflictIsSettledForTheVersionThatShows() async throws {
        try await makeConflict()
        let states = Notifications(UIDocument.stateChangedNotification, other)
        let shown = try #require(try versions(one).first { $0.row.isCurrent })
        let kept = try text(shown)
        let conflicts = try versions(one).filter { $0.isConflict && !$0.isResolved }
        #expect(conflicts.count == 1)
        conflicts[0].isResolved = true
        #expect(conflicts[0].isResolved)
        #expect(try versions(one).filter { $0.isConflict }.isEmpty)
        while other.documentState.contains(.inConflict) { _ = await states.next() }
        #expect(await other.loads { $0 == kept })
        // The other one is an old version, and can be read.
        let old = try #require(try versions(one).first { $0 == conflicts[0] })
        #expect(try text(old) != kept)
    }

    @Test func aSettledConflictStaysSettledAfterRestarts() async throws {
        try await makeConflict()
        let shown = try #require(try versions(one).first { $0.row.isCurrent })
        let kept = try text(shown)
        for version in try versions(one) where version.isConflict { version.isResolved = true }
        try await here.wait()
        try await there.wait()
        for device in [try await here.restarted(), try await there.restarted()] {
            try await device.wait()
            let document = try Self.document(on: device)
            #expect(try versions(document).filter { $0.isConflict }.isEmpty)
            #expect(await document.open())
            #expect(document.text == kept)
        }
    }

    @Test func aConflictIsSettledForTheOtherVersion() async throws {
        try await makeConflict()
        let chosen = try #require(try versions(one).first { $0.isConflict })
        let wanted = try text(chosen)
        try chosen.replaceItem(at: one.fileURL, options: .byMoving)
        #expect(try versions(one).filter { $0.isConflict }.isEmpty)
        #expect(await one.loads { $0 == wanted })
        #expect(await other.loads { $0 == wanted })
    }
}

/// Looking for items on a real device.
@Suite(.timeLimit(.minutes(2))) struct CloudQueryTests {
    @Test func aContainerThatWasNotAskedForIsSetUp() async throws {
        let cloud = try await TestCloud()
        let device = try await cloud.device("here")
        let session = device.session()
        let query = NSMetadataQuery(session: session)
        query.predicate = NSPredicate(value: true)
        let finished = Notifications(.NSMetadataQueryDidFinishGathering, query)
        query.start()
        _ = await finished.next()
        #expect(query.resultCount == 0)
        query.stop()
        withExtendedLifetime(device) {}
    }
}
