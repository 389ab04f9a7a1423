import SyncCore
import SyncStore
import SyncWire
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

    // MARK: Received

    private static let account = AccountID(high: 1, low: 2)

    private func bundle(_ parts: [[UInt8]]) -> ChunkBundle {
        ChunkBundle(
            parts.map { ChunkReference(id: SHA256.hash($0), size: UInt32($0.count)) },
            bytes: parts.flatMap { $0 })
    }

    @Test func goesOnWithWhatAKilledProcessHasReceived() throws {
        let path = "\(folder.path)/chunks"
        let sent = bundle([[1, 2, 3], [4], []])
        try FileChunkStore(folder: path).receive(sent, of: Self.account)
        let received = "\(path)/received/\(Self.account.text)"
        // One that a power cut has left without its bytes, and one of no name.
        writeFile("\(received)/\(SHA256.hash([9]).text)", [0])
        writeFile("\(received)/x", [1])

        let store = try FileChunkStore(folder: path)
        let left = try store.leftReceived()
        #expect(Set(left[Self.account] ?? []) == Set(sent.chunks))
        #expect(TemporaryFolder.names(in: received).count == 3)
        #expect(try store.read(sent.chunks[0].id) == nil)
        #expect(try store.readReceived(sent.chunks[0].id, of: Self.account) == [1, 2, 3])
        #expect(try store.keepReceived(sent.chunks, of: Self.account) == sent.chunks)
        #expect(try store.read(sent.chunks[0].id) == [1, 2, 3])
        #expect(try store.read(sent.chunks[2].id) == [])
        // Killed here it would be kept once more.
        #expect(try store.keepReceived(sent.chunks, of: Self.account) == sent.chunks)
        try store.forgetReceived(sent.chunks.map(\.id), of: Self.account)
        #expect(TemporaryFolder.names(in: "\(path)/received") == [])
        #expect(try store.leftReceived().isEmpty)
        #expect(try store.read(sent.chunks[1].id) == [4])
        #expect(TemporaryFolder.names(in: "\(path)/partial") == [])
    }

    @Test func whatWasReceivedMendsADamagedChunk() throws {
        let store = try FileChunkStore(folder: "\(folder.path)/chunks")
        let sent = bundle([[1, 2, 3]])
        try store.write([7], as: sent.chunks[0].id)
        try store.receive(sent, of: Self.account)
        #expect(try store.keepReceived(sent.chunks, of: Self.account) == sent.chunks)
        #expect(try store.read(sent.chunks[0].id) == [1, 2, 3])
    }

    @Test func whatIsNowhereIsNotKept() throws {
        let store = try FileChunkStore(folder: "\(folder.path)/chunks")
        #expect(try store.keepReceived(bundle([[1]]).chunks, of: Self.account) == [])
    }

    @Test func saysThatItCannotWrite() throws {
        #expect(throws: StoreError.self) {
            try FileChunkStore(folder: "\(folder.path)/missing/chunks")
        }
    }
}
