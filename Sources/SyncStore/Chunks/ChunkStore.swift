package import SyncCore

/// The bytes of chunks by their hash; an account's right to them is in its own store.
///
/// Safe to use from any thread. A chunk is durable once ``write(_:as:)`` has returned.
package protocol ChunkStore: AnyObject, Sendable {
    /// Writes bytes that are known to have the hash; a chunk that is there whole is left alone.
    func write(_ bytes: [UInt8], as id: ChunkID) throws(StoreError)
    /// Nil if there is none; bytes that do not have the hash any more are an error.
    func read(_ id: ChunkID) throws(StoreError) -> [UInt8]?
    /// No error if there is none.
    func remove(_ id: ChunkID) throws(StoreError)
}
