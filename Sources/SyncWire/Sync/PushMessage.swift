package import SyncCore

/// New entries of the log, and the position before them: a device sees a gap by it.
package struct PushMessage: Hashable, Sendable {
    package let after: Position
    package let entries: [LogEntry]
    /// The newest position of the log.
    package let head: Position

    package init(after: Position, entries: [LogEntry], head: Position) {
        self.after = after
        self.entries = entries
        self.head = head
    }
}

extension PushMessage: WireMessage {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, after)
        writer.field(2, entries)
        writer.field(3, head)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var after: Position?
        var entries: [LogEntry] = []
        var head: Position?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: after = try field.structure()
            case 2: entries.append(try field.structure())
            case 3: head = try field.structure()
            default: break
            }
        }
        self.init(
            after: try reader.required(after, 1), entries: entries,
            head: try reader.required(head, 3))
    }
}

/// The newest position of the log: the first event of a push stream.
package struct PositionMessage: Hashable, Sendable {
    package let position: Position

    package init(_ position: Position) { self.position = position }
}

extension PositionMessage: WireMessage {
    package func write(to writer: inout ByteWriter) { writer.field(1, position) }

    package init(from reader: inout ByteReader) throws(WireError) {
        var position: Position?
        while let field = try reader.nextField() {
            guard field.number == 1 else { continue }
            position = try field.structure()
        }
        self.init(try reader.required(position, 1))
    }
}
