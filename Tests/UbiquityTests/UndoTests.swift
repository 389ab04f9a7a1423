import Foundation
import Testing

@testable import Ubiquity

@MainActor
private final class Counter {
    let undo = UndoManager()
    private(set) var value = 0

    func set(_ new: Int) {
        let old = value
        undo.registerUndo(withTarget: self) { $0.set(old) }
        value = new
    }
}

@MainActor
@Suite(.timeLimit(.minutes(1))) struct UndoTests {
    private let counter = Counter()

    private func nextTurn() async {
        await withCheckedContinuation { continuation in
            OperationQueue.main.addOperation { continuation.resume() }
        }
    }

    @Test func whatIsDoneInOneTurnIsUndoneTogether() async {
        counter.set(1)
        counter.set(2)
        await nextTurn()
        counter.set(3)
        counter.undo.setActionName("Count")
        await nextTurn()
        #expect(counter.undo.undoActionName == "Count")
        counter.undo.undo()
        #expect(counter.value == 2)
        #expect(counter.undo.redoActionName == "Count")
        counter.undo.undo()
        #expect(counter.value == 0)
        #expect(!counter.undo.canUndo)
        counter.undo.redo()
        #expect(counter.value == 2)
        counter.undo.redo()
        #expect(counter.value == 3)
        #expect(!counter.undo.canRedo)
    }

    @Test func aNewChangeForgetsWhatWasUndone() async {
        counter.set(1)
        counter.undo.undo()
        #expect(counter.undo.canRedo)
        counter.set(5)
        #expect(!counter.undo.canRedo)
        counter.undo.undo()
        #expect(counter.value == 0)
    }

    @Test func nestedGroupsAreOne() {
        counter.undo.beginUndoGrouping()
        counter.set(1)
        counter.undo.beginUndoGrouping()
        counter.set(2)
        counter.undo.endUndoGrouping()
        #expect(counter.undo.groupingLevel == 1)
        counter.undo.endUndoGrouping()
        counter.undo.undo()
        #expect(counter.value == 0)
    }

    @Test func theOldestAreForgottenOverTheLimit() async {
        counter.undo.levelsOfUndo = 2
        for value in 1...4 {
            counter.set(value)
            await nextTurn()
        }
        while counter.undo.canUndo { counter.undo.undo() }
        #expect(counter.value == 2)
    }

    @Test func aDocumentCountsItsUndoManagersChanges() async throws {
        let home = try TestHome()
        let document = TextDocument(
            fileURL: home.url.appendingPathComponent("a.txt"), session: home.session)
        document.saveByHand()
        document.undoManager.registerUndo(withTarget: document) { document in
            document.undoManager.registerUndo(withTarget: document) { $0.text = "typed" }
            document.text = ""
        }
        document.text = "typed"
        #expect(document.hasUnsavedChanges)
        document.undoManager.undo()
        #expect(document.text.isEmpty)
        #expect(!document.hasUnsavedChanges)
        document.undoManager.redo()
        #expect(document.text == "typed")
        #expect(document.hasUnsavedChanges)
    }
}
