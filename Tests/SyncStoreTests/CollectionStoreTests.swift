import SyncCore
import SyncStore
import SyncWire
import Testing

/// What a store notes of the age of things, and drops.
@Suite struct CollectionStoreTests {
    private func accept(
        _ fixture: AccountFixture, _ number: UInt64, _ state: ItemState, _ version: Version,
        replacing old: VersionID? = nil
    ) throws {
        let aged = old.map { [AccountChange.replaced($0, number: number)] } ?? []
        try fixture.store.commit(Sample.accepted(number, state, version) + aged)
    }

    private func addChunk(_ fixture: AccountFixture, _ number: UInt64) throws {
        try fixture.store.begin()
        try fixture.store.addChunk(digest(number), size: UInt32(number))
        try fixture.store.commit()
    }

    private func setCollection(_ fixture: AccountFixture, _ number: UInt64) throws {
        (fixture.store as? MemoryAccountStore)?.collection = number
        try fixture.database?.transaction { database throws(StoreError) in
            try database.set(CollectionClock(collections: number, ran: 0))
        }
    }

    @Test(arguments: Twin.allCases)
    func tellsWhatWasReplaced(_ twin: Twin) throws {
        var fixture = try AccountFixture(twin)
        for number in 1...4 as ClosedRange<UInt64> {
            let version = Sample.version(number, content: .inline([UInt8(number)]))
            try accept(
                fixture, number, Sample.state(id(1), tag: 1, heads: [version.id]), version,
                replacing: number > 1 ? id(number - 1) : nil)
        }
        try fixture.restart()
        let store = fixture.store
        #expect(
            try store.replaced(after: nil, through: .max, limit: 9)
                == [Replaced(id(1), by: 2), Replaced(id(2), by: 3), Replaced(id(3), by: 4)])
        #expect(
            try store.replaced(after: Replaced(id(1), by: 2), through: 3, limit: 9)
                == [Replaced(id(2), by: 3)])
        #expect(try store.replaced(after: nil, through: .max, limit: 1).count == 1)
    }

    @Test(arguments: Twin.allCases)
    func whatIsAHeadAgainIsNotReplaced(_ twin: Twin) throws {
        let fixture = try AccountFixture(twin)
        let version = Sample.version(1, content: .inline([1]))
        try accept(fixture, 1, Sample.state(id(1), tag: 1, heads: [version.id]), version)
        try fixture.store.commit([.replaced(id(1), number: 2)])
        try fixture.store.commit([.replaced(id(1), number: nil)])
        #expect(try fixture.store.replaced(after: nil, through: .max, limit: 9).isEmpty)
    }

    @Test(arguments: Twin.allCases)
    func aCollectedVersionHasNoContentButIsKnown(_ twin: Twin) throws {
        var fixture = try AccountFixture(twin)
        let version = Sample.version(1, content: .inline([1, 2, 3]))
        try accept(fixture, 1, Sample.state(id(1), tag: 1, heads: [id(2)]), version)
        try fixture.store.commit([.replaced(id(1), number: 1)])
        #expect(try fixture.store.kept(id(1)) == version)
        #expect(try fixture.store.usage().stored == 3)
        try fixture.store.commit([.collected(id(1))])
        try fixture.restart()
        let store = fixture.store
        #expect(try store.kept(id(1)) == nil)
        #expect(try store.version(id(1))?.number == 1)
        #expect(try store.usage().stored == 0)
        #expect(try store.replaced(after: nil, through: .max, limit: 9).isEmpty)
        #expect(try store.storedVersion(id(1))?.isCollected == true)
        #expect(try store.storedVersion(id(1))?.version.content == StoredContent.none)
        #expect(try store.versions(of: id(1)).map(\.isCollected) == [true])
        try store.commit([.collected(id(1))])
        #expect(try store.usage().stored == 0, "twice is once")
    }

    @Test(arguments: Twin.allCases)
    func anEmptyContentIsNotACollectedOne(_ twin: Twin) throws {
        let fixture = try AccountFixture(twin)
        let version = Sample.version(1, content: .inline([]))
        try accept(fixture, 1, Sample.state(id(1), tag: 1, heads: [version.id]), version)
        #expect(try fixture.store.kept(id(1)) == version)
        #expect(try fixture.store.versions(of: id(1)).map(\.isCollected) == [false])
    }

    @Test(arguments: Twin.allCases)
    func valuesGrowOldToo(_ twin: Twin) throws {
        let fixture = try AccountFixture(twin)
        try fixture.store.commit([.register(Sample.register(1, value: [1]))])
        try fixture.store.commit([
            .writeReplaced(id(1), number: 2), .register(Sample.register(2, value: [2])),
        ])
        #expect(
            try fixture.store.replacedWrites(through: .max, limit: 9) == [Replaced(id(1), by: 2)])
        #expect(try fixture.store.replacedWrites(through: 1, limit: 9).isEmpty)
        try fixture.store.commit([.valueCollected(id(1))])
        #expect(try fixture.store.replacedWrites(through: .max, limit: 9).isEmpty)
        #expect(try fixture.store.hasWrite(id(1)))
    }

    @Test(arguments: Twin.allCases)
    func countsWhatNamesAChunk(_ twin: Twin) throws {
        var fixture = try AccountFixture(twin)
        try setCollection(fixture, 3)
        try addChunk(fixture, 7)
        #expect(try fixture.store.unreferencedChunks(before: 3, limit: 9).isEmpty)
        #expect(try fixture.store.unreferencedChunks(before: 4, limit: 9) == [digest(7)])
        let version = Sample.version(1, content: .chunks([Sample.chunk(7), Sample.chunk(7)]))
        try accept(fixture, 1, Sample.state(id(1), tag: 1, heads: [version.id]), version)
        #expect(try fixture.store.unreferencedChunks(before: 99, limit: 9).isEmpty)
        try setCollection(fixture, 50)
        try fixture.store.commit([.replaced(id(1), number: 2), .collected(id(1))])
        #expect(try fixture.store.unreferencedChunks(before: 50, limit: 9).isEmpty)
        #expect(try fixture.store.unreferencedChunks(before: 51, limit: 9) == [digest(7)])
        try fixture.store.commit([.chunkMarked(digest(7))])
        try fixture.restart()
        #expect(try !fixture.store.hasChunk(digest(7)))
        #expect(try fixture.store.unreferencedChunks(before: 99, limit: 9).isEmpty)
        try addChunk(fixture, 7)
        #expect(try fixture.store.hasChunk(digest(7)))
    }

    @Test(arguments: Twin.allCases)
    func knowsWhereTheLogWasAtACollection(_ twin: Twin) throws {
        var fixture = try AccountFixture(twin)
        #expect(try fixture.store.number(at: 9) == 0)
        try fixture.store.commit([.collection(2, at: 10), .collection(5, at: 20)])
        try fixture.restart()
        let numbers = try (1...6).map { try fixture.store.number(at: $0) }
        #expect(numbers == [0, 10, 10, 10, 20, 20])
    }

    @Test(arguments: Twin.allCases)
    func listsWhatHasNoPlacePageByPage(_ twin: Twin) throws {
        let fixture = try AccountFixture(twin)
        let standings: [Standing] = [.trashed, .placed, .unplaced, .trashed]
        for (index, standing) in standings.enumerated() {
            let number = UInt64(index) + 1
            let version = Sample.version(number)
            let state = Sample.state(id(number), tag: number, standing: standing, heads: [id(9)])
            try accept(fixture, number, state, version)
        }
        let first = try fixture.store.trash(after: nil, limit: 2, at: 0)
        #expect(first.rows.map(\.state.id) == [id(1), id(3)])
        #expect(first.next == id(3))
        #expect(first.rows[0].author == alice)
        #expect(first.rows[0].moment == WallTime(milliseconds: 1000))
        let second = try fixture.store.trash(after: first.next, limit: 2, at: 0)
        #expect(second.rows.map(\.state.id) == [id(4)])
        #expect(second.next == nil)
    }

    // MARK: The server's database

    @Test func remembersItsRunningTime() throws {
        let fixture = try AccountFixture(.sqlite)
        let database = try #require(fixture.database)
        try database.transaction { database throws(StoreError) in
            try database.set(CollectionClock(collections: 12, ran: 345))
        }
        let clock = try database.collectionClock()
        #expect(clock.collections == 12)
        #expect(clock.ran == 345)
    }

    @Test func devicesSayWhatTheyHave() throws {
        let fixture = try AccountFixture(.sqlite)
        let database = try #require(fixture.database)
        try setCollection(fixture, 4)
        try database.transaction { database throws(StoreError) in
            for (number, name) in [(1, "one"), (2, "two")] as [(UInt64, String)] {
                try database.addDevice(
                    id(number), of: AccountFixture.account, name: name, token: digest(number),
                    now: WallTime(milliseconds: 0))
            }
        }
        try setCollection(fixture, 9)
        try database.transaction { database throws(StoreError) in
            try database.noteContact(
                id(1), of: AccountFixture.account, at: WallTime(milliseconds: 1), installed: 77)
        }
        #expect(
            try fixture.store.deviceReports()
                == [DeviceReport(number: 77, heard: 9), DeviceReport(number: 0, heard: 4)])
        try database.transaction { database throws(StoreError) in
            try database.noteContact(
                id(1), of: AccountFixture.account, at: WallTime(milliseconds: 2))
            try database.revoke(id(2), of: AccountFixture.account)
        }
        #expect(
            try fixture.store.deviceReports() == [DeviceReport(number: 77, heard: 9)],
            "who says nothing is taken at the last word; who is revoked does not count")
    }

    @Test func aMarkedChunkIsForgottenUnlessItWasBroughtAnew() throws {
        let fixture = try AccountFixture(.sqlite)
        let database = try #require(fixture.database)
        try addChunk(fixture, 1)
        try addChunk(fixture, 2)
        try fixture.store.commit([.chunkMarked(digest(1)), .chunkMarked(digest(2))])
        #expect(try database.markedChunks(limit: 9) == [digest(1), digest(2)])
        #expect(try !database.hasChunkAnywhere(digest(1)))
        try addChunk(fixture, 2)
        #expect(try database.hasChunkAnywhere(digest(2)))
        try database.transaction { database throws(StoreError) in
            try database.forgetMarkedChunk(digest(1))
            try database.forgetMarkedChunk(digest(2))
        }
        #expect(try database.markedChunks(limit: 9).isEmpty)
        #expect(try fixture.store.hasChunk(digest(2)))
    }
}
