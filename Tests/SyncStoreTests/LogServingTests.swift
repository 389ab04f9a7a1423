import SyncCore
import SyncStore
import SyncWire
import Testing

/// What every account store must do for the devices that it serves.
@Suite struct LogServingTests {
    @Test(arguments: Twin.allCases)
    func givesEntriesWhole(_ twin: Twin) throws {
        var fixture = try AccountFixture(twin)
        let entries = try fill(fixture.store)
        try fixture.restart()
        #expect(try fixture.store.entries(after: 0, limit: .max, to: nil) == entries)
        #expect(try fixture.store.entries(after: 2, limit: .max, to: nil) == Array(entries[2...]))
        #expect(try fixture.store.entries(after: 99, limit: .max, to: nil) == [])
        #expect(try fixture.store.entries(after: .max, limit: .max, to: nil) == [])
    }

    @Test(arguments: Twin.allCases)
    func leavesOutWhatTheAuthorHas(_ twin: Twin) throws {
        let fixture = try AccountFixture(twin)
        let entries = try fill(fixture.store)
        let expected = entries.map { $0.author == bob ? $0.withoutInlineContent : $0 }
        #expect(expected != entries)
        #expect(try fixture.store.entries(after: 0, limit: .max, to: bob) == expected)
    }

    @Test(arguments: Twin.allCases)
    func givesAtLeastOneEntry(_ twin: Twin) throws {
        let fixture = try AccountFixture(twin)
        let entries = try fill(fixture.store)
        #expect(try fixture.store.entries(after: 0, limit: 0, to: nil) == [entries[0]])
        let two = entries[0].size + entries[1].size
        #expect(try fixture.store.entries(after: 0, limit: two, to: nil) == Array(entries[..<2]))
        #expect(
            try fixture.store.entries(after: 0, limit: two - 1, to: nil) == Array(entries[..<1]))
        // Large content that is left out takes no room.
        let small = entries[0].size + entries[1].withoutInlineContent.size
        #expect(try fixture.store.entries(after: 0, limit: small, to: bob).count == 2)
    }

    @Test(arguments: Twin.allCases)
    func tellsHistoriesApart(_ twin: Twin) throws {
        let fixture = try AccountFixture(twin)
        let entries = try fill(fixture.store)
        let store = fixture.store
        #expect(try store.digest(at: 0) == .zero)
        #expect(try store.digest(at: 2) == digest(2))
        #expect(try store.digest(at: 6) == nil)
        #expect(try store.digest(at: .max) == nil)
        let second = entries[1].position
        #expect(
            try store.log(after: second, limit: .max)
                == .entries(
                    after: second, Array(entries[2...]),
                    head: Position(number: 5, digest: digest(5))))
        #expect(
            try store.log(after: Position(number: 2, digest: digest(3)), limit: .max)
                == .historyUnknown)
        #expect(
            try store.log(after: Position(number: 9, digest: digest(9)), limit: .max)
                == .historyUnknown)
        #expect(
            try store.log(after: Position(number: 0, digest: digest(1)), limit: .max)
                == .historyUnknown)
    }

    @Test(arguments: Twin.allCases)
    func givesVersionsWithContent(_ twin: Twin) throws {
        let fixture = try AccountFixture(twin)
        _ = try fill(fixture.store)
        #expect(
            try fixture.store.storedVersion(id(11))
                == VersionMessage(
                    version: first, item: id(1), number: 1, author: alice,
                    moment: WallTime(milliseconds: 1000)))
        #expect(try fixture.store.storedVersion(id(12))?.version == second)
        #expect(try fixture.store.storedVersion(id(99)) == nil)
    }

    @Test(arguments: Twin.allCases)
    func listsVersionsWithoutInlineContent(_ twin: Twin) throws {
        let fixture = try AccountFixture(twin)
        _ = try fill(fixture.store)
        let versions = try fixture.store.versions(of: id(1))
        #expect(versions.map(\.version.id) == [id(11), id(12)])
        #expect(versions.map(\.version.content) == [first.content, .none])
        #expect(versions.map(\.author) == [alice, bob])
        #expect(versions.map(\.number) == [1, 2])
        #expect(try fixture.store.versions(of: id(99)) == [])
    }

    // MARK: Samples

    private var first: Version {
        Sample.version(11, content: .chunks([Sample.chunk(1), Sample.chunk(2)]))
    }

    private var second: Version {
        Sample.version(
            12, parents: [id(11)], content: .inline([UInt8](repeating: 3, count: 65_536)))
    }

    /// Five entries with every kind of effect.
    private func fill(_ store: any AccountStore) throws -> [LogEntry] {
        let states = [first, second].map { Sample.state(id(1), tag: 1, heads: [$0.id]) }
        try store.commit(Sample.accepted(1, states[0], first))
        try store.commit(Sample.accepted(2, by: bob, states[1], second))
        let moved = Sample.state(id(1), tag: 2, heads: [second.id])
        let register = Sample.register(20, value: [1, 2])
        let deletion = Sample.version(13, nature: .deletion)
        let trashed = Sample.state(id(2), tag: 3, standing: .trashed, heads: [deletion.id])
        let more = [
            Sample.entry(3, [.item(moved, introducing: nil), .alias(id(3), of: id(1))]),
            Sample.entry(4, by: bob, [.register(register)]),
            Sample.entry(
                5,
                [
                    .folderRemoved(
                        folder: id(2), deletion: deletion.id, survivors: [id(4), id(5)]),
                    .item(trashed, introducing: deletion), .register(register),
                ]),
        ]
        try store.commit([.item(moved), .alias(id(3), of: id(1)), .entry(more[0])])
        try store.commit([.register(register), .entry(more[1])])
        let record = VersionRecord(item: id(2), parents: [], nature: .deletion, number: 5)
        try store.commit([.version(deletion, record), .item(trashed), .entry(more[2])])
        return [
            Sample.entry(1, [.item(states[0], introducing: first)]),
            Sample.entry(2, by: bob, [.item(states[1], introducing: second)]),
        ] + more
    }
}
