import SyncCore
import SyncStore
import SyncWire
import Testing

/// What is dropped by the daily collection, and what never is.
@Suite struct CollectionTests {
    let account = TestAccount()
    private var store: MemoryAccountStore { account.store }

    /// One device that has all installed, always.
    init() { store.installed = [DeviceReport(number: .max, heard: .max - 365)] }

    private func collect(times: UInt64, _ retention: Retention = Retention()) throws {
        for _ in 0..<times {
            let number = store.collection + 1
            try apply(account.authority.beginCollection(number, reading: store))
            var last: Replaced<VersionID>?
            var isOver = false
            while !isOver {
                let step = try account.authority.collect(
                    number, retention, after: last, limit: 2, reading: store)
                try apply(step.changes)
                last = step.next
                isOver = step.isOver
            }
            store.collection = number
        }
    }

    private func apply(_ changes: [AccountChange]) throws {
        try store.begin()
        try store.apply(changes)
        try store.commit()
    }

    private func isKept(_ version: VersionID) throws -> Bool { try store.kept(version) != nil }

    // MARK: Versions

    @Test func aHeadIsKeptForEver() throws {
        account.send(.create("i", at: "i", version: "v1", content: .inline([1])))
        try collect(times: 1_000)
        #expect(try isKept("v1"))
    }

    @Test func anOldVersionIsKeptForThirtyCollections() throws {
        account.send(.create("i", at: "i", version: "v1", content: .inline([1])))
        account.send(.edit("i", "v2", from: ["v1"], content: .inline([2])))
        try collect(times: 30)
        #expect(try isKept("v1"))
        try collect(times: 1)
        #expect(try !isKept("v1"))
        #expect(try isKept("v2"))
    }

    @Test func itsIdAndParentsStay() throws {
        account.send(.create("i", at: "i", version: "v1", content: .inline([1])))
        account.send(.edit("i", "v2", from: ["v1"], content: .inline([2])))
        account.send(.edit("i", "v3", from: ["v2"], content: .inline([3])))
        try collect(times: 40)
        #expect(try store.version("v2")?.parents == ["v1"])
        #expect(account.send(.edit("i", "v2", from: ["v1"])).areAccepted, "it is known")
        account.send(.edit("i", "late", from: ["v2"], content: .inline([4])), by: "b")
        #expect(account.heads("i") == ["v3", "late"], "an old parent makes a further head")
    }

    @Test func theDaysCanBeChosen() throws {
        account.send(.create("i", at: "i", version: "v1", content: .inline([1])))
        account.send(.edit("i", "v2", from: ["v1"], content: .inline([2])))
        try collect(times: 4, Retention(replaced: 3))
        #expect(try !isKept("v1"))
    }

    @Test func aSecondHeadIsKept() throws {
        account.send(.create("i", at: "i", version: "v1", content: .inline([1])))
        account.send(.edit("i", "h1", from: ["v1"], content: .inline([2])), by: "a")
        account.send(.edit("i", "h2", from: ["v1"], content: .inline([3])), by: "b")
        try collect(times: 40)
        #expect(try isKept("h1"))
        #expect(try isKept("h2"))
    }

    // MARK: Devices

    @Test func whatADeviceHasInstalledIsKept() throws {
        account.send(.create("i", at: "i", version: "v1", content: .inline([1])))
        store.installed = [
            DeviceReport(number: 1, heard: 0), DeviceReport(number: .max, heard: 0),
        ]
        account.send(.edit("i", "v2", from: ["v1"], content: .inline([2])))
        try collect(times: 364)
        #expect(try isKept("v1"))
        try collect(times: 1)
        #expect(try !isKept("v1"), "after a year of silence it counts no more")
    }

    @Test func whatItHasReplacedIsNot() throws {
        account.send(.create("i", at: "i", version: "v1", content: .inline([1])))
        account.send(.edit("i", "v2", from: ["v1"], content: .inline([2])))
        store.installed = [DeviceReport(number: 2, heard: 0)]
        try collect(times: 31)
        #expect(try !isKept("v1"))
    }

    // MARK: The trash

    @Test func whatIsInTheTrashIsKeptForThirtyCollections() throws {
        account.send(.create("i", at: "i", version: "v1", content: .inline([1])))
        account.send(.delete("i", "d", from: ["v1"]))
        try collect(times: 30, Retention(replaced: 3))
        #expect(try isKept("v1"), "whatever is said of other versions")
        #expect(try trash() == ["i"])
        try collect(times: 1, Retention(replaced: 3))
        #expect(try !isKept("v1"))
        #expect(try trash().isEmpty)
    }

    private func trash() throws -> [ItemID] {
        try store.trash(after: nil, limit: 10, at: store.collection).rows.map(\.state.id)
    }

    @Test func whatWasRestoredIsKept() throws {
        account.send(.create("i", at: "i", version: "v1", content: .inline([1])))
        account.send(.delete("i", "d", from: ["v1"]))
        try collect(times: 20)
        account.send(.edit("i", "r", from: ["d"], content: .inline([1])))
        try collect(times: 40)
        #expect(try isKept("r"))
        #expect(try !isKept("v1"))
    }

    @Test func aFolderComesBackWithoutWhatIsNotKept() throws {
        account.send(
            .create("f", .folder, at: "F", version: "f0"),
            .create("i", at: "i", in: "f", version: "v1", content: .inline([1])))
        account.send(.removeFolder("f", "d", from: ["f0"], installed: 2))
        try collect(times: 31)
        #expect(account.send(.restoreFolder("f", "r", undoing: "d")).areAccepted)
        #expect(account.paths == ["F": "f"])
        #expect(account.standing("i") == .trashed)
    }

    @Test func aMoveOutOfADeadFolderDoesNotBringBackWhatIsNotKept() throws {
        account.send(
            .create("f", .folder, at: "F", version: "f0"),
            .create("i", at: "i", in: "f", version: "v1", content: .inline([1])))
        account.send(.removeFolder("f", "d", from: ["f0"], installed: 2))
        try collect(times: 31)
        #expect(account.send(.move("i", to: "i", as: "p"), by: "b").refusals == [.stalePlace])
    }

    // MARK: Values

    @Test func aValueThatLostIsKeptForThirtyCollections() throws {
        account.send(.set("k", "1", as: "w1"))
        account.send(.set("k", "2", as: "w2", replacing: "w1"))
        try collect(times: 30)
        #expect(try store.replacedWrites(through: .max, limit: 9).map(\.id) == ["w1"])
        try collect(times: 1)
        #expect(try store.replacedWrites(through: .max, limit: 9).isEmpty)
        #expect(account.value("k") == "2")
        #expect(try store.hasWrite("w1"), "its id stays")
    }

    // MARK: Chunks

    private func chunk(_ number: UInt64) -> ChunkReference {
        ChunkReference(id: Digest(words: (0, 0, 0, number)), size: 9)
    }

    @Test func aChunkGoesWithTheLastContentThatNamesIt() throws {
        let (one, two) = (chunk(1), chunk(2))
        try account.addChunk(one.id, size: 9)
        try account.addChunk(two.id, size: 9)
        account.send(.create("i", at: "i", version: "v1", content: .chunks([one, two, one])))
        account.send(.edit("i", "v2", from: ["v1"], content: .chunks([two])))
        try collect(times: 31)
        #expect(try store.hasChunk(one.id))
        try collect(times: 2)
        #expect(try !store.hasChunk(one.id))
        #expect(try store.hasChunk(two.id))
    }

    @Test func aChunkThatNobodyNamesGoesAfterADay() throws {
        try account.addChunk(chunk(1).id, size: 9)
        try collect(times: 1)
        #expect(try store.hasChunk(chunk(1).id), "its operation is on its way")
        try collect(times: 1)
        #expect(try !store.hasChunk(chunk(1).id))
    }

    @Test func aMarkedChunkCountsAsMissingUntilItIsBroughtAnew() throws {
        try account.addChunk(chunk(1).id, size: 9)
        try collect(times: 2)
        let creation = Operation.Body.create(
            "i", at: "i", version: "v1", content: .chunks([chunk(1)]))
        #expect(account.send(creation).refusals == [.chunksMissing])
        try account.addChunk(chunk(1).id, size: 9)
        #expect(account.send(creation).areAccepted)
        try collect(times: 40)
        #expect(try store.hasChunk(chunk(1).id))
    }

    // MARK: Days

    private let hour = Int64(3_600_000)

    private func moment(_ steady: Int64, wall: Int64) -> Moment {
        Moment(
            steady: Instant(nanoseconds: steady * 1_000_000),
            wall: WallTime(milliseconds: wall))
    }

    @Test func aDayIsOneOfRunningTime() {
        var clock = CollectionClock()
        for hours in 0...23 { clock.read(moment(Int64(hours) * hour, wall: 0)) }
        #expect(clock.due == nil)
        clock.read(moment(24 * hour, wall: 0))
        #expect(clock.due == 1)
        clock.made()
        #expect(clock.due == nil)
        #expect(clock.collections == 1)
    }

    @Test func aJumpOfTheWallClockIsNoTime() {
        var clock = CollectionClock()
        clock.read(moment(0, wall: 0))
        clock.read(moment(1_000, wall: 10 * 365 * 24 * hour))
        clock.read(moment(2_000, wall: 0))
        #expect(clock.ran == 2_000)
    }

    @Test func theTimeOfSeveralRunsAddsUp() {
        var clock = CollectionClock(collections: 7, ran: 23 * UInt64(hour))
        clock.read(moment(500 * hour, wall: 0))
        #expect(clock.due == nil, "what was before this run is not known")
        clock.read(moment(501 * hour, wall: 0))
        #expect(clock.due == 8)
    }
}
