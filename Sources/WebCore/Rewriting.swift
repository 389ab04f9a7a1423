import SyncCore
package import SyncWire

/// Reads a message and writes it again: whether bytes are one, and what they are to this version.
///
/// What a later version has put into it, and only that, is gone afterwards. All that a browser can
/// meet is here; what goes over a device's socket, which it cannot reach, would be dead weight.
package enum Rewriting {
    /// A kind of message, or of row, by the number that a caller names it with; 10 and 11 are left
    /// to what goes over a device's socket.
    package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        case operations = 1
        case operationsAnswer = 2
        case pull = 3
        case pullAnswer = 4
        case push = 5
        case position = 6
        case chunks = 7
        case version = 8
        case versions = 9
        case nodeRow = 12
        case outboxRow = 13
        case registerRow = 14
        case progressRow = 15
        case trashRequest = 16
        case trash = 17
        case origin = 18
        case input = 19
        case output = 20
        case mergeQuestion = 21
        case mergeAnswer = 22
    }

    /// Takes the number of a kind and, behind it, the message.
    package static func rewritten(_ bytes: [UInt8]) throws(WireError) -> [UInt8] {
        guard let kind = bytes.first.flatMap({ Kind(rawValue: $0) }) else {
            throw WireError(offset: 0, problem: .unknownCase(field: 0))
        }
        let message = Array(bytes.dropFirst())
        return switch kind {
        case .operations: try OperationsMessage(message: message).message()
        case .operationsAnswer: try OperationsAnswer(message: message).message()
        case .pull: try PullMessage(message: message).message()
        case .pullAnswer: try PullAnswer(message: message).message()
        case .push: try PushMessage(message: message).message()
        case .position: try PositionMessage(message: message).message()
        case .chunks: try ChunkList(message: message).message()
        case .version: try VersionMessage(message: message).message()
        case .versions: try VersionList(message: message).message()
        case .nodeRow: try NodeRecord(decoding: message).encoded()
        case .outboxRow: try OutboxEntry(decoding: message).encoded()
        case .registerRow: try RegisterRecord(decoding: message).encoded()
        case .progressRow: try ReplicaProgress(decoding: message).encoded()
        case .trashRequest: try TrashRequest(message: message).message()
        case .trash: try TrashList(message: message).message()
        case .origin: try ReplicaOrigin(message: message).message()
        case .input: try ReplicaInput(message: message).message()
        case .output: try ReplicaOutput(message: message).message()
        case .mergeQuestion: try MergeQuestion(message: message).message()
        case .mergeAnswer: try MergeAnswer(message: message).message()
        }
    }
}
