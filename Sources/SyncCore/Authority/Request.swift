/// Operations of one device that are decided together, as one transaction.
package struct OperationRequest: Hashable, Sendable {
    package let incarnation: Incarnation
    /// Numbers rise by one.
    package let operations: [ReceivedOperation]
    /// What the device's remote tree has: the operations were made in sight of it.
    package let cursor: Position?

    package init(
        incarnation: Incarnation, operations: [ReceivedOperation], cursor: Position? = nil
    ) {
        self.incarnation = incarnation
        self.operations = operations
        self.cursor = cursor
    }
}

/// An operation with the hash of the bytes that carried its body.
package struct ReceivedOperation: Hashable, Sendable {
    package let operation: Operation
    package let hash: Digest

    package init(operation: Operation, hash: Digest) {
        self.operation = operation
        self.hash = hash
    }
}

/// What the server answers to a request.
package enum RequestAnswer: Hashable, Sendable {
    /// One outcome an operation, in their order.
    case outcomes([Outcome])
    /// The next number would be `last + 1`; nothing was taken.
    case numberGap(last: UInt64)
    /// A number is known with another hash, or the incarnation is another device's: the device was
    /// restored from an image, or cloned, and needs a new incarnation. Nothing was taken.
    case otherIncarnationNeeded
    /// The log does not have the device's cursor: the server was restored. Nothing was taken.
    case historyUnknown
}

/// What a request leads to; nothing of it holds before the changes are committed.
package struct Decision: Hashable, Sendable {
    package var answer: RequestAnswer
    package var changes: [AccountChange]
    /// The entries among the changes, to be pushed once committed.
    package var entries: [LogEntry]

    package init(answer: RequestAnswer, changes: [AccountChange] = [], entries: [LogEntry] = []) {
        self.answer = answer
        self.changes = changes
        self.entries = entries
    }
}
