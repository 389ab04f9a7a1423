public import Foundation

// What an open document does for coordinators of its program, on its own presenter queue.
extension UIDocument: NSFilePresenter, ProgressReporting {}

extension UIDocument {
    /// Does something with the file while nobody else who coordinates is in the way.
    nonisolated func coordinated<Value>(
        _ access: FileAccess, _ body: (URL) throws -> Value
    ) throws -> Value {
        let coordinator = NSFileCoordinator(filePresenter: self, session: session)
        return try coordinator.hold([access]) { try body($0[0]) }
    }

    func forwardDeletion(_ handler: @escaping @Sendable ((any Error)?) -> Void) {
        guard !state.contains(.closed) else { return handler(nil) }
        // What is unsaved has no file any more to be saved to.
        changes.clear()
        scheduleAutosave()
        endPresence()
        state = .closed
        handler(nil)
    }
}
