import Glibc
import SyncCore
import SyncStore
import Testing

/// A server in one file, and back.
@Suite struct BackupTests {
    private let source = TemporaryFolder()
    private let target = TemporaryFolder()
    private var backup: String { "\(source.path)/backup" }

    /// Where a restore was killed.
    enum Kill: CaseIterable {
        case beforeTheOldIsKept
        case beforeItsLogIsMoved
        case beforeTheNewIsInPlace
        case afterwards
    }

    private func add(_ name: String, to database: ServerDatabase) throws {
        try database.transaction { database throws(StoreError) in
            try database.addAccount(
                AccountRecord(
                    id: id(UInt64(name.utf8.count)), name: name, password: "", identityKey: []))
        }
    }

    private func copy(_ path: String, to other: String) throws {
        let from = open(path, O_RDONLY)
        let to = open(other, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer {
            close(from)
            close(to)
        }
        try #require(from >= 0 && to >= 0)
        while sendfile(to, from, nil, 1 << 20) > 0 {}
    }

    private func makeBackup() throws {
        let database = try ServerDatabase(folder: source.path)
        try add("anna", to: database)
        let chunks = try FileChunkStore(folder: "\(source.path)/chunks")
        try ServerBackup.make(of: database, chunks, as: backup)
    }

    private func names(_ folder: String) throws -> [String] {
        try ServerDatabase(folder: folder).accountNames()
    }

    /// Another that is being made there would be mixed up with it.
    @Test func onlyOneIsMadeAtATime() throws {
        try makeBackup()
        let before = inode(backup)
        let folder = open(String(backup[..<backup.lastIndex(of: "/")!]), O_RDONLY | O_DIRECTORY)
        #expect(flock(folder, LOCK_EX | LOCK_NB) == 0)
        let database = try ServerDatabase(folder: source.path)
        let chunks = try FileChunkStore(folder: "\(source.path)/chunks")
        #expect(throws: StoreError.busy) {
            try ServerBackup.make(of: database, chunks, as: backup)
        }
        #expect(inode(backup) == before)
        close(folder)
        try ServerBackup.make(of: database, chunks, as: backup)
    }

    private func inode(_ path: String) -> UInt64 {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
    }

    @Test func isPutInThePlaceOfADatabase() throws {
        try makeBackup()
        try add("ben", to: try ServerDatabase(folder: target.path))
        let chunks = try FileChunkStore(folder: "\(target.path)/chunks")
        let kept = try ServerBackup(path: backup).restore(into: target.path, chunks)
        #expect(kept == "\(target.path)/server.db.replaced-1")
        #expect(try names(target.path) == ["anna"])
        let again = try ServerBackup(path: backup).restore(into: target.path, chunks)
        #expect(again == "\(target.path)/server.db.replaced-2")
    }

    /// The old database has its newest account in its log only, as if it could not be closed.
    @Test(arguments: Kill.allCases)
    func aKilledRestoreIsFinished(_ kill: Kill) throws {
        try makeBackup()
        let other = TemporaryFolder()
        let chunks = try FileChunkStore(folder: "\(other.path)/chunks")
        _ = try ServerBackup(path: backup).restore(into: other.path, chunks)
        let running = TemporaryFolder()
        let database = try ServerDatabase(folder: running.path)
        try add("ben", to: database)
        let old = "\(target.path)/server.db"
        for suffix in ["", "-wal"] {
            try copy("\(running.path)/server.db\(suffix)", to: old + suffix)
        }
        try copy("\(other.path)/server.db", to: "\(old).restored")

        let kept = "\(old).replaced-1"
        if kill != .beforeTheOldIsKept { link(old, kept) }
        if kill == .beforeTheNewIsInPlace || kill == .afterwards {
            rename("\(old)-wal", "\(kept)-wal")
        }
        if kill == .afterwards { rename("\(old).restored", old) }

        #expect(try ServerBackup.isUnfinished(in: target.path) == (kill != .afterwards))
        let name = try ServerBackup.finish(in: target.path)
        #expect(name == (kill == .afterwards ? nil : kept))
        #expect(try !ServerBackup.isUnfinished(in: target.path))
        #expect(try names(target.path) == ["anna"])
        // What was there can be looked at, with its log.
        let aside = TemporaryFolder()
        for suffix in ["", "-wal"] {
            try copy(kept + suffix, to: "\(aside.path)/server.db\(suffix)")
        }
        #expect(try names(aside.path) == ["ben"])
        #expect(!target.names.contains("server.db.replaced-2"))
    }
}
