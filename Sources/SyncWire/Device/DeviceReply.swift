/// What the daemon answers to a ``DeviceCall``.
package enum DeviceReply: Hashable, Sendable {
    case done
    case status(DeviceStatus)
    case waited(WaitReport)
    case items([ItemRow])
    case content(ContentPart)
    case conflicts([ConflictRow])
    case versions([VersionRow])
    /// Nil if the store does not have the key.
    case value([UInt8]?)
    case values([KeyValueRow])
    case explanation(Explanation)
    /// An absolute path.
    case folder([UInt8])
    case trash([TrashRow])
    case found(FoundItems)
}

/// The case is a field's number; lists are within one structure, so that none is a case too.
extension DeviceReply: WireStructure {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .done: writer.field(1, 0 as UInt64)
        case .status(let status): writer.field(2, status)
        case .waited(let report): writer.field(3, report)
        case .items(let rows): writer.structure(4) { $0.field(1, rows) }
        case .content(let part): writer.field(5, part)
        case .conflicts(let rows): writer.structure(6) { $0.field(1, rows) }
        case .versions(let rows): writer.structure(7) { $0.field(1, rows) }
        case .value(let value): writer.structure(8) { $0.field(1, value) }
        case .values(let rows): writer.structure(9) { $0.field(1, rows) }
        case .explanation(let explanation): writer.field(10, explanation)
        case .folder(let path): writer.field(11, path)
        case .trash(let rows): writer.structure(20) { $0.field(1, rows) }
        case .found(let found): writer.field(30, found)
        }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        guard let field = try reader.nextField() else {
            throw WireError(offset: reader.offset, problem: .truncated)
        }
        switch field.number {
        case 1: self = .done
        case 2: self = .status(try field.structure())
        case 3: self = .waited(try field.structure())
        case 4: self = .items(try field.list())
        case 5: self = .content(try field.structure())
        case 6: self = .conflicts(try field.list())
        case 7: self = .versions(try field.list())
        case 8:
            var inside = try field.inside()
            self = .value(try inside.nextField()?.bytes())
        case 9: self = .values(try field.list())
        case 10: self = .explanation(try field.structure())
        case 11: self = .folder(try field.bytes())
        case 20: self = .trash(try field.list())
        case 30: self = .found(try field.structure())
        default: throw field.unknownCase
        }
        try reader.skipRest()
    }
}

extension WireField {
    /// A structure whose fields 1 are the rows.
    func list<Row: WireStructure>(_ type: Row.Type = Row.self) throws(WireError) -> [Row] {
        var reader = try inside()
        var rows: [Row] = []
        while let field = try reader.nextField() {
            guard field.number == 1 else { continue }
            rows.append(try field.structure())
        }
        return rows
    }
}
