import SyncStore

/// What is in a data folder: `server.db` and, in `chunks`, the bytes of large contents.
extension DataFolder {
    /// What a killed restore has begun is finished first, unless a server has done so.
    func openDatabase() throws(ServerStartFailure) -> sending ServerDatabase {
        if try isRestoreUnfinished() {
            let lock = try ServerStartFailure.folder { () throws(DataFolderFailure) in
                try self.lock()
            }
            defer { lock.release() }
            try finishRestore()
        }
        do throws(StoreError) {
            return try ServerDatabase(folder: path)
        } catch {
            throw ServerStartFailure(opening: error, in: self)
        }
    }

    private func isRestoreUnfinished() throws(ServerStartFailure) -> Bool {
        do throws(StoreError) {
            return try ServerBackup.isUnfinished(in: path)
        } catch {
            throw ServerStartFailure(opening: error, in: self)
        }
    }

    /// The folder is locked.
    func finishRestore() throws(ServerStartFailure) {
        do throws(StoreError) {
            _ = try ServerBackup.finish(in: path)
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
    func openServedChunks() throws(StoreError) -> FileChunkStore {
        try FileChunkStore(reading: "\(path)/chunks")
    }

    func openChunks() throws(ServerStartFailure) -> FileChunkStore {
        do throws(StoreError) {
            return try FileChunkStore(folder: "\(path)/chunks")
        } catch {
            throw ServerStartFailure(opening: error, in: self)
        }
    }
}
