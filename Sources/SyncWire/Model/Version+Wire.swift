package import SyncCore

extension Version: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, id)
        writer.field(2, parents)
        writer.field(3, UInt64(nature.rawValue))
        writer.field(4, facts)
        content.write(inline: 5, chunks: 6, to: &writer)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var id: VersionID?
        var parents: [VersionID] = []
        var nature: Nature?
        var facts: [UInt8] = []
        var content = StoredContent.none
        while let field = try reader.nextField() {
            switch field.number {
            case 1: id = try field.identifier()
            case 2: parents = try field.identifiers()
            case 3: nature = try field.choice()
            case 4: facts = try field.bytes()
            case 5: content = .inline(try field.bytes())
            case 6: content = .chunks(try field.chunkReferences())
            // Kept free for other kinds of content, which must not be taken for none.
            case 7...9: throw field.unknownCase
            default: break
            }
        }
        self.init(
            id: try reader.required(id, 1), parents: parents,
            nature: try reader.required(nature, 3), facts: facts, content: content)
    }
}

extension StoredContent {
    /// Within another structure, under two of its numbers; nothing for ``StoredContent/none``.
    func write(inline: UInt64, chunks: UInt64, to writer: inout ByteWriter) {
        switch self {
        case .none: break
        case .inline(let bytes): writer.field(inline, bytes)
        case .chunks(let references): writer.field(chunks, references: references)
        }
    }
}

extension StoredContent: WireStructure {
    package func write(to writer: inout ByteWriter) {
        write(inline: 1, chunks: 2, to: &writer)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        self = .none
        while let field = try reader.nextField() {
            switch field.number {
            case 1: self = .inline(try field.bytes())
            case 2: self = .chunks(try field.chunkReferences())
            // Content of a kind that this version does not know is no empty content.
            default: throw field.unknownCase
            }
        }
    }
}

extension ByteWriter {
    /// One field for all of them: the id's 32 bytes and the size as a varint, each.
    mutating func field(_ number: UInt64, references: [ChunkReference]) {
        structure(number) { writer in
            for reference in references {
                writer.append(contentsOf: reference.id.bytes)
                writer.append(varint: UInt64(reference.size))
            }
        }
    }
}

extension WireField {
    func chunkReferences() throws(WireError) -> [ChunkReference] {
        var reader = try inside()
        var references: [ChunkReference] = []
        references.reserveCapacity(reader.remaining / 36)
        while !reader.isAtEnd {
            let id = try reader.digest()
            guard let size = UInt32(exactly: try reader.varint()) else {
                throw WireError(
                    offset: reader.offset, problem: .numberOutOfRange(field: number))
            }
            references.append(ChunkReference(id: id, size: size))
        }
        return references
    }
}
