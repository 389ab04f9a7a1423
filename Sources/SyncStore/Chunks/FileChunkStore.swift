package import SyncCore
internal import Synchronization

/// Chunks as files, `ab/HEX` under one folder, where `ab` are the first two digits of HEX.
package final class FileChunkStore: ChunkStore {
    let folder: String
    /// Names of temporary files; together with a random part they are never used twice.
    private let counter = Atomic<UInt64>(0)
    private let unique = hexadecimal(randomBytes(8))

    /// Makes the folder, which may not be missing its parent, and all folders in it.
    package init(folder: String) throws(StoreError) {
        self.folder = folder
        try FileSystem.makeFolder(folder)
        try FileSystem.makeFolder(leftoverFolder)
        try FileSystem.makeFolder(receivedFolder)
        for byte in UInt8.min...UInt8.max {
            try FileSystem.makeFolder("\(folder)/\(hexadecimal([byte]))")
        }
        try FileSystem.syncFolder(folder)
        try FileSystem.syncFolder(containing: folder)
        try removeLeftovers()
    }

    /// One that another process writes, to be read only.
    package init(reading folder: String) { self.folder = folder }

    package func write(_ bytes: [UInt8], as id: ChunkID) throws(StoreError) {
        let target = path(id)
        if try isWhole(id, target) {
            // Whoever wrote it may have died before its name was durable.
            return try FileSystem.syncFolder(folder(of: id))
        }
        let temporary = newTemporary()
        do throws(StoreError) {
            try FileSystem.write(bytes, to: temporary)
            try FileSystem.publish(temporary, as: target)
        } catch {
            try? FileSystem.removeIfThere(temporary)
            throw error
        }
    }

    func newTemporary() -> String {
        "\(leftoverFolder)/\(unique)-\(counter.add(1, ordering: .relaxed).newValue)"
    }

    package func read(_ id: ChunkID) throws(StoreError) -> [UInt8]? {
        guard let bytes = try FileSystem.read(path(id)) else { return nil }
        guard SHA256.hash(bytes) == id else { throw .damaged(id) }
        return bytes
    }

    package func remove(_ id: ChunkID) throws(StoreError) {
        try FileSystem.removeIfThere(path(id))
    }

    /// A damaged file is written anew by the next device that has the chunk.
    func isWhole(_ id: ChunkID, _ path: String) throws(StoreError) -> Bool {
        guard let bytes = try FileSystem.read(path) else { return false }
        return SHA256.hash(bytes) == id
    }

    private var leftoverFolder: String { "\(folder)/partial" }
    private func folder(of id: ChunkID) -> String { "\(folder)/\(id.text.prefix(2))" }
    func path(_ id: ChunkID) -> String { "\(folder(of: id))/\(id.text)" }

    /// What a killed process was writing belongs to nobody.
    private func removeLeftovers() throws(StoreError) {
        for name in try FileSystem.names(in: leftoverFolder) {
            try FileSystem.removeIfThere("\(leftoverFolder)/\(name)")
        }
    }
}
