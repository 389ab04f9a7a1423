package import SyncCore

/// Several chunks with their bytes, in one request or answer.
package struct ChunkBundle: Hashable, Sendable {
    /// In the order of their bytes.
    package let chunks: [ChunkReference]
    /// Of all chunks, one after the other: as many as the references say together.
    package let bytes: [UInt8]

    package init(_ chunks: [ChunkReference], bytes: [UInt8]) {
        self.chunks = chunks
        self.bytes = bytes
    }

    /// Gives each chunk with its own bytes.
    package func eachChunk<Failure: Error>(
        _ body: (ChunkReference, ArraySlice<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        var start = 0
        for chunk in chunks {
            try body(chunk, bytes[start..<start + Int(chunk.size)])
            start += Int(chunk.size)
        }
    }
}

extension ChunkBundle: WireMessage {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, references: chunks)
        writer.field(2, bytes)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var chunks: [ChunkReference] = []
        var bytes: [UInt8] = []
        while let field = try reader.nextField() {
            switch field.number {
            case 1: chunks = try field.chunkReferences()
            case 2: bytes = try field.bytes()
            default: break
            }
        }
        var left = UInt64(bytes.count)
        for chunk in chunks {
            guard UInt64(chunk.size) <= left else {
                throw WireError(offset: reader.offset, problem: .wrongBytes(field: 2))
            }
            left -= UInt64(chunk.size)
        }
        guard left == 0 else {
            throw WireError(offset: reader.offset, problem: .wrongBytes(field: 2))
        }
        self.init(chunks, bytes: bytes)
    }
}
