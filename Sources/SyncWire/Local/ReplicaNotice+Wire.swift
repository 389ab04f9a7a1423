package import SyncCore

/// One field, whose number is the case.
extension ReplicaNotice: WireStructure {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .itemChanged(let item): writer.field(1, item)
        case .itemRemoved(let item, let slot):
            writer.structure(2) { writer in
                writer.field(1, item)
                writer.field(2, slot)
            }
        case .valueChanged(let store, let key, let reason):
            writer.structure(3) { writer in
                writer.field(1, store)
                writer.field(2, key)
                writer.field(3, reason.number)
            }
        case .statusChanged: writer.field(4, 0 as UInt64)
        }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let field = try reader.onlyCase()
        switch field.number {
        case 1: self = .itemChanged(try field.identifier())
        case 2: self = try .itemRemoved(FieldTable(field))
        case 3: self = try .valueChanged(FieldTable(field))
        case 4: self = .statusChanged
        default: throw field.unknownCase
        }
    }

    private static func itemRemoved(_ fields: FieldTable) throws(WireError) -> Self {
        .itemRemoved(try fields.one(1).identifier(), try fields.one(2).structure())
    }

    private static func valueChanged(_ fields: FieldTable) throws(WireError) -> Self {
        .valueChanged(
            store: try fields.one(1).bytes(), key: try fields.one(2).bytes(),
            try ValueReason(fields.one(3)))
    }
}

extension ReplicaNotice.ValueReason {
    fileprivate var number: UInt64 {
        switch self {
        case .server: 1
        case .firstPull: 2
        case .refused: 3
        }
    }

    fileprivate init(_ field: WireField) throws(WireError) {
        switch try field.unsigned() {
        case 1: self = .server
        case 2: self = .firstPull
        case 3: self = .refused
        default: throw field.unknownCase
        }
    }
}
