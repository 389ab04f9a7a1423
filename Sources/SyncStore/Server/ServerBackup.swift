internal import SyncCore

/// A copy of a server's database in one file, with the chunks that it names.
///
/// It is made while the server runs, and put in the place of a database that no server uses.
package struct ServerBackup {
    private let path: String

    package init(path: String) { self.path = path }

    /// Whether there is a file of that name, which may be somebody's only backup.
    package static func isThere(_ path: String) throws(StoreError) -> Bool {
        try FileSystem.isThere(path)
    }

    /// Writes a new file, whole and durable, or none; one that is there is replaced at the end.
    package static func make(
        of database: ServerDatabase, _ chunks: FileChunkStore, as path: String
    ) throws(StoreError) {
        let partial = "\(path).making"
        try FileSystem.alone(inFolderOf: path) { () throws(StoreError) in
            try removePartial(partial)
            try database.snapshot(to: partial)
            try add(chunks, to: partial)
            try FileSystem.publish(partial, as: path)
        }
    }

    /// What a killed run has left: also its log, which must not be taken for the new file's.
    private static func removePartial(_ partial: String) throws(StoreError) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try FileSystem.removeIfThere(partial + suffix)
        }
    }

    private static func add(
        _ chunks: FileChunkStore, to partial: String
    ) throws(StoreError) {
        let copy = try SQLiteConnection(path: partial)
        try copy.execute(BackupSQL.begin)
        let ids = try copy.all(BackupSQL.chunks, []) { row throws(StoreError) in
            try row.digest(0)
        }
        try copy.transaction { () throws(StoreError) in
            for id in ids {
                // What was collected since counts as missing, and is brought again.
                if let bytes = try chunks.read(id) {
                    try copy.run(BackupSQL.add, .digest(id), .blob(bytes))
                } else {
                    try copy.run(BackupSQL.mark, .digest(id))
                }
            }
        }
        try copy.execute(BackupSQL.close)
    }

    /// Puts it in the place of the database in a folder that no server uses.
    ///
    /// What was there is kept beside it, as the name that is returned; nil if nothing was. Keys
    /// that were revoked there stay revoked. The backup itself is only read.
    package func restore(
        into folder: String, _ chunks: FileChunkStore
    ) throws(StoreError) -> String? {
        _ = try Self.finish(in: folder)
        let partial = "\(Self.target(folder)).restoring"
        try Self.removePartial(partial)
        try FileSystem.copy(path, to: partial)
        try prepare(partial, chunks, revoked: try closeOld(folder))
        try FileSystem.publish(partial, as: Self.ready(folder))
        return try Self.finish(in: folder)
    }

    // MARK: Taking the place

    private static func target(_ folder: String) -> String { "\(folder)/server.db" }
    /// What is to be the database; while it is there, the old one may be without its log.
    private static func ready(_ folder: String) -> String { "\(target(folder)).restored" }

    /// Whether a restore was killed when it had begun to put the old database aside.
    package static func isUnfinished(in folder: String) throws(StoreError) -> Bool {
        try FileSystem.isThere(ready(folder))
    }

    /// Puts what is ready in its place; where it goes on after a kill, it does the rest only.
    ///
    /// The folder is this process's alone. Gives the name of what was there before.
    package static func finish(in folder: String) throws(StoreError) -> String? {
        guard try isUnfinished(in: folder) else { return nil }
        let kept = try keepOld(target(folder))
        try FileSystem.publish(ready(folder), as: target(folder))
        return kept
    }

    private func prepare(
        _ partial: String, _ chunks: FileChunkStore, revoked: [Digest]
    ) throws(StoreError) {
        let copy = try SQLiteConnection(path: partial)
        try check(copy)
        try copy.each(BackupSQL.contents, []) { row throws(StoreError) in
            try chunks.write(row.blob(1), as: try row.digest(0))
            return true
        }
        for token in revoked { try copy.run(ServerSQL.revokeToken, .digest(token)) }
        try copy.execute(BackupSQL.end)
        try copy.execute(BackupSQL.close)
    }

    /// Whether the file is a whole backup of a server that this program can read.
    private func check(_ copy: SQLiteConnection) throws(StoreError) {
        let application = try copy.one(SettingsSQL.applicationID, []) { $0.integer(0) } ?? 0
        guard application == Schema.server.applicationID,
            try copy.one(BackupSQL.isBackup, [], { _ in true }) == true
        else { throw .corrupt("it is no backup of a server") }
        let version = Int(try copy.one(SettingsSQL.userVersion, []) { $0.integer(0) } ?? 0)
        guard version <= Schema.server.steps.count else {
            throw .newerSchema(found: version, known: Schema.server.steps.count)
        }
        let damage = try copy.all(SettingsSQL.integrity, []) { $0.text(0) }.filter { $0 != "ok" }
        guard damage.isEmpty else { throw .corrupt("the backup is damaged: \(damage[0])") }
    }

    /// Carries what a killed server has left in its log into the file.
    private func closeOld(_ folder: String) throws(StoreError) -> [Digest] {
        guard try FileSystem.isThere("\(folder)/server.db") else { return [] }
        do throws(StoreError) {
            let old = try ServerDatabase(folder: folder)
            let revoked = try old.revokedTokens()
            try old.connection.execute(BackupSQL.close)
            return revoked
        } catch {
            // A damaged database is why one restores.
            return []
        }
    }

    private static func keepOld(_ target: String) throws(StoreError) -> String? {
        guard try FileSystem.isThere(target) else { return nil }
        var number = 1
        var kept = "\(target).replaced-1"
        while try FileSystem.isThere(kept), try !FileSystem.isSame(kept, target) {
            number += 1
            kept = "\(target).replaced-\(number)"
        }
        if try !FileSystem.isThere(kept) { try FileSystem.link(target, as: kept) }
        // Its log must not be taken for the new file's.
        for suffix in ["-wal", "-shm"] where try FileSystem.isThere(target + suffix) {
            try FileSystem.move(target + suffix, to: kept + suffix)
        }
        try FileSystem.syncFolder(containing: target)
        return kept
    }
}
