import SyncCore
import SyncTransport
import SyncWire

/// The events of a push stream, as bytes.
enum PushFrame {
    /// Where the log is now: whoever is not there pulls.
    static func hello(_ head: Position) -> SharedBytes {
        frame("hello", PositionMessage(head).message())
    }

    /// The last event of a stream whose token was revoked.
    static let revoked = ServerSentEvent(event: "revoked", data: []).encoded

    /// Entries with the position before them; only the new head if they would be too large.
    static func log(
        _ entries: [LogEntry], after: Position, for reader: DeviceID?, limit: Int
    ) -> SharedBytes {
        guard let head = entries.last?.position else { return hello(after) }
        var mine = entries
        if let reader {
            mine = entries.map { $0.author == reader ? $0.withoutInlineContent : $0 }
        }
        // Most frames that are too large are known for it before they are encoded.
        guard mine.reduce(0, { $0 + $1.inlineBytes }) <= limit else { return hello(head) }
        let message = PushMessage(after: after, entries: mine, head: head).message()
        let encoded = frame("log", message)
        return encoded.count <= limit ? encoded : hello(head)
    }

    private static func frame(_ event: String, _ message: [UInt8]) -> SharedBytes {
        ServerSentEvent(event: event, data: Base64.encode(message)).encoded
    }
}

extension LogEntry {
    /// For the device that authored it: it has the content.
    var withoutInlineContent: LogEntry {
        LogEntry(
            position: position, author: author, incarnation: incarnation, operation: operation,
            moment: moment, effects: effects.map(\.withoutInlineContent))
    }

    var inlineBytes: Int {
        effects.reduce(0) { sum, effect in
            guard case .item(_, let version?) = effect, case .inline(let bytes) = version.content
            else { return sum }
            return sum + bytes.count
        }
    }
}

extension Effect {
    fileprivate var withoutInlineContent: Effect {
        guard case .item(let state, let version?) = self, case .inline = version.content else {
            return self
        }
        let bare = Version(
            id: version.id, parents: version.parents, nature: version.nature, facts: version.facts,
            content: .none)
        return .item(state, introducing: bare)
    }
}
