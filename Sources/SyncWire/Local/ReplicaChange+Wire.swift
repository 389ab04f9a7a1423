package import SyncCore

/// One field, whose number is the case: what the row is found by in field 1, the row in field 2.
///
/// A row that goes has no field 2.
extension ReplicaChange: WireStructure {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .node(let item, let record):
            writer.structure(1) { writer in
                writer.field(1, item)
                writer.field(2, record)
            }
        case .alias(let item, let holder):
            writer.structure(2) { writer in
                writer.field(1, item)
                writer.field(2, holder)
            }
        case .outbox(let number, let entry):
            writer.structure(3) { writer in
                writer.field(1, number)
                writer.field(2, entry)
            }
        case .register(let key, let record):
            writer.structure(4) { writer in
                writer.field(1, key)
                writer.field(2, record)
            }
        case .progress(let progress): writer.field(5, progress)
        case .ancestry(let ancestry): writer.field(7, ancestry)
        case .ancestryLost(let number): writer.field(8, number)
        case .landmark(let position, let isKept):
            writer.structure(9) { writer in
                writer.field(1, position)
                writer.field(2, isKept)
            }
        case .content(let version, let bytes):
            writer.structure(6) { writer in
                writer.field(1, version)
                writer.field(2, bytes)
            }
        }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let field = try reader.onlyCase()
        switch field.number {
        case 1: self = try .node(FieldTable(field))
        case 2: self = try .alias(FieldTable(field))
        case 3: self = try .outbox(FieldTable(field))
        case 4: self = try .register(FieldTable(field))
        case 5: self = .progress(try field.structure())
        case 6: self = try .content(FieldTable(field))
        case 7: self = .ancestry(try field.structure())
        case 8: self = .ancestryLost(after: try field.unsigned())
        case 9: self = try .landmark(FieldTable(field))
        default: throw field.unknownCase
        }
    }
}

extension ReplicaChange {
    private static func node(_ fields: FieldTable) throws(WireError) -> Self {
        .node(try fields.one(1).identifier(), try fields.structure(ifPresent: 2))
    }

    private static func alias(_ fields: FieldTable) throws(WireError) -> Self {
        var holder: ItemID?
        if let field = fields.maybe(2) { holder = try field.identifier() }
        return .alias(try fields.one(1).identifier(), of: holder)
    }

    private static func outbox(_ fields: FieldTable) throws(WireError) -> Self {
        .outbox(entry: try fields.one(1).unsigned(), try fields.structure(ifPresent: 2))
    }

    private static func register(_ fields: FieldTable) throws(WireError) -> Self {
        .register(try fields.one(1).structure(), try fields.structure(ifPresent: 2))
    }

    private static func landmark(_ fields: FieldTable) throws(WireError) -> Self {
        .landmark(try fields.one(1).structure(), isKept: try fields.isSet(2))
    }

    private static func content(_ fields: FieldTable) throws(WireError) -> Self {
        .content(try fields.one(1).identifier(), try fields.bytes(ifPresent: 2))
    }
}

extension ReplicaImage {
    /// The changes that make this image out of nothing, in an order that the image alone decides.
    package var changes: [ReplicaChange] {
        var changes: [ReplicaChange] = []
        if let progress { changes.append(.progress(progress)) }
        for (id, node) in nodes.sorted(by: { $0.key < $1.key }) { changes.append(.node(id, node)) }
        for (id, holder) in aliases.sorted(by: { $0.key < $1.key }) {
            changes.append(.alias(id, of: holder))
        }
        for (number, entry) in outbox.sorted(by: { $0.key < $1.key }) {
            changes.append(.outbox(entry: number, entry))
        }
        for (key, record) in registers.sorted(by: { $0.key.comesBefore($1.key) }) {
            changes.append(.register(key, record))
        }
        for landmark in landmarks { changes.append(.landmark(landmark, isKept: true)) }
        return changes
    }

    /// Applies one change; contents and ancestries are no part of an image.
    package mutating func apply(_ change: ReplicaChange) {
        switch change {
        case .node(let id, let record): nodes[id] = record
        case .alias(let id, let holder): aliases[id] = holder
        case .outbox(let number, let entry): outbox[number] = entry
        case .register(let key, let record): registers[key] = record
        case .progress(let value): progress = value
        case .landmark(let position, let isKept): keep(position, isKept)
        case .content, .ancestry, .ancestryLost: break
        }
    }
}

extension RegisterKey {
    fileprivate func comesBefore(_ other: RegisterKey) -> Bool {
        (store, key) < (other.store, other.key)
    }
}
