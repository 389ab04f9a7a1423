package import SyncCore

extension InstallJob: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, id)
        writer.field(2, item)
        writer.field(3, task)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let fields = try FieldTable(&reader)
        self.init(
            id: try fields.one(1).unsigned(), item: try fields.one(2).identifier(),
            task: try fields.one(3).structure())
    }
}

/// One field, whose number is the case; what several cases have has one number in all of them.
extension InstallJob.Task: WireStructure {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .makeFolder(let path, let mode):
            writer.structure(1) { writer in
                writer.field(1, path)
                writer.field(2, UInt64(mode))
            }
        case .placeFile(let path, let source, let facts, let expected):
            writer.structure(2) { $0.placing(at: path, source, facts, expected) }
        case .placeLink(let path, let source, let facts, let expected):
            writer.structure(3) { $0.placing(at: path, source, facts, expected) }
        case .setMode(let path, let mode, let expected):
            writer.structure(4) { writer in
                writer.field(1, path)
                writer.field(2, UInt64(mode))
                writer.field(3, expected)
            }
        case .remove(let path, let kind, let expected):
            writer.structure(5) { writer in
                writer.field(1, path)
                writer.field(3, expected)
                writer.field(4, UInt64(kind.rawValue))
            }
        case .move(let from, let to, let expected):
            writer.structure(6) { writer in
                writer.field(1, from)
                writer.field(3, expected)
                writer.field(5, to)
            }
        case .park(let from, let expected):
            writer.structure(7) { writer in
                writer.field(1, from)
                writer.field(3, expected)
            }
        case .unpark(let to, let expected):
            writer.structure(8) { writer in
                writer.field(3, expected)
                writer.field(5, to)
            }
        case .placePackage(let path, let source, let facts, let expected):
            writer.structure(9) { $0.placing(at: path, source, facts, expected) }
        }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let field = try reader.onlyCase()
        let fields = try FieldTable(field)
        var path: LocalPath { get throws(WireError) { try fields.one(1).structure() } }
        var mode: UInt16 { get throws(WireError) { try fields.one(2).integer() } }
        var expected: FileStamp { get throws(WireError) { try fields.one(3).structure() } }
        var target: LocalPath { get throws(WireError) { try fields.one(5).structure() } }
        var source: ContentSource { get throws(WireError) { try fields.one(6).structure() } }
        var facts: VersionFacts { get throws(WireError) { try fields.one(7).facts() } }
        switch field.number {
        case 1: self = .makeFolder(at: try path, mode: try mode)
        case 2:
            self = .placeFile(
                at: try path, try source, try facts,
                expected: try fields.structure(ifPresent: 3))
        case 3:
            self = .placeLink(
                at: try path, try source, try facts,
                expected: try fields.structure(ifPresent: 3))
        case 4: self = .setMode(at: try path, try mode, expected: try expected)
        case 5:
            let kind: EntryKind = try fields.one(4).choice()
            self = .remove(at: try path, kind: kind, expected: try expected)
        case 6: self = .move(from: try path, to: try target, expected: try expected)
        case 7: self = .park(from: try path, expected: try expected)
        case 8: self = .unpark(to: try target, expected: try expected)
        case 9:
            self = .placePackage(
                at: try path, try source, try facts,
                expected: try fields.structure(ifPresent: 3))
        default: throw field.unknownCase
        }
    }
}

extension ByteWriter {
    fileprivate mutating func placing(
        at path: LocalPath, _ source: ContentSource, _ facts: VersionFacts, _ expected: FileStamp?
    ) {
        field(1, path)
        field(3, expected)
        field(6, source)
        field(7, facts: facts)
    }
}

/// One field, whose number is the case.
extension ContentSource: WireStructure {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .inline(let bytes): writer.field(1, bytes)
        case .fetched(let version): writer.field(2, version)
        }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let field = try reader.onlyCase()
        switch field.number {
        case 1: self = .inline(try field.bytes())
        case 2: self = .fetched(try field.identifier())
        default: throw field.unknownCase
        }
    }
}
