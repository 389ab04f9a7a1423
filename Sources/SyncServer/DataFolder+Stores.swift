import SyncStore

/// What is in a data folder: `server.db` and, in `chunks`, the bytes of large contents.
extension DataFolder {
    func openDatabase() throws(ServerStartFailure) -> sending ServerDatabase {
        do throws(StoreError) {
            return try ServerDatabase(folder: path)
        } catch {
            throw ServerStartFailure(opening: error, in: self)
        }
    }

    func openConnections(_ count: Int) throws(ServerStartFailure) -> [ReadConnection] {
        var connections: [ReadConnection] = []
        for _ in 0..<count { connections.append(ReadConnection(try openDatabase())) }
        return connections
    }

    /// To be read only, while a server may be writing them.
    var servedChunks: FileChunkStore { FileChunkStore(reading: "\(path)/chunks") }

    func openChunks() throws(ServerStartFailure) -> FileChunkStore {
        do throws(StoreError) {
            return try FileChunkStore(folder: "\(path)/chunks")
        } catch {
            throw ServerStartFailure(opening: error, in: self)
        }
    }
}
