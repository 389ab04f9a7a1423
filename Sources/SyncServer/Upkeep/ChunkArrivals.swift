import SyncCore
import Synchronization

/// The chunks that are being brought: their files are not removed meanwhile.
///
/// A chunk that is dead has a file until it is removed. Who brings the chunk anew writes a file and
/// then a row; between the two nothing but this says that the file is wanted.
final class ChunkArrivals: Sendable {
    private let counts = Mutex<[ChunkID: Int]>([:])

    func begin(_ id: ChunkID) { counts.withLock { $0[id, default: 0] += 1 } }

    func end(_ id: ChunkID) {
        counts.withLock { counts in
            let left = (counts[id] ?? 0) - 1
            counts[id] = left > 0 ? left : nil
        }
    }

    /// Hands those chunks to the closure that nobody brings; nobody begins to while it runs.
    func withoutArriving<Value, Failure: Error>(
        _ ids: [ChunkID], _ body: ([ChunkID]) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try counts.withLock { counts throws(Failure) in
            try body(ids.filter { counts[$0] == nil })
        }
    }
}
