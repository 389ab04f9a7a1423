package import SyncCore
internal import Synchronization

/// Chunks in files of many, `packs/NUMBER` under one folder, with an index of where each is.
///
/// Those that an older version has written, each a file `ab/HEX`, where `ab` are the first two
/// digits of HEX, are read and removed where they are.
package final class FileChunkStore: ChunkStore {
    package let folder: String
    let packed: Mutex<PackedChunks>

    /// Makes the folder, which may not be missing its parent, and all folders in it.
    ///
    /// What has come and was not settled goes on from here: it is found by ``leftReceived()``.
    package init(folder: String) throws(StoreError) {
        self.folder = folder
        try FileSystem.makeFolder(folder)
        try FileSystem.makeFolder("\(folder)/packs")
        let packs = try PackedChunks(in: folder, isReadOnly: false)
        try packs.findWaiting()
        packed = Mutex(packs)
        try FileSystem.syncFolder(folder)
        try FileSystem.syncFolder(containing: folder)
        try removeLeftovers()
    }

    /// One that another process writes, to be read only.
    package init(reading folder: String) throws(StoreError) {
        self.folder = folder
        try FileSystem.makeFolder(folder)
        packed = Mutex(try PackedChunks(in: folder, isReadOnly: true))
    }

    package func write(_ bytes: [UInt8], as id: ChunkID) throws(StoreError) {
        if try isWhole(id) { return }
        let chunk = ChunkReference(id: id, size: UInt32(bytes.count))
        try packed.withLock { packed throws(StoreError) in
            try packed.append([(chunk, bytes[...])], Self.nobody)
        }
        try keep([chunk], of: Self.nobody)
        try packed.withLock { packed throws(StoreError) in
            try packed.settle([id], Self.nobody)
        }
    }

    package func read(_ id: ChunkID) throws(StoreError) -> [UInt8]? {
        guard let bytes = try stored(id) else { return nil }
        guard SHA256.hash(bytes) == id else { throw .damaged(id) }
        return bytes
    }

    package func remove(_ id: ChunkID) throws(StoreError) { try remove([id]) }

    /// The same for many, which takes little longer.
    package func remove(_ ids: [ChunkID]) throws(StoreError) {
        try packed.withLock { packed throws(StoreError) in try packed.remove(ids) }
        for id in ids { try FileSystem.removeIfThere(path(id)) }
    }

    /// A damaged chunk is written anew by the next device that has it.
    func isWhole(_ id: ChunkID) throws(StoreError) -> Bool {
        guard let bytes = try stored(id) else { return false }
        return SHA256.hash(bytes) == id
    }

    /// Whatever has become of them; nil if there is no such chunk.
    private func stored(_ id: ChunkID) throws(StoreError) -> [UInt8]? {
        let place = try packed.withLock { packed throws(StoreError) in try packed.place(of: id) }
        if let place, let bytes = try bytes(of: id, at: place) { return bytes }
        return try FileSystem.read(path(id))
    }

    func bytes(of id: ChunkID, at place: ChunkPlace) throws(StoreError) -> [UInt8]? {
        let pack = try packed.withLock { packed throws(StoreError) in
            try packed.pack(place.pack)
        }
        return try pack?.bytes(of: id, at: place)
    }

    /// Makes chunks that wait durable and has the index say so; gives those that are there now.
    @discardableResult
    func keep(
        _ chunks: [ChunkReference], of account: AccountID
    ) throws(StoreError) -> [ChunkReference] {
        let (places, packs) = try packed.withLock { packed throws(StoreError) in
            try packed.waiting(account, among: chunks)
        }
        for pack in packs { try pack.sync() }
        var kept: [ChunkReference] = []
        var moved: [(ChunkID, ChunkPlace)] = []
        for chunk in chunks {
            if try isWhole(chunk.id) {
                kept.append(chunk)
            } else if let place = places[chunk.id] {
                kept.append(chunk)
                moved.append((chunk.id, place))
            }
        }
        try packed.withLock { [moved] packed throws(StoreError) in try packed.keep(moved) }
        return kept
    }

    private static var nobody: AccountID { AccountID(high: 0, low: 0) }

    private var leftoverFolder: String { "\(folder)/partial" }
    func path(_ id: ChunkID) -> String { "\(folder)/\(id.text.prefix(2))/\(id.text)" }

    /// What a killed process of an older version was writing belongs to nobody.
    private func removeLeftovers() throws(StoreError) {
        guard try FileSystem.isThere(leftoverFolder) else { return }
        for name in try FileSystem.names(in: leftoverFolder) {
            try FileSystem.removeIfThere("\(leftoverFolder)/\(name)")
        }
        FileSystem.removeFolderIfEmpty(leftoverFolder)
    }
}
