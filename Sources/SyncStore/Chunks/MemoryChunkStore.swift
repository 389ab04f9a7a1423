package import SyncCore
internal import Synchronization

/// Chunks in memory.
package final class MemoryChunkStore: ChunkStore {
    private let hash: HashFunction
    private let chunks = Mutex<[ChunkID: [UInt8]]>([:])

    package init(hash: @escaping HashFunction = { SHA256.hash($0) }) { self.hash = hash }

    package func write(_ bytes: [UInt8], as id: ChunkID) throws(StoreError) {
        chunks.withLock { $0[id] = bytes }
    }

    package func read(_ id: ChunkID) throws(StoreError) -> [UInt8]? {
        guard let bytes = chunks.withLock({ $0[id] }) else { return nil }
        guard hash(bytes) == id else { throw .damaged(id) }
        return bytes
    }

    package func remove(_ id: ChunkID) throws(StoreError) {
        chunks.withLock { $0[id] = nil }
    }
}

extension StoreError {
    static func damaged(_ id: ChunkID) -> StoreError {
        .corrupt("chunk \(id.text) does not have its hash any more")
    }
}
