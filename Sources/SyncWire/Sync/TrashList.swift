package import SyncCore

/// Asks for what is in the trash, a page at a time.
package struct TrashRequest: Hashable, Sendable {
    /// The last item of the page before; nil for the first page.
    package let after: ItemID?

    package init(after: ItemID? = nil) { self.after = after }
}

/// What can be brought back, and what has no place, in the order of the items' ids.
package struct TrashList: Hashable, Sendable {
    package let rows: [TrashedItem]
    /// From where to ask for the next page; nil if this is the last one.
    package let next: ItemID?

    package init(_ rows: [TrashedItem], next: ItemID? = nil) {
        self.rows = rows
        self.next = next
    }
}

/// An item that is in no folder, with who took it from there, and when.
package struct TrashedItem: Hashable, Sendable {
    package let state: ItemState
    package let author: DeviceID
    /// The server's wall clock: for people.
    package let moment: WallTime

    package init(state: ItemState, author: DeviceID, moment: WallTime) {
        self.state = state
        self.author = author
        self.moment = moment
    }
}

extension TrashRequest: WireMessage {
    package func write(to writer: inout ByteWriter) { writer.field(1, after) }

    package init(from reader: inout ByteReader) throws(WireError) {
        var after: ItemID?
        while let field = try reader.nextField() {
            guard field.number == 1 else { continue }
            after = try field.identifier()
        }
        self.init(after: after)
    }
}

extension TrashList: WireMessage {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, rows)
        writer.field(2, next)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var rows: [TrashedItem] = []
        var next: ItemID?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: rows.append(try field.structure())
            case 2: next = try field.identifier()
            default: break
            }
        }
        self.init(rows, next: next)
    }
}

extension TrashedItem: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, state)
        writer.field(2, author)
        writer.field(3, signed: moment.milliseconds)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var state: ItemState?
        var author: DeviceID?
        var moment: Int64?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: state = try field.structure()
            case 2: author = try field.identifier()
            case 3: moment = try field.signed()
            default: break
            }
        }
        self.init(
            state: try reader.required(state, 1), author: try reader.required(author, 2),
            moment: WallTime(milliseconds: try reader.required(moment, 3)))
    }
}
