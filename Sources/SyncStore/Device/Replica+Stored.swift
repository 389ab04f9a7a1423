package import SyncCore
package import SyncWire

extension ReplicaProgress: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, incarnation.value)
        writer.field(2, lastNumber)
        writer.field(3, lastEntry)
        writer.field(4, cursor)
        writer.field(5, hasPulled)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var incarnation: Incarnation?
        var lastNumber: UInt64?
        var lastEntry: UInt64?
        var cursor: Position?
        var hasPulled = false
        while let field = try reader.nextField() {
            switch field.number {
            case 1: incarnation = Incarnation(try field.unsigned())
            case 2: lastNumber = try field.unsigned()
            case 3: lastEntry = try field.unsigned()
            case 4: cursor = try field.structure()
            case 5: hasPulled = try field.bool()
            default: break
            }
        }
        self.init(
            incarnation: try reader.required(incarnation, 1),
            lastNumber: try reader.required(lastNumber, 2),
            lastEntry: try reader.required(lastEntry, 3),
            cursor: try reader.required(cursor, 4),
            hasPulled: hasPulled)
    }
}

extension RegisterRecord: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, store)
        writer.field(2, key)
        writer.field(3, remote)
        writer.field(4, pending)
        writer.field(5, refusal.map { UInt64($0.rawValue) })
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var store: [UInt8]?
        var key: [UInt8]?
        var remote: RegisterState?
        var pending: PendingWrite?
        var refusal: Refusal?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: store = try field.bytes()
            case 2: key = try field.bytes()
            case 3: remote = try field.structure()
            case 4: pending = try field.structure()
            case 5: refusal = try field.choice()
            default: break
            }
        }
        self.init(
            store: try reader.required(store, 1),
            key: try reader.required(key, 2),
            remote: remote,
            pending: pending,
            refusal: refusal)
    }
}

extension RegisterRecord.PendingWrite: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, id)
        writer.field(2, value)
        writer.field(3, entry)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var id: WriteID?
        var value: [UInt8]?
        var entry: UInt64?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: id = try field.identifier()
            case 2: value = try field.bytes()
            case 3: entry = try field.unsigned()
            default: break
            }
        }
        self.init(
            id: try reader.required(id, 1),
            value: value,
            entry: try reader.required(entry, 3))
    }
}
