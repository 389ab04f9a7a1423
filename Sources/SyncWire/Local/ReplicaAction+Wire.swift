package import SyncCore

/// One field, whose number is the case.
extension ReplicaAction: WireStructure {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .persist(let changes): writer.structure(1) { $0.field(1, changes) }
        case .list(let folder, let path):
            writer.structure(2) { writer in
                writer.field(1, folder)
                writer.field(2, path)
            }
        case .unwatch(let folder): writer.field(3, folder)
        case .look(let slot, let path):
            writer.structure(4) { writer in
                writer.field(1, slot)
                writer.field(2, path)
            }
        case .read(let request): writer.field(5, request)
        case .watchReading(let item, let path):
            writer.structure(6) { writer in
                writer.field(1, item)
                writer.field(2, path)
            }
        case .install(let job): writer.field(7, job)
        case .fetch(let request): writer.field(8, request)
        case .inquire(let item, let version):
            writer.structure(9) { writer in
                writer.field(1, item)
                writer.field(2, version)
            }
        case .releaseFetched(let version): writer.field(10, version)
        case .upload(let entry, let chunks):
            writer.structure(11) { writer in
                writer.field(1, entry)
                writer.field(2, references: chunks)
            }
        case .releaseUpload(let entry): writer.field(12, entry)
        case .send(let incarnation, let operations, let cursor):
            let carried = operations.map { CarriedOperation($0) }
            writer.field(
                13,
                OperationsMessage(incarnation: incarnation, operations: carried, cursor: cursor))
        case .pull(let position): writer.field(14, position)
        case .wake(let instant): writer.field(15, signed: instant.nanoseconds)
        case .notify(let notice): writer.field(16, notice)
        case .inquireHistory(let item): writer.field(17, item)
        case .inquireSnapshot(let landmarks): writer.structure(22) { $0.field(1, landmarks) }
        case .recallAncestry(let number): writer.field(23, number)
        case .load(let item, let version):
            writer.structure(18) { writer in
                writer.field(1, item)
                writer.field(2, version)
            }
        case .keep(let item, let bytes):
            writer.structure(19) { writer in
                writer.field(1, item)
                writer.field(2, bytes)
            }
        case .forgetReaders(let item): writer.field(20, item)
        }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let field = try reader.onlyCase()
        switch field.number {
        case 1: self = .persist(try FieldTable(field).structures(1))
        case 2: self = try .list(FieldTable(field))
        case 3: self = .unwatch(folder: try field.identifier())
        case 4: self = try .look(FieldTable(field))
        case 5: self = .read(try field.structure())
        case 6: self = try .watchReading(FieldTable(field))
        case 7: self = .install(try field.structure())
        case 8: self = .fetch(try field.structure())
        case 9: self = try .inquire(FieldTable(field))
        case 10: self = .releaseFetched(try field.identifier())
        case 11: self = try .upload(FieldTable(field))
        case 12: self = .releaseUpload(entry: try field.unsigned())
        case 13:
            let message: OperationsMessage = try field.structure()
            self = .send(
                message.incarnation, message.operations.map { $0.operation },
                after: message.cursor ?? .start)
        case 14: self = .pull(after: try field.structure())
        case 15: self = .wake(at: Instant(nanoseconds: try field.signed()))
        case 16: self = .notify(try field.structure())
        case 17: self = .inquireHistory(try field.identifier())
        case 18: self = try .load(FieldTable(field))
        case 19: self = try .keep(FieldTable(field))
        case 20: self = .forgetReaders(try field.identifier())
        case 22: self = .inquireSnapshot(try FieldTable(field).structures(1))
        case 23: self = .recallAncestry(after: try field.unsigned())
        default: throw field.unknownCase
        }
    }
}

extension ReplicaAction {
    private static func list(_ fields: FieldTable) throws(WireError) -> Self {
        .list(folder: try fields.one(1).identifier(), path: try fields.one(2).structure())
    }

    private static func look(_ fields: FieldTable) throws(WireError) -> Self {
        .look(slot: try fields.one(1).structure(), path: try fields.one(2).structure())
    }

    private static func watchReading(_ fields: FieldTable) throws(WireError) -> Self {
        .watchReading(try fields.one(1).identifier(), path: try fields.one(2).structure())
    }

    private static func inquire(_ fields: FieldTable) throws(WireError) -> Self {
        .inquire(try fields.one(1).identifier(), try fields.one(2).identifier())
    }

    private static func load(_ fields: FieldTable) throws(WireError) -> Self {
        .load(try fields.one(1).identifier(), try fields.one(2).identifier())
    }

    private static func keep(_ fields: FieldTable) throws(WireError) -> Self {
        .keep(try fields.one(1).identifier(), try fields.one(2).bytes())
    }

    private static func upload(_ fields: FieldTable) throws(WireError) -> Self {
        .upload(
            entry: try fields.one(1).unsigned(), chunks: try fields.one(2).chunkReferences())
    }
}

extension FetchRequest: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, item)
        writer.field(2, version)
        writer.field(3, facts: facts)
        writer.field(4, references: chunks)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let fields = try FieldTable(&reader)
        self.init(
            item: try fields.one(1).identifier(), version: try fields.one(2).identifier(),
            facts: try fields.one(3).facts(), chunks: try fields.one(4).chunkReferences())
    }
}
