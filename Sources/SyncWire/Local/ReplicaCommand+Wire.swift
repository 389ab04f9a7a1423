package import SyncCore

/// One field, whose number is the case.
extension ReplicaCommand: WireStructure {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .openContainer(let name): writer.field(1, name.bytes)
        case .resolve(let item, let keep, let aside, let seen):
            writer.structure(2) { writer in
                writer.field(1, item)
                writer.field(2, keep)
                writer.field(3, aside)
                writer.field(4, seen)
            }
        case .setValue(let store, let key, let value):
            writer.structure(3) { writer in
                writer.field(1, store)
                writer.field(2, key)
                writer.field(3, value)
            }
        case .noteRead(let item, let version):
            writer.structure(4) { writer in
                writer.field(1, item)
                writer.field(2, version)
            }
        case .noteTold(let item, let versions):
            writer.structure(14) { writer in
                writer.field(1, item)
                writer.field(2, versions)
            }
        case .restore(let state, let versions, let swept):
            writer.structure(10) { writer in
                writer.field(1, state)
                writer.field(2, versions)
                if !swept.isEmpty { writer.field(3, swept) }
            }
        case .makeCurrent(let item, let version, let shown):
            writer.structure(11) { writer in
                writer.field(1, item)
                writer.field(2, version)
                writer.field(3, shown)
            }
        case .place(let item): writer.field(12, item)
        case .confirm(let isMeant): writer.field(13, isMeant ? 1 as UInt64 : 0)
        case .lookAtRoots: writer.field(15, 0 as UInt64)
        case .setResidence(let item, let residence):
            writer.structure(16) { writer in
                writer.field(1, item)
                writer.field(2, UInt64(residence.rawValue))
            }
        }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let field = try reader.onlyCase()
        switch field.number {
        case 1: self = .openContainer(try field.name())
        case 2: self = try .resolve(FieldTable(field))
        case 3: self = try .setValue(FieldTable(field))
        case 4: self = try .noteRead(FieldTable(field))
        case 10: self = try .restore(FieldTable(field))
        case 11: self = try .makeCurrent(FieldTable(field))
        case 12: self = .place(try field.identifier())
        case 13: self = .confirm(isMeant: try field.unsigned() == 1)
        case 14: self = try .noteTold(FieldTable(field))
        case 15: self = .lookAtRoots
        case 16: self = try .setResidence(FieldTable(field))
        default: throw field.unknownCase
        }
    }

    private static func resolve(_ fields: FieldTable) throws(WireError) -> Self {
        var seen: [VersionID] = []
        if let field = fields.maybe(4) { seen = try field.identifiers() }
        return .resolve(
            try fields.one(1).identifier(), keep: try fields.one(2).structure(),
            aside: try fields.structures(3), seen: seen)
    }

    private static func setValue(_ fields: FieldTable) throws(WireError) -> Self {
        .setValue(
            store: try fields.one(1).bytes(), key: try fields.one(2).bytes(),
            value: try fields.bytes(ifPresent: 3))
    }

    private static func restore(_ fields: FieldTable) throws(WireError) -> Self {
        var swept: [VersionID] = []
        if let field = fields.maybe(3) { swept = try field.identifiers() }
        return .restore(try fields.one(1).structure(), try fields.structures(2), swept: swept)
    }

    private static func makeCurrent(_ fields: FieldTable) throws(WireError) -> Self {
        .makeCurrent(
            try fields.one(1).identifier(), try fields.one(2).structure(),
            instead: try fields.one(3).identifier())
    }

    private static func noteTold(_ fields: FieldTable) throws(WireError) -> Self {
        var versions: [VersionID] = []
        if let field = fields.maybe(2) { versions = try field.identifiers() }
        return .noteTold(try fields.one(1).identifier(), versions)
    }

    private static func setResidence(_ fields: FieldTable) throws(WireError) -> Self {
        .setResidence(try fields.one(1).identifier(), try fields.one(2).choice())
    }

    private static func noteRead(_ fields: FieldTable) throws(WireError) -> Self {
        .noteRead(try fields.one(1).identifier(), try fields.one(2).identifier())
    }
}

extension HeadContent: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, version)
        writer.field(2, content)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let fields = try FieldTable(&reader)
        self.init(
            version: try fields.one(1).identifier(), content: try fields.one(2).structure())
    }
}
