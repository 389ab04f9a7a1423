package import SyncCore

extension LogEntry: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, position)
        writer.field(2, author)
        writer.field(3, incarnation.value)
        writer.field(4, operation)
        writer.field(5, signed: moment.milliseconds)
        writer.field(6, effects)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var position: Position?
        var author: DeviceID?
        var incarnation: UInt64?
        var operation: UInt64?
        var moment: Int64?
        var effects: [Effect] = []
        while let field = try reader.nextField() {
            switch field.number {
            case 1: position = try field.structure()
            case 2: author = try field.identifier()
            case 3: incarnation = try field.unsigned()
            case 4: operation = try field.unsigned()
            case 5: moment = try field.signed()
            case 6: effects.append(try field.structure())
            default: break
            }
        }
        self.init(
            position: try reader.required(position, 1), author: try reader.required(author, 2),
            incarnation: Incarnation(try reader.required(incarnation, 3)),
            operation: try reader.required(operation, 4),
            moment: WallTime(milliseconds: try reader.required(moment, 5)), effects: effects)
    }
}
