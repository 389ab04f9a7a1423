import Dispatch
import SyncCore
import SyncStore
import SyncWire
import Synchronization
import Testing

@testable import SyncServer

/// What a running server lets go, and what it says of it.
@Suite struct UpkeepTests {
    private let cloud: TestCloud
    private var device: TestDevice
    private let bytes = randomBytes(70_000)

    init() throws {
        cloud = try TestCloud()
        try cloud.addAccount("anna", password: "secret")
        device = try TestDevice(Door(cloud: cloud, depth: .loopback))
    }

    /// Each start with a day on the clock is a collection.
    private func passDays(_ count: Int) throws {
        for _ in 0..<count {
            cloud.stop()
            try cloud.withDatabase { database in
                let clock = try database.collectionClock()
                try database.transaction { database throws(StoreError) in
                    try database.set(
                        CollectionClock(collections: clock.collections, ran: CollectionClock.day))
                }
            }
            try cloud.start()
        }
        cloud.stop()
        try cloud.start()
    }

    private mutating func edit(
        _ item: ItemID, from parent: VersionID, _ nature: Version.Nature = .edit,
        _ content: StoredContent
    ) throws -> VersionID {
        let id = VersionID(SHA256.hash(randomBytes(16)))
        device.last += 1
        let version = Version(
            id: id, parents: [parent], nature: nature, facts: [1], content: content)
        let edit = Operation(
            number: device.last, age: 0, body: .edit(item: item, version: version))
        guard case .outcomes(let outcomes) = try device.outcomes([edit]) else { return id }
        #expect(outcomes == [.accepted(number: device.last)])
        return id
    }

    private func status(_ version: VersionID) throws -> Int {
        try device.send("GET", "/v1/sync/versions/\(version.text)").status
    }

    private func report(installed: UInt64) throws {
        let message = PullMessage(after: .start, limit: 1, installed: installed)
        #expect(try device.send("POST", "/v1/sync/log", body: message.message()).status == 200)
    }

    private func trash() throws -> TrashList {
        try device.send("POST", "/v1/sync/trash", body: TrashRequest().message())
            .message(TrashList.self)
    }

    /// What a device has installed of another history says nothing here.
    @Test mutating func whatADeviceOfAnotherHistoryHasDoesNotCount() throws {
        let creation = device.create("a", .inline([1]))
        guard case .create(let item, _, _, let first) = creation.body else { return }
        _ = try device.outcomes([creation])
        _ = try edit(item, from: first.id, .edit, .inline([2]))
        try report(installed: 1)
        // What was said is durable before the device says something of another history.
        try passDays(1)
        let foreign = Position(number: 1, digest: SHA256.hash([9]))
        let pull = PullMessage(after: foreign, limit: 1, installed: 900)
        #expect(
            try device.send("POST", "/v1/sync/log", body: pull.message())
                .message(PullAnswer.self) == .historyUnknown)
        let next = CarriedOperation(device.create("b", .none))
        let operations = OperationsMessage(
            incarnation: device.incarnation, operations: [next], installed: 900, cursor: foreign)
        let answer = try device.send(
            "POST", "/v1/sync/operations", body: operations.message()
        ).message(OperationsAnswer.self)
        #expect(answer.answer == .historyUnknown)
        try passDays(40)
        #expect(try status(first.id) == 200, "the device may still have it on its disk")
        try report(installed: 2)
        try passDays(1)
        #expect(try status(first.id) == 410)
    }

    @Test mutating func anOldContentIsGoneAfterThirtyDays() throws {
        let chunk = SHA256.hash(bytes)
        let path = "/v1/sync/chunks/\(chunk.text)"
        #expect(try device.send("PUT", path, body: bytes).status == 204)
        let creation = device.create(
            "a", .chunks([ChunkReference(id: chunk, size: UInt32(bytes.count))]))
        guard case .create(let item, _, _, let first) = creation.body else { return }
        _ = try device.outcomes([creation])
        let second = try edit(item, from: first.id, .edit, .inline([2]))
        try report(installed: 2)
        try passDays(30)
        #expect(try status(first.id) == 200)
        try passDays(1)
        #expect(try status(first.id) == 410)
        #expect(try status(second) == 200)
        let answer = try device.send("GET", "/v1/sync/items/\(item.text)/versions")
        #expect(
            try answer.message(VersionList.self).versions.map(\.isCollected) == [true, false])
        #expect(try device.send("GET", path).status == 200)
        try passDays(2)
        #expect(try device.send("GET", path).status == 404)
        #expect(try !cloud.hasChunk(chunk))
        #expect(try device.send("PUT", path, body: bytes).status == 204)
        #expect(try device.send("GET", path).body == bytes)
    }

    @Test mutating func whatADeviceStillHasIsKept() throws {
        let creation = device.create("a", .inline([1]))
        guard case .create(let item, _, _, let first) = creation.body else { return }
        _ = try device.outcomes([creation])
        _ = try edit(item, from: first.id, .edit, .inline([2]))
        try report(installed: 1)
        try passDays(33)
        #expect(try status(first.id) == 200)
    }

    @Test mutating func theTrashIsListedForThirtyDays() throws {
        let creation = device.create("a", .inline([1]))
        guard case .create(let item, _, _, let first) = creation.body else { return }
        _ = try device.outcomes([creation])
        _ = try edit(item, from: first.id, .deletion, .none)
        #expect(try trash().rows.map(\.state.id) == [item])
        #expect(try trash().rows.first?.author.text == device.joined.device)
        try report(installed: 2)
        try passDays(31)
        #expect(try trash().rows.isEmpty)
        #expect(try status(first.id) == 410)
    }

    /// The file of a dead chunk is not removed while somebody brings the chunk, nor brought while
    /// it is removed.
    @Test func aChunkThatComesAnewWhileItsFileIsRemovedStays() {
        let arrivals = ChunkArrivals()
        let chunk = SHA256.hash(bytes)
        arrivals.begin(chunk)
        arrivals.begin(chunk)
        arrivals.end(chunk)
        #expect(arrivals.withoutArriving([chunk]) { $0 } == [], "somebody else still brings it")
        arrivals.end(chunk)

        let order = Mutex<[String]>([])
        let hasStarted = DispatchSemaphore(value: 0)
        let hasBegun = DispatchSemaphore(value: 0)
        let removed = arrivals.withoutArriving([chunk]) { free in
            DispatchQueue.global().async {
                hasStarted.signal()
                arrivals.begin(chunk)
                order.withLock { $0.append("begun") }
                hasBegun.signal()
            }
            hasStarted.wait()
            order.withLock { $0.append("removed") }
            return free
        }
        hasBegun.wait()
        #expect(removed == [chunk])
        #expect(order.withLock { $0 } == ["removed", "begun"])
    }
}
