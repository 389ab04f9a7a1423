package import SyncCore

extension ReadRequest: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, slot)
        writer.field(2, path)
        writer.field(3, UInt64(kind.rawValue))
        writer.field(4, prefix)
        writer.field(5, isForOpenFile)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let fields = try FieldTable(&reader)
        var prefix: UInt64?
        if let field = fields.maybe(4) { prefix = try field.unsigned() }
        self.init(
            slot: try fields.one(1).structure(), path: try fields.one(2).structure(),
            kind: try fields.one(3).choice(), prefix: prefix,
            isForOpenFile: try fields.isSet(5))
    }
}

/// One field, whose number is the case.
extension ReadOutcome: WireStructure {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .content(let content): writer.field(1, content)
        case .busy: writer.field(2, 0 as UInt64)
        case .gone: writer.field(3, 0 as UInt64)
        case .failed(let failure): writer.field(4, UInt64(failure.rawValue))
        }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let field = try reader.onlyCase()
        switch field.number {
        case 1: self = .content(try field.structure())
        case 2: self = .busy
        case 3: self = .gone
        case 4: self = .failed(try field.choice())
        default: throw field.unknownCase
        }
    }
}

extension ReadContent: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, stamp)
        writer.field(2, digest)
        if let prefixDigest { writer.field(3, prefixDigest) }
        writer.field(4, content)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let fields = try FieldTable(&reader)
        var prefixDigest: Digest?
        if let field = fields.maybe(3) { prefixDigest = try field.digest() }
        self.init(
            stamp: try fields.one(1).structure(), digest: try fields.one(2).digest(),
            prefixDigest: prefixDigest, content: try fields.one(4).structure())
    }
}

/// One field, whose number is the case.
extension FetchOutcome: WireStructure {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .arrived: writer.field(1, 0 as UInt64)
        case .unavailable: writer.field(2, 0 as UInt64)
        case .failed(let failure): writer.field(3, UInt64(failure.rawValue))
        case .damaged: writer.field(4, 0 as UInt64)
        }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let field = try reader.onlyCase()
        switch field.number {
        case 1: self = .arrived
        case 2: self = .unavailable
        case 3: self = .failed(try field.choice())
        case 4: self = .damaged
        default: throw field.unknownCase
        }
    }
}

/// One field, whose number is the case.
extension JobOutcome: WireStructure {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .done(let stamp): writer.structure(1) { $0.field(1, stamp) }
        case .unexpected(let entry): writer.structure(2) { $0.field(1, entry) }
        case .busy: writer.field(3, 0 as UInt64)
        case .contentMissing: writer.field(4, 0 as UInt64)
        case .failed(let failure): writer.field(5, UInt64(failure.rawValue))
        }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let field = try reader.onlyCase()
        switch field.number {
        case 1: self = .done(try FieldTable(field).structure(ifPresent: 1))
        case 2: self = .unexpected(try FieldTable(field).structure(ifPresent: 1))
        case 3: self = .busy
        case 4: self = .contentMissing
        case 5: self = .failed(try field.choice())
        default: throw field.unknownCase
        }
    }
}
