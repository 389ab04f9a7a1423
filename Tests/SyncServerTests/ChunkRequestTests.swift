import SyncCore
import SyncStore
import SyncWire
import Testing

@testable import SyncServer

/// Chunks that travel several at a time.
@Suite struct ChunkRequestTests {
    private let cloud: TestCloud
    private let parts = [randomBytes(70_000), randomBytes(1), randomBytes(200_000)]

    init() throws {
        cloud = try TestCloud()
        try cloud.addAccount("anna", password: "secret")
        try cloud.addAccount("ben", password: "other")
    }

    private var references: [ChunkReference] {
        parts.map { ChunkReference(id: SHA256.hash($0), size: UInt32($0.count)) }
    }

    private var bundle: ChunkBundle { ChunkBundle(references, bytes: parts.flatMap { $0 }) }

    private func fetch(_ chunks: [ChunkID], _ device: TestDevice) throws -> ChunkBundle {
        try device.send("POST", "/v1/sync/chunks/fetch", body: ChunkList(chunks).message())
            .message(ChunkBundle.self)
    }

    private func missing(_ chunks: [ChunkID], _ device: TestDevice) throws -> [ChunkID] {
        try device.send("POST", "/v1/sync/chunks/missing", body: ChunkList(chunks).message())
            .message(ChunkList.self).chunks
    }

    @Test(arguments: Depth.allCases)
    func severalChunksGoInOneRequest(_ depth: Depth) throws {
        let door = Door(cloud: cloud, depth: depth)
        var device = try TestDevice(door)
        let ids = references.map(\.id)
        #expect(try missing(ids, device) == ids)
        #expect(try fetch(ids, device).chunks.isEmpty)
        let sent = try device.send("POST", "/v1/sync/chunks", body: bundle.message())
        #expect(sent.status == 204)
        #expect(try missing(ids, device).isEmpty)
        let unknown = SHA256.hash([1, 2])
        #expect(
            try fetch([ids[2], unknown, ids[0]], device).chunks == [references[2], references[0]])
        #expect(
            try device.outcomes([device.create("a", .chunks(references))])
                == .outcomes([.accepted(number: 1)]))
        #expect(try cloud.hasChunk(ids[1]))
        #expect(try fetch(ids, device) == bundle)

        let stranger = try TestDevice(door, account: "ben", password: "other")
        #expect(try fetch(ids, stranger).chunks.isEmpty)
        #expect(try missing(ids, stranger) == ids)
    }

    @Test func oneWrongHashRefusesAll() throws {
        let device = try TestDevice(Door(cloud: cloud, depth: .application))
        var bytes = bundle.bytes
        bytes[70_000] ^= 1
        let wrong = ChunkBundle(references, bytes: bytes).message()
        let answer = try device.send("POST", "/v1/sync/chunks", body: wrong)
        #expect(answer.status == 400 && answer.code == "hash")
        #expect(try missing([references[0].id], device) == [references[0].id])
        #expect(try device.send("POST", "/v1/sync/chunks", body: [1, 5, 1]).status == 400)
    }

    @Test func anAnswerHasAtMostAMebibyteButAlwaysOne() throws {
        let device = try TestDevice(Door(cloud: cloud, depth: .application))
        let long = (0..<3).map { _ in randomBytes(600_000) } + [randomBytes(1_048_576)]
        let chunks = long.map { ChunkReference(id: SHA256.hash($0), size: UInt32($0.count)) }
        let all = ChunkBundle(chunks, bytes: long.flatMap { $0 })
        #expect(try device.send("POST", "/v1/sync/chunks", body: all.message()).status == 204)
        #expect(try fetch(chunks.map(\.id), device).chunks == [chunks[0]])
        #expect(try fetch([chunks[3].id, chunks[0].id], device).chunks == [chunks[3]])
        let tooLong = randomBytes(1_048_577)
        let reference = ChunkReference(id: SHA256.hash(tooLong), size: UInt32(tooLong.count))
        let refused = ChunkBundle([reference], bytes: tooLong).message()
        #expect(try device.send("POST", "/v1/sync/chunks", body: refused).status == 413)
    }

    /// Before an operation names them nothing is durable, and nothing is lost by a restart either.
    @Test func whatWasReceivedIsThereAfterARestart() throws {
        var device = try TestDevice(Door(cloud: cloud, depth: .loopback))
        let ids = references.map(\.id)
        #expect(try device.send("POST", "/v1/sync/chunks", body: bundle.message()).status == 204)
        #expect(try !cloud.hasChunk(ids[0]))
        try cloud.restart()
        #expect(try missing(ids, device).isEmpty)
        #expect(
            try device.outcomes([device.create("a", .chunks(references))])
                == .outcomes([.accepted(number: 1)]))
        try cloud.restart()
        #expect(try fetch(ids, device) == bundle)
        #expect(try missing(ids, device).isEmpty)
    }

    @Test func muchIsMadeDurableBeforeAnythingNamesIt() throws {
        var limits = TestCloud.limits
        limits.receivedBytes = 100_000
        limits.mostReceivedBytes = 200_000
        let cloud = try TestCloud(limits: limits)
        try cloud.addAccount("anna", password: "secret")
        let device = try TestDevice(Door(cloud: cloud, depth: .application))
        #expect(try device.send("POST", "/v1/sync/chunks", body: bundle.message()).status == 204)
        #expect(try cloud.hasChunk(references[0].id))
        #expect(try missing(references.map(\.id), device).isEmpty)
    }
}
