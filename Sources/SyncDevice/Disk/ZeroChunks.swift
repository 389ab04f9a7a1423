import SyncCore
import SyncStore

/// What chunks of nothing but zeros are known by, so that holes are neither read nor sent for.
struct ZeroChunks {
    /// Made when the first are needed.
    private var zeros: [UInt8] = []
    private var ids: [Int: ChunkID] = [:]

    /// So many zeros, at most as many as a chunk may have.
    mutating func bytes(_ count: Int) -> ArraySlice<UInt8> {
        if zeros.isEmpty { zeros = [UInt8](repeating: 0, count: ChunkCutter.mostBytes) }
        return zeros[..<count]
    }

    mutating func id(_ count: Int) -> ChunkID {
        if let id = ids[count] { return id }
        let id = SHA256.hash(bytes(count))
        // A content has few lengths of such chunks; whoever sends others gains nothing.
        if ids.count > 64 { ids = [:] }
        ids[count] = id
        return id
    }

    /// Whether the chunk is one of those into which a hole is cut; others are not worth the hash.
    mutating func contains(_ chunk: ChunkReference) -> Bool {
        guard chunk.size.nonzeroBitCount == 1, chunk.size >= 65_536,
            chunk.size <= ChunkCutter.mostBytes
        else { return false }
        return id(Int(chunk.size)) == chunk.id
    }
}
