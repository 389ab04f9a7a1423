import SyncCore
import SyncStore
import SyncWire
import Testing

/// What every account store must do for the server's rules.
@Suite struct AccountStoreTests {
    @Test(arguments: Twin.allCases)
    func startsEmpty(_ twin: Twin) throws {
        let store = try AccountFixture(twin).store
        #expect(try store.position() == .start)
        #expect(try store.item(id(1)) == nil)
        #expect(try store.alias(id(1)) == nil)
        #expect(try store.holder(of: id(1), in: .top) == nil)
        #expect(try store.children(of: .top) == [])
        #expect(try store.version(id(1)) == nil)
        #expect(try store.incarnation(Incarnation(1)) == nil)
        #expect(try store.answer(Incarnation(1), 1) == nil)
        #expect(try store.register(Sample.key(1)) == nil)
        #expect(try !store.hasWrite(id(1)))
        #expect(try store.usage() == Usage())
        #expect(try !store.hasChunk(digest(1)))
    }

    @Test(arguments: Twin.allCases)
    func readsWhatWasAccepted(_ twin: Twin) throws {
        var fixture = try AccountFixture(twin)
        let version = Sample.version(8, parents: [id(7), id(6)], content: .inline([1, 2, 3]))
        let state = Sample.state(id(1), in: id(50), tag: 9, heads: [version.id])
        try fixture.store.commit(Sample.accepted(1, state, version))
        for _ in 0..<2 {
            let store = fixture.store
            #expect(try store.position() == Position(number: 1, digest: digest(1)))
            #expect(try store.item(id(1)) == state)
            #expect(try store.holder(of: id(9), in: id(50)) == id(1))
            #expect(try store.holder(of: id(9), in: .top) == nil)
            #expect(try store.children(of: id(50)) == [id(1)])
            let record = VersionRecord(
                item: id(1), parents: [id(7), id(6)], nature: .edit, number: 1)
            #expect(try store.version(version.id) == record)
            #expect(
                try store.incarnation(Incarnation(.max))
                    == IncarnationRecord(device: alice, last: 1))
            #expect(
                try store.answer(Incarnation(.max), 1)
                    == StoredAnswer(hash: digest(1), outcome: .accepted(number: 1)))
            #expect(try store.usage() == Usage(stored: 3))
            try fixture.restart()
        }
    }

    @Test(arguments: Twin.allCases)
    func keepsEveryOutcome(_ twin: Twin) throws {
        var fixture = try AccountFixture(twin)
        let outcomes: [Outcome] = [
            .accepted(number: 5), .refused(.malformed), .refused(.stalePlace),
        ]
        let answers = outcomes.map { StoredAnswer(hash: digest(3), outcome: $0) }
        try fixture.store.commit(
            answers.enumerated().map {
                .answer(Incarnation(4), device: bob, number: UInt64($0 + 1), $1)
            })
        try fixture.restart()
        for (index, answer) in answers.enumerated() {
            #expect(try fixture.store.answer(Incarnation(4), UInt64(index + 1)) == answer)
        }
        #expect(
            try fixture.store.incarnation(Incarnation(4))
                == IncarnationRecord(device: bob, last: 3))
    }

    @Test(arguments: Twin.allCases)
    func findsItemsByPlace(_ twin: Twin) throws {
        let store = try AccountFixture(twin).store
        let one = Sample.state(id(1), tag: 1, heads: [id(8)])
        let two = Sample.state(id(2), tag: 2, heads: [id(9)])
        try store.commit([.item(one), .item(two)])
        #expect(Set(try store.children(of: .top)) == [id(1), id(2)])
        // A swap of names, through the moment when both have one.
        try store.commit([
            .item(Sample.state(id(1), tag: 2, heads: [id(8)])),
            .item(Sample.state(id(2), tag: 1, heads: [id(9)])),
        ])
        #expect(try store.holder(of: id(1), in: .top) == id(2))
        #expect(try store.holder(of: id(2), in: .top) == id(1))
        // Neither trash nor what has no place holds a name.
        try store.commit([
            .item(Sample.state(id(1), tag: 2, standing: .trashed, heads: [id(8)])),
            .item(Sample.state(id(2), tag: 1, standing: .unplaced, heads: [id(9)])),
        ])
        #expect(try store.holder(of: id(1), in: .top) == nil)
        #expect(try store.children(of: .top) == [])
        try store.commit([.item(Sample.state(id(1), in: id(3), tag: 2, heads: [id(8)]))])
        #expect(try store.children(of: id(3)) == [id(1)])
    }

    @Test(arguments: Twin.allCases)
    func keepsAliases(_ twin: Twin) throws {
        var fixture = try AccountFixture(twin)
        try fixture.store.commit([.alias(id(1), of: id(2)), .alias(id(3), of: id(1))])
        try fixture.restart()
        #expect(try fixture.store.alias(id(1)) == id(2))
        #expect(try fixture.store.alias(id(3)) == id(1))
    }

    @Test(arguments: Twin.allCases)
    func keepsRegistersAndPastWrites(_ twin: Twin) throws {
        var fixture = try AccountFixture(twin)
        let first = Sample.register(1, value: [1, 2, 3])
        try fixture.store.commit([.register(first)])
        #expect(try fixture.store.usage() == Usage(keys: [id(1): 1], values: [id(1): 3]))
        let second = Sample.register(2, value: [9])
        let lost = KeyValueWrite(
            id: id(3), register: Sample.key(1), name: [1], value: [4], replaces: nil,
            beforeFirstPull: true)
        try fixture.store.commit([.register(second), .pastWrite(lost, number: 2)])
        try fixture.restart()
        #expect(try fixture.store.register(Sample.key(1)) == second)
        #expect(try fixture.store.usage() == Usage(keys: [id(1): 1], values: [id(1): 1]))
        for write in 1...3 { #expect(try fixture.store.hasWrite(id(UInt64(write)))) }
        let removal = Sample.register(4, value: nil)
        try fixture.store.commit([.register(removal)])
        #expect(try fixture.store.register(Sample.key(1)) == removal)
        #expect(try fixture.store.usage() == Usage())
    }

    @Test(arguments: Twin.allCases)
    func addsUpStoredBytes(_ twin: Twin) throws {
        let store = try AccountFixture(twin).store
        let versions = [
            Sample.version(1, content: .inline([1, 2])),
            Sample.version(2, content: .chunks([Sample.chunk(100), Sample.chunk(50)])),
            Sample.version(3, nature: .deletion),
            Sample.version(4, nature: .settlement, content: .inline([])),
        ]
        for (index, version) in versions.enumerated() {
            let state = Sample.state(id(1), tag: 1, heads: [version.id])
            try store.commit(Sample.accepted(UInt64(index + 1), state, version))
        }
        #expect(try store.usage() == Usage(stored: 152))
    }

    @Test(arguments: Twin.allCases)
    func knowsChunks(_ twin: Twin) throws {
        var fixture = try AccountFixture(twin)
        try fixture.store.begin()
        try fixture.store.addChunk(digest(1), size: 10)
        try fixture.store.addChunk(digest(2), size: 20)
        try fixture.store.addChunk(digest(2), size: 20)
        try fixture.store.commit()
        try fixture.restart()
        #expect(try fixture.store.hasChunk(digest(1)))
        #expect(
            try fixture.store.missing(among: [digest(3), digest(1), digest(4)])
                == [digest(3), digest(4)])
        try fixture.store.begin()
        try fixture.store.markChunk(digest(1))
        try fixture.store.commit()
        #expect(try !fixture.store.hasChunk(digest(1)))
        try fixture.store.begin()
        try fixture.store.addChunk(digest(1), size: 10)
        try fixture.store.commit()
        #expect(try fixture.store.hasChunk(digest(1)))
    }

    @Test(arguments: Twin.allCases)
    func seesItsOwnTransaction(_ twin: Twin) throws {
        let store = try AccountFixture(twin).store
        let (state, version) = try commitOne(store)
        let next = Sample.version(9, parents: [version.id], content: .inline([1]))
        let edited = Sample.state(id(1), tag: 3, heads: [next.id])
        try store.begin()
        try store.apply(Sample.accepted(2, edited, next))
        try store.apply([.register(Sample.register(1, value: [1])), .alias(id(4), of: id(1))])
        #expect(try store.item(id(1)) == edited)
        #expect(try store.position().number == 2)
        #expect(try store.holder(of: id(3), in: .top) == id(1))
        #expect(try store.version(next.id) != nil)
        store.rollback()
        try expectOnly(state, version, in: store)
        store.rollback()
        try expectOnly(state, version, in: store)
    }

    @Test(arguments: Twin.allCases)
    func losesOnlyWhatWasNotCommitted(_ twin: Twin) throws {
        var fixture = try AccountFixture(twin)
        let (state, version) = try commitOne(fixture.store)
        try fixture.store.begin()
        let next = Sample.version(9)
        try fixture.store.apply(
            Sample.accepted(2, Sample.state(id(1), tag: 3, heads: [next.id]), next))
        try fixture.restart()
        try expectOnly(state, version, in: fixture.store)
    }

    private func commitOne(_ store: any AccountStore) throws -> (ItemState, Version) {
        let version = Sample.version(8, content: .inline([1, 2, 3]))
        let state = Sample.state(id(1), tag: 2, heads: [version.id])
        try store.commit(Sample.accepted(1, state, version))
        return (state, version)
    }

    private func expectOnly(
        _ state: ItemState, _ version: Version, in store: any AccountStore
    ) throws {
        #expect(try store.item(state.id) == state)
        #expect(try store.position().number == 1)
        #expect(try store.holder(of: id(2), in: .top) == state.id)
        #expect(try store.holder(of: id(3), in: .top) == nil)
        #expect(try store.children(of: .top) == [state.id])
        #expect(try store.versions(of: state.id).map(\.version.id) == [version.id])
        #expect(try store.version(id(9)) == nil)
        #expect(try store.register(Sample.key(1)) == nil)
        #expect(try !store.hasWrite(id(1)))
        #expect(try store.alias(id(4)) == nil)
        #expect(try store.usage() == Usage(stored: 3))
        #expect(try store.incarnation(Incarnation(.max))?.last == 1)
        #expect(try store.answer(Incarnation(.max), 2) == nil)
    }
}
