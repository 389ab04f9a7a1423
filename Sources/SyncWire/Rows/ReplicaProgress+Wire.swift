package import SyncCore

extension ReplicaProgress: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, incarnation.value)
        writer.field(2, lastNumber)
        writer.field(3, lastEntry)
        writer.field(4, cursor)
        writer.field(5, hasPulled)
        if installed > 0 { writer.field(6, installed) }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var incarnation: UInt64?
        var lastNumber: UInt64?
        var lastEntry: UInt64?
        var cursor: Position?
        var hasPulled = false
        var installed: UInt64 = 0
        while let field = try reader.nextField() {
            switch field.number {
            case 1: incarnation = try field.unsigned()
            case 2: lastNumber = try field.unsigned()
            case 3: lastEntry = try field.unsigned()
            case 4: cursor = try field.structure()
            case 5: hasPulled = try field.bool()
            case 6: installed = try field.unsigned()
            default: break
            }
        }
        self.init(
            incarnation: Incarnation(try reader.required(incarnation, 1)),
            lastNumber: try reader.required(lastNumber, 2),
            lastEntry: try reader.required(lastEntry, 3),
            cursor: try reader.required(cursor, 4), hasPulled: hasPulled,
            installed: installed)
    }
}
