import SyncCore
import SyncStore
import Testing

/// What every chunk store must do, and what files add.
@Suite struct ChunkStoreTests {
    private let folder = TemporaryFolder()

    private func store(_ twin: Twin) throws -> any ChunkStore {
        twin == .memory ? MemoryChunkStore() : try FileChunkStore(folder: "\(folder.path)/chunks")
    }

    @Test(arguments: Twin.allCases)
    func keepsBytes(_ twin: Twin) throws {
        let store = try store(twin)
        for bytes in [[], [1, 2, 3], [UInt8](repeating: 9, count: 1 << 20)] as [[UInt8]] {
            let id = SHA256.hash(bytes)
            #expect(try store.read(id) == nil)
            try store.write(bytes, as: id)
            try store.write(bytes, as: id)
            #expect(try store.read(id) == bytes)
            try store.remove(id)
            try store.remove(id)
            #expect(try store.read(id) == nil)
        }
    }

    @Test(arguments: Twin.allCases)
    func noticesDamage(_ twin: Twin) throws {
        let store = try store(twin)
        let id = SHA256.hash([1])
        try store.write([1], as: id)
        try store.remove(id)
        try store.write([2], as: id)
        #expect { try store.read(id) } throws: { error in
            guard case .corrupt? = error as? StoreError else { return false }
            return true
        }
        try store.write([1], as: id)
        #expect(try store.read(id) == [1])
    }

    @Test func laysFilesOutByHash() throws {
        let store = try store(.sqlite)
        let id = SHA256.hash([1])
        try store.write([1], as: id)
        let path = "\(folder.path)/chunks/\(id.text.prefix(2))/\(id.text)"
        #expect(readFile(path) == [1])
        #expect(TemporaryFolder.names(in: "\(folder.path)/chunks/partial") == [])
    }

    @Test func removesWhatAKilledProcessLeft() throws {
        _ = try store(.sqlite)
        writeFile("\(folder.path)/chunks/partial/x-1", [1])
        _ = try store(.sqlite)
        #expect(TemporaryFolder.names(in: "\(folder.path)/chunks/partial") == [])
    }

    @Test func saysThatItCannotWrite() throws {
        #expect(throws: StoreError.self) {
            try FileChunkStore(folder: "\(folder.path)/missing/chunks")
        }
    }
}
