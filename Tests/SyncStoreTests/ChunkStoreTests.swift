import Glibc
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

    /// What a version before this one has written: a file for each chunk.
    @Test func readsAndRemovesTheFilesOfAnOlderVersion() throws {
        let path = "\(folder.path)/chunks"
        let id = SHA256.hash([1])
        let place = "\(path)/\(id.text.prefix(2))"
        for folder in [path, place, "\(path)/partial"] { mkdir(folder, 0o700) }
        writeFile("\(place)/\(id.text)", [1])
        writeFile("\(path)/partial/x-1", [1])
        let store = try FileChunkStore(folder: path)
        #expect(try store.read(id) == [1])
        try store.write([1], as: id)
        #expect(readFile("\(place)/\(id.text)") == [1])
        try store.remove(id)
        #expect(try store.read(id) == nil)
        #expect(!TemporaryFolder.names(in: path).contains("partial"))
    }

    /// A pack goes with the last of its chunks.
    @Test func givesRoomBack() throws {
        let path = "\(folder.path)/chunks"
        let store = try FileChunkStore(folder: path)
        let sent = bundle((0..<8).map { [UInt8](repeating: $0, count: 100_000) })
        try store.receive(sent, of: Self.account)
        #expect(try store.keepReceived(sent.chunks, of: Self.account) == sent.chunks)
        try store.forgetReceived(sent.chunks.map(\.id), of: Self.account)
        let names = TemporaryFolder.names(in: "\(path)/packs")
        #expect(names.count == 1)
        let before = blocks("\(path)/packs/\(names[0])")
        try store.remove(sent.chunks.dropLast().map(\.id))
        #expect(try store.read(sent.chunks[0].id) == nil)
        #expect(try store.read(sent.chunks[7].id) == [UInt8](repeating: 7, count: 100_000))
        #expect(blocks("\(path)/packs/\(names[0])") < before / 3)
        try store.remove(sent.chunks[7].id)
        #expect(TemporaryFolder.names(in: "\(path)/packs") == [])
        // And it goes on.
        try store.receive(sent, of: Self.account)
        #expect(try store.keepReceived(sent.chunks, of: Self.account) == sent.chunks)
        #expect(try store.read(sent.chunks[0].id)?.count == 100_000)
    }

    private func blocks(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_blocks) : 0
    }

    /// The packs say what they have; the index is worked out from them.
    @Test func findsEverythingWithoutItsIndex() throws {
        let path = "\(folder.path)/chunks"
        let sent = bundle([[1, 2, 3], [4], [5, 6]])
        try keepAll(sent, FileChunkStore(folder: path))
        try FileChunkStore(folder: path).remove(sent.chunks[1].id)
        for suffix in ["", "-wal", "-shm"] { unlink("\(path)/index.db\(suffix)") }
        let store = try FileChunkStore(folder: path)
        #expect(try store.read(sent.chunks[0].id) == [1, 2, 3])
        #expect(try store.read(sent.chunks[1].id) == nil)
        #expect(try store.read(sent.chunks[2].id) == [5, 6])
        #expect(try store.leftReceived()[Self.account]?.count == 2)
    }

    private func keepAll(_ sent: ChunkBundle, _ store: FileChunkStore) throws {
        try store.receive(sent, of: Self.account)
        _ = try store.keepReceived(sent.chunks, of: Self.account)
        try store.forgetReceived(sent.chunks.map(\.id), of: Self.account)
    }

    /// A power cut leaves the end of a pack as it likes: cut off, or as zeros.
    @Test(arguments: [0, 1, 30, 60, 90])
    func goesOnBehindATornEnd(_ lost: Int) throws {
        let path = "\(folder.path)/chunks"
        let kept = bundle([[1, 2, 3]])
        let torn = bundle([[UInt8](repeating: 4, count: 50)])
        let first = try FileChunkStore(folder: path)
        try keepAll(kept, first)
        try first.receive(torn, of: Self.account)
        let pack = "\(path)/packs/\(TemporaryFolder.names(in: "\(path)/packs")[0])"
        let bytes = readFile(pack)
        #expect(bytes.count == 24 + 43 + 90)
        for end in [[UInt8](), [UInt8](repeating: 0, count: lost)] {
            writeFile(pack, bytes.dropLast(lost) + end)
            let store = try FileChunkStore(folder: path)
            #expect(try store.read(kept.chunks[0].id) == [1, 2, 3])
            let left = try store.leftReceived()[Self.account] ?? []
            #expect(left == (lost == 0 ? torn.chunks : []))
            #expect(try store.read(torn.chunks[0].id) == nil)
        }
        let store = try FileChunkStore(folder: path)
        try store.receive(torn, of: Self.account)
        #expect(try store.keepReceived(torn.chunks, of: Self.account) == torn.chunks)
        #expect(try store.read(torn.chunks[0].id)?.count == 50)
    }

    /// Two accounts that have a chunk in common have it once; what is not kept gives its room back.
    @Test func aChunkThatIsThereIsNotKeptTwice() throws {
        let path = "\(folder.path)/chunks"
        let store = try FileChunkStore(folder: path)
        let sent = bundle([[UInt8](repeating: 1, count: 50_000)])
        try keepAll(sent, store)
        let other = AccountID(high: 3, low: 4)
        try store.receive(sent, of: other)
        #expect(TemporaryFolder.names(in: "\(path)/packs").count == 2)
        #expect(try store.keepReceived(sent.chunks, of: other) == sent.chunks)
        try store.forgetReceived(sent.chunks.map(\.id), of: other)
        #expect(TemporaryFolder.names(in: "\(path)/packs").count == 1)
        #expect(try store.read(sent.chunks[0].id)?.count == 50_000)
    }

    /// A backup is made by another process while the server goes on.
    @Test func anotherProcessReadsWhatIsKept() throws {
        let path = "\(folder.path)/chunks"
        let store = try FileChunkStore(folder: path)
        let reader = try FileChunkStore(reading: path)
        let sent = bundle([[1, 2, 3], [4]])
        #expect(try reader.read(sent.chunks[0].id) == nil)
        try keepAll(sent, store)
        #expect(try reader.read(sent.chunks[0].id) == [1, 2, 3])
        try store.remove(sent.chunks.map(\.id))
        #expect(try reader.read(sent.chunks[0].id) == nil)
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
        let store = try FileChunkStore(folder: path)
        try keepOnce(sent, store)
    }

    /// A version before this one has received each in a file of its own.
    @Test func goesOnWithWhatAnOlderVersionHasReceived() throws {
        let path = "\(folder.path)/chunks"
        let sent = bundle([[1, 2, 3], [4], []])
        let received = "\(path)/received/\(Self.account.text)"
        for folder in [path, "\(path)/received", received] { mkdir(folder, 0o700) }
        sent.eachChunk { writeFile("\(received)/\($0.id.text)", Array($1)) }
        // One that a power cut has left without its bytes, and one of no name.
        writeFile("\(received)/\(SHA256.hash([9]).text)", [0])
        writeFile("\(received)/x", [1])
        let store = try FileChunkStore(folder: path)
        try keepOnce(sent, store)
        #expect(!TemporaryFolder.names(in: path).contains("received"))
    }

    private func keepOnce(_ sent: ChunkBundle, _ store: FileChunkStore) throws {
        #expect(Set(try store.leftReceived()[Self.account] ?? []) == Set(sent.chunks))
        #expect(try store.read(sent.chunks[0].id) == nil)
        #expect(try store.readReceived(sent.chunks[0].id, of: Self.account) == [1, 2, 3])
        #expect(try store.keepReceived(sent.chunks, of: Self.account) == sent.chunks)
        #expect(try store.read(sent.chunks[0].id) == [1, 2, 3])
        #expect(try store.read(sent.chunks[2].id) == [])
        // Killed here it would be kept once more.
        let again = try FileChunkStore(folder: store.folder)
        #expect(Set(try again.leftReceived()[Self.account] ?? []) == Set(sent.chunks))
        #expect(try again.keepReceived(sent.chunks, of: Self.account) == sent.chunks)
        try again.forgetReceived(sent.chunks.map(\.id), of: Self.account)
        #expect(try again.leftReceived().isEmpty)
        #expect(try FileChunkStore(folder: store.folder).leftReceived().isEmpty)
        #expect(try again.read(sent.chunks[1].id) == [4])
        #expect(try again.readReceived(sent.chunks[1].id, of: Self.account) == nil)
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
