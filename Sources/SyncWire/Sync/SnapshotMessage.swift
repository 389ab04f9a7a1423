package import SyncCore

/// Asks for the account as it is, naming positions that the device had.
package struct SnapshotRequest: Hashable, Sendable {
    package let landmarks: [Position]

    package init(landmarks: [Position]) { self.landmarks = landmarks }
}

extension SnapshotRequest: WireMessage {
    package func write(to writer: inout ByteWriter) { writer.field(1, landmarks) }

    package init(from reader: inout ByteReader) throws(WireError) {
        var landmarks: [Position] = []
        while let field = try reader.nextField() {
            if field.number == 1 { landmarks.append(try field.structure()) }
        }
        self.init(landmarks: landmarks)
    }
}

extension AccountSnapshot: WireMessage {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, position)
        writer.field(2, common)
        writer.field(3, items)
        writer.field(4, aliases)
        writer.field(5, registers)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var position: Position?
        var common: Position?
        var items: [ItemState] = []
        var aliases: [ItemAlias] = []
        var registers: [RegisterState] = []
        while let field = try reader.nextField() {
            switch field.number {
            case 1: position = try field.structure()
            case 2: common = try field.structure()
            case 3: items.append(try field.structure())
            case 4: aliases.append(try field.structure())
            case 5: registers.append(try field.structure())
            default: break
            }
        }
        self.init(
            position: try reader.required(position, 1), common: try reader.required(common, 2),
            items: items, aliases: aliases, registers: registers)
    }
}

extension ItemAlias: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, item)
        writer.field(2, holder)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var item: ItemID?
        var holder: ItemID?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: item = try field.identifier()
            case 2: holder = try field.identifier()
            default: break
            }
        }
        self.init(item: try reader.required(item, 1), holder: try reader.required(holder, 2))
    }
}
