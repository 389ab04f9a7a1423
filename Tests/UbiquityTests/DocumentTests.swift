import DeviceSocket
import Foundation
import SyncCore
import SyncWire
import Testing

@testable import Ubiquity

@MainActor
@Suite(.timeLimit(.minutes(1))) struct DocumentTests {
    let home: TestHome
    let daemon: TestDaemon
    let documents: URL

    init() throws {
        home = try TestHome()
        daemon = try TestDaemon(home.home)
        documents = try home.documents()
    }

    private func document(_ name: String = "note.txt") -> TextDocument {
        TextDocument(
            fileURL: documents.appendingPathComponent(name), session: home.session)
    }

    private func onDisk(_ name: String = "note.txt") throws -> String {
        String(
            decoding: try Data(contentsOf: documents.appendingPathComponent(name)), as: UTF8.self)
    }

    /// As a daemon installs what another device has saved: a rename over the old file.
    private func installFromElsewhere(_ text: String, _ name: String = "note.txt") throws {
        let url = documents.appendingPathComponent(name)
        try Data(text.utf8).write(to: url, options: .atomic)
        daemon.look()
    }

    /// Everything but what people put there is somewhere else.
    private func strangers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: documents.path).filter {
            !$0.hasSuffix(".txt")
        }
    }

    @Test func aMissingFileIsNotOpened() async {
        let document = document()
        #expect(document.documentState == .closed)
        #expect(await !document.open())
        #expect(document.documentState == .closed)
    }

    @Test func whatWasSavedIsOpened() async throws {
        let document = document()
        document.text = "f\u{FC}nf"
        #expect(await document.save(to: document.fileURL, for: .forCreating))
        #expect(document.documentState == .normal)
        #expect(try onDisk() == "f\u{FC}nf")
        #expect(try strangers() == [])
        let other = self.document()
        #expect(await other.open())
        #expect(other.text == "f\u{FC}nf")
        #expect(other.fileModificationDate != nil)
        #expect(other.localizedName == "note")
        #expect(await other.close())
        #expect(other.documentState == .closed)
    }

    @Test func aSaveKeepsTheModeAndFollowsALink() async throws {
        let document = document()
        #expect(await document.save(to: document.fileURL, for: .forCreating))
        #expect(chmod(document.fileURL.path, 0o640) == 0)
        let link = documents.appendingPathComponent("link.txt")
        try FileManager.default.createSymbolicLink(
            atPath: link.path, withDestinationPath: "note.txt")
        let linked = self.document("link.txt")
        #expect(await linked.open())
        linked.edit("through the link")
        #expect(await linked.autosave())
        #expect(try onDisk() == "through the link")
        var status = stat()
        #expect(lstat(link.path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(lstat(document.fileURL.path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    }

    @Test func changesAreSavedByThemselves() async throws {
        let document = document()
        #expect(await document.save(to: document.fileURL, for: .forCreating))
        document.edit("typed")
        #expect(document.hasUnsavedChanges)
        while try onDisk() != "typed" { await Task.yield() }
    }

    @Test func changesDuringASaveStayUnsaved() async throws {
        let document = document()
        document.text = "one"
        #expect(await document.save(to: document.fileURL, for: .forCreating))
        document.saveByHand()
        document.edit("two")
        let saved = await withCheckedContinuation { continuation in
            OperationQueue.main.addOperation {
                MainActor.assumeIsolated {
                    document.save(to: document.fileURL, for: .forOverwriting) {
                        continuation.resume(returning: $0)
                    }
                    document.edit("three")
                }
            }
        }
        #expect(saved)
        #expect(try onDisk() == "two")
        #expect(document.hasUnsavedChanges)
        #expect(await document.close())
        #expect(try onDisk() == "three")
        #expect(!document.hasUnsavedChanges)
    }

    @Test func theVersionThatWasReadIsNoted() async throws {
        try installFromElsewhere("from elsewhere")
        let document = document()
        #expect(await document.open())
        await document.settle()
        let path = try #require(home.session.path(of: document.fileURL))
        let (noted, version) = daemon.world { ($0.readings[path], $0.items[path]?.version) }
        #expect(noted?.last == version)
        #expect(version != nil)
    }

    /// The daemon has not seen yet what another program saved: it has no version of it.
    @Test func anOldVersionDoesNotReplaceWhatOnlyThisDiskHas() throws {
        try installFromElsewhere("seen")
        let old = VersionRow(
            version: VersionID(high: 9, low: 9), device: nil, deviceName: "",
            modified: FileTime(seconds: 0, nanoseconds: 0), accepted: nil, size: 3,
            isCurrent: false, isConflict: false, isDeletion: false, isHere: true)
        let url = documents.appendingPathComponent("note.txt")
        let item = try #require(VersionedItem(url: url, session: home.session))
        daemon.world { world in
            world.contents[VersionID(high: 9, low: 9)] = Array("old".utf8)
            world.isBlind = true
        }
        try Data("only here".utf8).write(to: url)
        #expect(throws: CocoaError.self) { try item.replace(url, with: old) }
        #expect(try onDisk() == "only here")
        daemon.world { $0.isBlind = false }
        try item.replace(url, with: old)
        #expect(try onDisk() == "old")
    }

    @Test func whatComesFromElsewhereIsLoaded() async throws {
        let document = document()
        document.text = "mine"
        #expect(await document.save(to: document.fileURL, for: .forCreating))
        try installFromElsewhere("theirs")
        #expect(await document.loads { $0 == "theirs" })
        #expect(document.text == "theirs")
        #expect(!document.hasUnsavedChanges)
        #expect(document.documentState == .normal)
    }

    @Test func unsavedChangesAreNotOverwrittenNorIsTheOtherVersion() async throws {
        let document = document()
        document.text = "base"
        #expect(await document.save(to: document.fileURL, for: .forCreating))
        document.saveByHand()
        document.edit("mine")
        let states = Notifications(UIDocument.stateChangedNotification, document)
        try installFromElsewhere("theirs")
        _ = await states.next()
        #expect(document.documentState == .inConflict)
        #expect(document.text == "mine")
        #expect(document.loadCount == 0)
        #expect(try onDisk() == "theirs")
        // The device has a version of it: the save makes another.
        #expect(await document.autosave())
        #expect(try onDisk() == "mine")
        #expect(document.documentState == .normal)
    }

    @Test func whatNobodyElseHasIsNotOverwritten() async throws {
        let document = document()
        document.text = "base"
        #expect(await document.save(to: document.fileURL, for: .forCreating))
        document.saveByHand()
        daemon.stop()
        try Data("another program's".utf8).write(to: document.fileURL, options: .atomic)
        document.edit("mine")
        #expect(await !document.autosave())
        #expect(document.documentState.contains(.savingError))
        #expect(document.hasUnsavedChanges)
        #expect(try onDisk() == "another program's")
        #expect(try strangers() == [])
    }

    @Test func conflictsShowInTheState() async throws {
        let document = document()
        #expect(await document.save(to: document.fileURL, for: .forCreating))
        let path = try #require(home.session.path(of: document.fileURL))
        let states = Notifications(UIDocument.stateChangedNotification, document)
        var row = try #require(
            daemon.world {
                _ = $0.scan()
                return $0.items[path]
            })
        row.hasConflicts = true
        daemon.tell(ofItem: row)
        _ = await states.next()
        #expect(document.documentState == .inConflict)
        row.hasConflicts = false
        daemon.tell(ofItem: row)
        _ = await states.next()
        #expect(document.documentState == .normal)
    }

    @Test func aCleanDocumentClosesWhenItsFileIsDeleted() async throws {
        let document = document()
        #expect(await document.save(to: document.fileURL, for: .forCreating))
        let states = Notifications(UIDocument.stateChangedNotification, document)
        daemon.look()
        try FileManager.default.removeItem(at: document.fileURL)
        daemon.look()
        _ = await states.next()
        #expect(document.documentState == .closed)
    }

    @Test func aFailedSaveLeavesTheOldContent() async throws {
        let document = document()
        document.text = "old"
        #expect(await document.save(to: document.fileURL, for: .forCreating))
        let nowhere = documents.appendingPathComponent("no folder/note.txt")
        document.text = "new"
        #expect(await !document.save(to: nowhere, for: .forCreating))
        #expect(document.documentState.contains(.savingError))
        #expect(try onDisk() == "old")
    }

    @Test func filesOutsideOfICloudAreDocumentsToo() async throws {
        let url = home.url.appendingPathComponent("outside.txt")
        let document = TextDocument(fileURL: url, session: home.session)
        document.text = "one"
        #expect(await document.save(to: url, for: .forCreating))
        document.edit("two")
        #expect(await document.close())
        #expect(try String(contentsOf: url, encoding: .utf8) == "two")
    }

    @Test func revertingGivesUpUnsavedChanges() async throws {
        let document = document()
        document.text = "saved"
        #expect(await document.save(to: document.fileURL, for: .forCreating))
        document.edit("not saved")
        #expect(await document.revert(toContentsOf: document.fileURL))
        #expect(document.text == "saved")
        #expect(!document.hasUnsavedChanges)
    }
}

extension UIDocument {
    /// Returns when everything that was begun with the file is done.
    fileprivate func settle() async {
        await withCheckedContinuation { continuation in
            performAsynchronousFileAccess { continuation.resume() }
        }
    }
}
