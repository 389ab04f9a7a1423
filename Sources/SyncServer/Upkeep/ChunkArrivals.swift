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

    /// Runs the closure unless somebody brings the chunk; nobody begins to while it runs.
    func unlessArriving<Failure: Error>(
        _ id: ChunkID, _ body: () throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        try counts.withLock { counts throws(Failure) in
            guard counts[id] == nil else { return false }
            return try body()
        }
    }
}
