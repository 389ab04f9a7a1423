package import SyncCore

/// Chunks to ask for, or those that are not there.
package struct ChunkList: Hashable, Sendable {
    package let chunks: [ChunkID]

    package init(_ chunks: [ChunkID]) { self.chunks = chunks }
}

extension ChunkList: WireMessage {
    package func write(to writer: inout ByteWriter) { writer.field(1, chunks) }

    package init(from reader: inout ByteReader) throws(WireError) {
        var chunks: [ChunkID] = []
        while let field = try reader.nextField() {
            guard field.number == 1 else { continue }
            chunks += try field.digests()
        }
        self.init(chunks)
    }
}
