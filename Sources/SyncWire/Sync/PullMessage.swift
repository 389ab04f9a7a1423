package import SyncCore

/// Asks for the log after a position.
package struct PullMessage: Hashable, Sendable {
    package let after: Position
    /// The most bytes of entries that the answer shall have; one entry always fits.
    package let limit: UInt64
    /// The device's ``Replica/installedNumber``; nil if it does not say.
    package let installed: UInt64?

    package init(after: Position, limit: UInt64, installed: UInt64? = nil) {
        self.after = after
        self.limit = limit
        self.installed = installed
    }
}

/// A stretch of the log, or that the position is no part of it.
package enum PullAnswer: Hashable, Sendable {
    /// What follows `after`; the log goes on if the last entry is not at `head`.
    case entries(after: Position, [LogEntry], head: Position)
    /// The server's log does not have the position's digest.
    case historyUnknown
}

extension PullMessage: WireMessage {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, after)
        writer.field(2, limit)
        writer.field(4, installed)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var after: Position?
        var limit: UInt64?
        var installed: UInt64?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: after = try field.structure()
            case 2: limit = try field.unsigned()
            case 4: installed = try field.unsigned()
            default: break
            }
        }
        self.init(
            after: try reader.required(after, 1), limit: try reader.required(limit, 2),
            installed: installed)
    }
}

/// One field, whose number is the case.
extension PullAnswer: WireMessage {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .entries(let after, let entries, let head):
            writer.field(1, PushMessage(after: after, entries: entries, head: head))
        case .historyUnknown: writer.field(2, 0 as UInt64)
        }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        guard let field = try reader.nextField() else {
            throw WireError(offset: reader.offset, problem: .truncated)
        }
        switch field.number {
        case 1:
            let stretch: PushMessage = try field.structure()
            self = .entries(after: stretch.after, stretch.entries, head: stretch.head)
        case 2: self = .historyUnknown
        default: throw field.unknownCase
        }
        try reader.skipRest()
    }
}
