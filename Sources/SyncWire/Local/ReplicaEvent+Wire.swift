package import SyncCore

/// One field, whose number is the case.
extension ReplicaEvent: WireStructure {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .seen(let sightings): writer.structure(1) { $0.field(1, sightings) }
        case .listed(let folder, let entries):
            writer.structure(2) { writer in
                writer.field(1, folder)
                writer.field(2, entries)
            }
        case .unlisted(let folder, let failure):
            writer.structure(3) { writer in
                writer.field(1, folder)
                if let failure { writer.field(2, UInt64(failure.rawValue)) }
            }
        case .read(let request, let outcome):
            writer.structure(4) { writer in
                writer.field(1, request)
                writer.field(2, outcome)
            }
        case .opened(let item): writer.field(5, item)
        case .written(let sighting): writer.field(18, sighting)
        case .stirred(let identity): writer.field(24, identity)
        case .installed(let job, let outcome):
            writer.structure(6) { writer in
                writer.field(1, job)
                writer.field(2, outcome)
            }
        case .fetched(let item, let version, let outcome):
            writer.structure(7) { writer in
                writer.field(1, item)
                writer.field(2, version)
                writer.field(3, outcome)
            }
        case .described(let item, let version, let description):
            writer.structure(8) { writer in
                writer.field(1, item)
                writer.field(2, version)
                writer.field(3, description)
            }
        case .uploaded(let entry, let succeeded):
            writer.structure(9) { writer in
                writer.field(1, entry)
                writer.field(2, succeeded)
            }
        case .contentLost(let entry): writer.field(10, entry)
        case .answered(let answer): writer.field(11, OperationsAnswer(answer))
        case .sendFailed: writer.field(12, 0 as UInt64)
        case .entries(let after, let entries, let head):
            writer.field(13, PushMessage(after: after, entries: entries, head: head))
        case .historyUnknown: writer.field(14, 0 as UInt64)
        case .connection(let isOpen): writer.field(15, isOpen ? 1 : 0 as UInt64)
        case .command(let command): writer.field(16, command)
        case .timer: writer.field(17, 0 as UInt64)
        case .history(let item, let versions):
            writer.structure(19) { writer in
                writer.field(1, item)
                writer.field(2, versions ?? [])
                writer.field(3, versions != nil)
            }
        case .loaded(let item, let version, let bytes):
            writer.structure(20) { writer in
                writer.field(1, item)
                writer.field(2, version)
                writer.field(3, bytes)
            }
        case .snapshot(let snapshot): writer.structure(22) { $0.field(1, snapshot) }
        case .ancestry(let ancestries): writer.structure(23) { $0.field(1, ancestries) }
        case .kept(let item, let digest, let content):
            writer.structure(21) { writer in
                writer.field(1, item)
                writer.field(2, digest)
                writer.field(3, content)
            }
        }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let field = try reader.onlyCase()
        switch field.number {
        case 1: self = .seen(try FieldTable(field).structures(1))
        case 2: self = try .listed(FieldTable(field))
        case 3: self = try .unlisted(FieldTable(field))
        case 4: self = try .read(FieldTable(field))
        case 5: self = .opened(try field.identifier())
        case 6: self = try .installed(FieldTable(field))
        case 7: self = try .fetched(FieldTable(field))
        case 8: self = try .described(FieldTable(field))
        case 9: self = try .uploaded(FieldTable(field))
        case 10: self = .contentLost(entry: try field.unsigned())
        case 11: self = .answered(try field.structure(OperationsAnswer.self).answer)
        case 12: self = .sendFailed
        case 13:
            let stretch: PushMessage = try field.structure()
            self = .entries(after: stretch.after, stretch.entries, head: stretch.head)
        case 14: self = .historyUnknown
        case 15: self = .connection(isOpen: try field.bool())
        case 16: self = .command(try field.structure())
        case 17: self = .timer
        case 18: self = .written(try field.structure())
        case 19: self = try .history(FieldTable(field))
        case 20: self = try .loaded(FieldTable(field))
        case 21: self = try .kept(FieldTable(field))
        case 22: self = .snapshot(try FieldTable(field).structure(ifPresent: 1))
        case 23: self = .ancestry(try FieldTable(field).structures(1))
        case 24: self = .stirred(try field.structure())
        default: throw field.unknownCase
        }
    }
}

extension ReplicaEvent {
    private static func listed(_ fields: FieldTable) throws(WireError) -> Self {
        .listed(folder: try fields.one(1).identifier(), entries: try fields.structures(2))
    }

    private static func unlisted(_ fields: FieldTable) throws(WireError) -> Self {
        var failure: DiskFailure?
        if let field = fields.maybe(2) { failure = try field.choice() }
        return .unlisted(folder: try fields.one(1).identifier(), failure)
    }

    private static func read(_ fields: FieldTable) throws(WireError) -> Self {
        .read(try fields.one(1).structure(), try fields.one(2).structure())
    }

    private static func installed(_ fields: FieldTable) throws(WireError) -> Self {
        .installed(try fields.one(1).unsigned(), try fields.one(2).structure())
    }

    private static func fetched(_ fields: FieldTable) throws(WireError) -> Self {
        .fetched(
            try fields.one(1).identifier(), try fields.one(2).identifier(),
            try fields.one(3).structure())
    }

    private static func described(_ fields: FieldTable) throws(WireError) -> Self {
        .described(
            try fields.one(1).identifier(), try fields.one(2).identifier(),
            try fields.structure(ifPresent: 3))
    }

    private static func history(_ fields: FieldTable) throws(WireError) -> Self {
        let versions: [Version] = try fields.structures(2)
        return .history(try fields.one(1).identifier(), try fields.isSet(3) ? versions : nil)
    }

    private static func loaded(_ fields: FieldTable) throws(WireError) -> Self {
        .loaded(
            try fields.one(1).identifier(), try fields.one(2).identifier(),
            try fields.bytes(ifPresent: 3))
    }

    private static func kept(_ fields: FieldTable) throws(WireError) -> Self {
        .kept(
            try fields.one(1).identifier(), try fields.one(2).digest(),
            try fields.structure(ifPresent: 3))
    }

    private static func uploaded(_ fields: FieldTable) throws(WireError) -> Self {
        .uploaded(entry: try fields.one(1).unsigned(), succeeded: try fields.isSet(2))
    }
}
