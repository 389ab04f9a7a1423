import Foundation

/// Where the library calls the program: operations of the main queue.
///
/// Only in such an operation may the program post to its own observers that have the main queue:
/// from a block of the main dispatch queue or from a task of the main actor, Foundation waits for
/// the main queue while it is on it.
enum MainQueue {
    static func async(_ body: @escaping @MainActor @Sendable () -> Void) {
        OperationQueue.main.addOperation {
            MainActor.assumeIsolated(body)
        }
    }

    /// At once if this is an operation of the main queue already, so that order is kept.
    @MainActor
    static func now(_ body: @escaping @MainActor @Sendable () -> Void) {
        if OperationQueue.current === OperationQueue.main { body() } else { async(body) }
    }
}

/// Something that only the main actor touches, on its way through another queue.
struct MainActorBox<Value>: @unchecked Sendable {
    private let value: Value

    @MainActor init(_ value: Value) { self.value = value }

    @MainActor var open: Value { value }

    /// For a value that the main actor has handed over.
    nonisolated var unguarded: Value { value }
}
