import SyncCore

/// What a batch has changed, or found changed, and must make durable before that is told.
struct ChangedFolders {
    private var open: [FileIdentity: Descriptor] = [:]
    private var needsAll = false

    var isEmpty: Bool { !needsAll && open.isEmpty }

    mutating func insert(_ folder: Descriptor) {
        guard !needsAll else { return }
        // One call for all is cheaper than many, and holds no descriptors.
        guard open.count < Self.syncedOneByOne,
            let identity = try? FileSystemCalls.look(folder).stamp.identity
        else {
            insertAll()
            return
        }
        open[identity] = folder
    }

    /// For a change that no folder tells of.
    mutating func insertAll() {
        needsAll = true
        open = [:]
    }

    func sync(any: Descriptor) throws(DiskError) {
        if needsAll { return try FileSystemCalls.syncAll(any) }
        for folder in open.values {
            do {
                try FileSystemCalls.sync(try FileSystemCalls.openSelf(folder))
            } catch {
                // A folder that may not be read, or is gone by now.
                guard error.isRefusal || error.isMissing else { throw error }
                return try FileSystemCalls.syncAll(any)
            }
        }
    }

    private static var syncedOneByOne: Int { 4 }
}
