import Glibc
import SyncCore
import SyncStore
import Testing

@testable import SyncDevice

@Suite struct ContentReaderTests {
    let home: TemporaryHome
    let chunks: ChunkFolder
    let reader: ContentReader

    init() throws {
        home = try TemporaryHome()
        chunks = ChunkFolder(home.folders)
        reader = ContentReader(home.folders, chunks: chunks)
    }

    private func read(
        _ path: String, _ kind: EntryKind = .file, prefix: UInt64? = nil
    ) -> ReadOutcome {
        reader.read(
            ReadRequest(slot: slot("a"), path: local(path), kind: kind, prefix: prefix))
    }

    private func content(_ outcome: ReadOutcome) -> ReadContent? {
        if case .content(let content) = outcome { content } else { nil }
    }

    @Test(arguments: [0, 1, 65_535, 65_536])
    func keepsShortFilesInline(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try writeBytes(bytes, to: home.file("a"))
        let found = try #require(content(read("a")))
        #expect(found.content == .inline(bytes))
        #expect(found.digest == SHA256.hash(bytes))
        #expect(found.stamp.isUntouched(since: try home.stamp("a")))
    }

    @Test(arguments: [65_537, 1_048_576, 1_048_577, 3_500_000])
    func cutsLongFilesIntoChunks(count: Int) throws {
        // 65,521 is prime: no two chunks are equal.
        let pattern = (0..<65_521).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 9) }
        var bytes: [UInt8] = []
        while bytes.count < count { bytes.append(contentsOf: pattern) }
        bytes.removeLast(bytes.count - count)
        try writeBytes(bytes, to: home.file("a"))
        let found = try #require(content(read("a")))
        #expect(found.digest == SHA256.hash(bytes))
        guard case .chunks(let references) = found.content else {
            Issue.record("not in chunks")
            return
        }
        let parts = try references.map { try #require(try chunks.read($0)) }
        var joined: [UInt8] = []
        for part in parts { joined.append(contentsOf: part) }
        #expect(joined == bytes)
        let cutter = ChunkCutter(contentSize: UInt64(count))
        var left = bytes[...]
        for part in parts {
            #expect(part.count == cutter.length(of: left.span))
            left = left.dropFirst(part.count)
        }
        #expect(Set(try chunks.list()) == Set(references.map(\.id)))
        // The same again writes nothing and leaves nothing.
        #expect(content(read("a"))?.content == found.content)
        #expect(listing(home.state + "/chunks").count == Set(references.map(\.id)).count)
        for id in try chunks.list() { try chunks.remove(id) }
        #expect(listing(home.state + "/chunks").isEmpty)
        #expect(try chunks.read(references[0]) == nil)
    }

    @Test func doesNotKeepChunksThatAreToBeHadElsewhere() throws {
        let bytes = noise(1_000_000)
        try writeBytes(bytes, to: home.file("a"))
        let found = try #require(content(read("a")))
        let references = chunkList(found)
        for chunk in references { try chunks.remove(chunk.id) }
        try writeBytes(Array("new ".utf8) + bytes, to: home.file("a"))
        let request = ReadRequest(slot: slot("a"), path: local("a"), kind: .file, prefix: nil)
        let known = Set(references.map(\.id))
        let again = try #require(content(reader.read(request, known: known)))
        #expect(again.digest == SHA256.hash(Array("new ".utf8) + bytes))
        #expect(Set(try chunks.list()) == Set(chunkList(again).map(\.id)).subtracting(known))
        #expect(try chunks.list().count <= 2)
    }

    @Test(arguments: [0, 1, 300_000, 1_048_576, 3_000_000])
    func aHoleIsZerosThatAreNotRead(place: Int) throws {
        var bytes = [UInt8](repeating: 0, count: 5_000_000)
        for index in place..<place + 5_000 { bytes[index] = UInt8(truncatingIfNeeded: index | 1) }
        try writeBytes(bytes, to: home.file("dense"))
        let file = open(home.file("sparse"), O_WRONLY | O_CREAT, 0o644)
        #expect(ftruncate(file, off_t(bytes.count)) == 0)
        let written = bytes[place..<place + 5_000].withUnsafeBytes {
            pwrite(file, $0.baseAddress, $0.count, off_t(place))
        }
        #expect(written == 5_000)
        close(file)
        let sparse = try #require(content(read("sparse", prefix: 4_000_000)))
        let dense = try #require(content(read("dense", prefix: 4_000_000)))
        #expect(sparse.digest == SHA256.hash(bytes))
        #expect(sparse.content == dense.content)
        #expect(sparse.prefixDigest == SHA256.hash(bytes[..<4_000_000]))
        #expect(sparse.prefixDigest == dense.prefixDigest)
    }

    private func chunkList(_ content: ReadContent) -> [ChunkReference] {
        if case .chunks(let list) = content.content { list } else { [] }
    }

    @Test func keepsOneChunkForManyEqualOnes() throws {
        try writeBytes([UInt8](repeating: 0, count: 3_145_728), to: home.file("zeros"))
        let found = try #require(content(read("zeros")))
        #expect(found.content.storedSize == 3_145_728)
        #expect(listing(home.state + "/chunks").count == 1)
    }

    /// The thread of a session that has ended may still be at its last file.
    @Test func anotherSessionsNamesOfTheMomentAreNotTaken() throws {
        let other = ChunkFolder(home.folders)
        let one: [UInt8] = [1]
        let two: [UInt8] = [2]
        let first = try #require(try chunks.write(one[...], id: SHA256.hash(one)))
        let second = try #require(try other.write(two[...], id: SHA256.hash(two)))
        try chunks.publish([first])
        try other.publish([second])
        #expect(try chunks.read(ChunkReference(id: SHA256.hash(one), size: 1)) == one)
        #expect(try chunks.read(ChunkReference(id: SHA256.hash(two), size: 1)) == two)
    }

    @Test func doesNotGiveADamagedChunk() throws {
        try writeBytes([UInt8](repeating: 1, count: 70_000), to: home.file("a"))
        let found = try #require(content(read("a")))
        guard case .chunks(let references) = found.content else { return }
        try writeBytes([1, 2], to: "\(home.state)/chunks/\(references[0].id.text)")
        #expect(try chunks.read(references[0]) == nil)
        // And writes it again when the file is read again.
        _ = read("a")
        #expect(try chunks.read(references[0]) != nil)
    }

    @Test func hashesThePrefix() throws {
        try home.write("one two", to: "a")
        #expect(content(read("a", prefix: 3))?.prefixDigest == SHA256.hash(Array("one".utf8)))
        #expect(content(read("a", prefix: 0))?.prefixDigest == SHA256.hash([]))
        #expect(content(read("a", prefix: 7))?.prefixDigest == content(read("a"))?.digest)
        #expect(content(read("a", prefix: 8))?.prefixDigest == nil)
        let long = [UInt8](repeating: 9, count: 2_000_000)
        try writeBytes(long, to: home.file("b"))
        let found = content(read("b", prefix: 1_500_000))
        #expect(found?.prefixDigest == SHA256.hash(Array(long[..<1_500_000])))
    }

    @Test func isBusyWhileSomebodyWrites() throws {
        try home.write("half", to: "a")
        let writer = openAsOther(home.file("a"), O_WRONLY)
        #expect(read("a") == .busy)
        close(writer)
        var outcome = read("a")
        while outcome == .busy { outcome = read("a") }
        #expect(content(outcome) != nil)
    }

    @Test func readsWhatIsOpenForLongWhenAsked() throws {
        try home.write("half", to: "a")
        let writer = openAsOther(home.file("a"), O_WRONLY)
        defer { close(writer) }
        let request = ReadRequest(
            slot: slot("a"), path: local("a"), kind: .file, prefix: nil, isForOpenFile: true)
        #expect(content(reader.read(request)) != nil)
    }

    @Test func readsTheTargetOfALink() throws {
        symlink("over/there", home.file("l"))
        let found = try #require(content(read("l", .link)))
        #expect(found.content == .inline(Array("over/there".utf8)))
        #expect(found.digest == SHA256.hash(Array("over/there".utf8)))
    }

    @Test func saysWhatIsNotThereOrOfAnotherKind() throws {
        #expect(read("no") == .gone)
        #expect(read("no/a") == .gone)
        symlink("a", home.file("l"))
        try home.write("x", to: "a")
        #expect(read("l") == .gone)
        #expect(read("a", .link) == .gone)
        mkdir(home.file("d"), 0o755)
        #expect(read("d") == .gone)
        mkfifo(home.file("f"), 0o644)
        #expect(read("f") == .gone)
    }

    @Test func removesWhatAReadingLeft() throws {
        try writeBytes([1], to: home.state + "/chunks/new-7")
        try chunks.removeUnfinished()
        #expect(listing(home.state + "/chunks").isEmpty)
    }
}
