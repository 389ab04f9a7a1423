import Foundation
import Testing

@testable import Ubiquity

/// What a document knows of its being saved, whatever is undone meanwhile.
@Suite struct ChangeCountTests {
    private var changes = DocumentChanges()

    @Test mutating func anotherChangeAfterAnUndoIsUnsaved() {
        changes.count(.done)
        changes.save(changes.token)
        changes.count(.undone)
        #expect(changes.isUnsaved)
        changes.count(.done)
        #expect(changes.isUnsaved, "another content than the one that was saved")
        changes.count(.undone)
        #expect(changes.isUnsaved)
    }

    @Test mutating func whatIsRedoneIsSaved() {
        changes.count(.done)
        changes.count(.done)
        changes.save(changes.token)
        changes.count(.undone)
        changes.count(.undone)
        changes.count(.redone)
        #expect(changes.isUnsaved)
        changes.count(.redone)
        #expect(!changes.isUnsaved)
    }

    @Test mutating func aSaveThatEndsAfterAnUndoIsOfItsOwnContent() {
        changes.count(.done)
        changes.save(changes.token)
        changes.count(.undone)
        let token = changes.token
        changes.count(.done)
        changes.save(token)
        #expect(changes.isUnsaved)
        changes.count(.undone)
        #expect(!changes.isUnsaved)
        changes.count(.redone)
        changes.save(changes.token)
        #expect(!changes.isUnsaved)
    }

    @Test mutating func whatGoesOnInAGroupIsUnsavedToo() {
        changes.count(.done)
        changes.save(changes.token)
        changes.goOn()
        #expect(changes.isUnsaved)
        changes.count(.undone)
        #expect(changes.isUnsaved, "nothing of the group is left, and half of it was saved")
        changes.count(.redone)
        changes.save(changes.token)
        changes.count(.undone)
        changes.count(.redone)
        #expect(!changes.isUnsaved)
    }

    @Test mutating func aTokenFromBeforeAClearingSaysNothing() {
        changes.count(.done)
        let token = changes.token
        changes.count(.cleared)
        #expect(!changes.isUnsaved)
        changes.count(.done)
        changes.save(token)
        #expect(changes.isUnsaved)
    }
}

/// The same with a document and its undo manager.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct UndoneDocumentTests {
    private let home: TestHome
    private let document: TextDocument

    init() async throws {
        home = try TestHome()
        document = TextDocument(
            fileURL: home.url.appendingPathComponent("note.txt"), session: home.session)
        try #require(await document.save(to: document.fileURL, for: .forCreating))
        document.saveByHand()
    }

    private func set(_ text: String) {
        let old = document.text
        document.undoManager.registerUndo(withTarget: document) { _ in set(old) }
        document.text = text
    }

    private var onDisk: String? { try? String(contentsOf: document.fileURL, encoding: .utf8) }

    private func nextTurn() async {
        await withCheckedContinuation { continuation in
            OperationQueue.main.addOperation { continuation.resume() }
        }
    }

    @Test func whatIsTypedAfterAnUndoIsSaved() async {
        set("one")
        await nextTurn()
        #expect(await document.autosave())
        document.undoManager.undo()
        set("other")
        await nextTurn()
        #expect(await document.close())
        #expect(onDisk == "other")
    }

    /// Programs that make a whole word, or all that is typed at once, one step.
    @Test func whatIsTypedInAnOpenGroupIsSaved() async {
        document.undoManager.beginUndoGrouping()
        set("a")
        #expect(await document.autosave())
        set("ab")
        #expect(await document.autosave())
        #expect(onDisk == "ab")
        document.undoManager.endUndoGrouping()
        document.undoManager.undo()
        #expect(await document.close())
        #expect(onDisk == "")
    }
}
