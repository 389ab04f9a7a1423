import Glibc
import SyncCore
import SyncStore
import Testing

/// Files that are damaged, foreign or of another version, and disks that are full.
@Suite struct FileTests {
    private let folder = TemporaryFolder()

    @Test func refusesWhatIsNoDatabase() throws {
        writeFile("\(folder.path)/state.db", [UInt8](repeating: 0x41, count: 8192))
        #expect { try SQLiteDeviceStore(folder: folder.path) } throws: { isCorrupt($0) }
        #expect(readFile("\(folder.path)/state.db") == [UInt8](repeating: 0x41, count: 8192))
    }

    @Test func noticesDamagedPages() throws {
        try fillDevice()
        let path = "\(folder.path)/state.db"
        var bytes = readFile(path)
        for index in 4096..<bytes.count { bytes[index] = 0xFF }
        writeFile(path, bytes)
        #expect {
            let store = try SQLiteDeviceStore(folder: folder.path)
            _ = try store.load()
        } throws: { isCorrupt($0) }
    }

    @Test func noticesDamagedRecords() throws {
        try fillDevice()
        let connection = try SQLiteConnection(path: "\(folder.path)/state.db")
        try connection.run("UPDATE node SET record = x'ffff'")
        #expect { _ = try SQLiteDeviceStore(folder: folder.path).load() } throws: { isCorrupt($0) }
        try connection.run("UPDATE node SET item = x'00' WHERE key = 1")
        #expect { _ = try SQLiteDeviceStore(folder: folder.path).load() } throws: { isCorrupt($0) }
    }

    @Test func refusesALaterFormat() throws {
        try fillDevice()
        try SQLiteConnection(path: "\(folder.path)/state.db").execute("PRAGMA user_version = 99")
        #expect(throws: StoreError.newerSchema(found: 99, known: 5)) {
            try SQLiteDeviceStore(folder: folder.path)
        }
    }

    @Test func refusesAnotherProgramsFile() throws {
        _ = try ServerDatabase(folder: folder.path)
        #expect(rename("\(folder.path)/server.db", "\(folder.path)/state.db") == 0)
        #expect { try SQLiteDeviceStore(folder: folder.path) } throws: { isCorrupt($0) }
    }

    @Test func saysThatThereIsNoFolder() throws {
        #expect {
            try SQLiteDeviceStore(folder: "\(folder.path)/missing")
        } throws: { error in
            guard case .inputOutput? = error as? StoreError else { return false }
            return true
        }
    }

    @Test func letsNobodyElseRead() throws {
        let database = try ServerDatabase(folder: folder.path)
        try database.snapshot(to: "\(folder.path)/copy")
        for name in folder.names {
            var status = stat()
            #expect(stat("\(folder.path)/\(name)", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600, "\(name)")
        }
    }

    @Test func syncsFully() throws {
        let connection = try SQLiteConnection(path: "\(folder.path)/a.db")
        #expect(try connection.one("PRAGMA synchronous", []) { $0.integer(0) } == 2)
        #expect(try connection.one("PRAGMA journal_mode", []) { $0.text(0) } == "wal")
        #expect(try connection.one("PRAGMA foreign_keys", []) { $0.integer(0) } == 1)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can mount a small disk"))
    func survivesAFullDisk() throws {
        guard mount("tmpfs", folder.path, "tmpfs", 0, "size=2m") == 0 else {
            try Test.cancel("this system lets nobody mount")
        }
        defer { umount2(folder.path, Int32(MNT_DETACH)) }
        let other = "\(folder.path)/other"
        writeFile(other, [UInt8](repeating: 1, count: 1 << 19))
        let store = try SQLiteDeviceStore(folder: folder.path)
        var number: UInt64 = 0
        var failure: StoreError?
        while failure == nil, number < 1000 {
            do throws(StoreError) {
                try store.commit(ChildWork.deviceCommit(number + 1) + keeping(number + 1))
                number += 1
            } catch {
                failure = error
            }
        }
        #expect(failure == .diskFull)
        #expect(try store.load().progress?.lastNumber == number)
        #expect(throws: StoreError.diskFull) {
            try store.commit(ChildWork.deviceCommit(number + 1) + keeping(number + 1))
        }
        // Once a person has made room, it goes on where it was.
        unlink(other)
        try store.commit(ChildWork.deviceCommit(number + 1))
        #expect(try store.load().progress?.lastNumber == number + 1)
    }

    private func keeping(_ number: UInt64) -> [ReplicaChange] {
        [.content(id(number), [UInt8](repeating: 1, count: 10_000))]
    }

    private func fillDevice() throws {
        let store = try SQLiteDeviceStore(folder: folder.path)
        for commit in ChildWork.deviceCommits(upTo: 20) { try store.commit(commit) }
    }

    private func isCorrupt(_ error: any Error) -> Bool {
        guard case .corrupt? = error as? StoreError else { return false }
        return true
    }
}
