import SyncCore

/// What is told of is durable here, too.
///
/// Else a power cut would leave an older file, or half of one, where everybody else has a newer
/// one, and it would look like an edit.
extension SessionDisk {
    /// More files than this are made durable by one call for all.
    static var syncedOneByOne: Int { 4 }

    /// Files were read that were not made durable one by one.
    func noteReads() {
        unsynced.insertAll()
        hasUnsyncedReads = true
    }

    /// A name is not as it was known.
    func noteChange(in folder: LocalPath) {
        // A folder that is gone has gone from another one.
        guard let open = try? folders.folder(at: folder.names) else { return }
        unsynced.insert(open)
    }

    /// For the moment before changes are recorded that rest on what was found.
    func syncFound(before changes: [ReplicaChange]) {
        guard !unsynced.isEmpty, hasUnsyncedReads || changes.contains(where: \.isToBeTold) else {
            return
        }
        // A disk that cannot do it says so wherever it is asked for more; the content is in our own
        // records and goes on its way.
        try? unsynced.sync(any: folders.staging)
        unsynced = ChangedFolders()
        hasUnsyncedReads = false
    }
}

extension ReplicaChange {
    fileprivate var isToBeTold: Bool {
        if case .outbox(_, .some) = self { true } else { false }
    }
}
