import SyncCore
import SyncStore
import Testing

/// What every device store must do.
@Suite struct DeviceStoreTests {
    @Test(arguments: Twin.allCases)
    func startsEmpty(_ twin: Twin) throws {
        let fixture = try DeviceFixture(twin)
        #expect(try fixture.store.load() == ReplicaImage())
        #expect(try fixture.store.identity() == nil)
        #expect(try fixture.store.content(id(1)) == nil)
    }

    @Test(arguments: Twin.allCases)
    func loadsWhatWasCommitted(_ twin: Twin) throws {
        var fixture = try DeviceFixture(twin)
        let expected = full
        try fixture.store.commit(changes(of: expected))
        #expect(try fixture.store.load() == expected)
        try fixture.restart()
        #expect(try fixture.store.load() == expected)
    }

    @Test(arguments: Twin.allCases)
    func appliesInOrder(_ twin: Twin) throws {
        var fixture = try DeviceFixture(twin)
        let (one, two) = (Sample.node(id(1), version: id(8)), Sample.node(id(1), version: id(9)))
        try fixture.store.commit([
            .node(id(1), one), .node(id(1), nil), .node(id(1), two), .node(id(2), one),
            .node(id(2), nil), .alias(id(3), of: id(4)), .alias(id(3), of: id(5)),
        ])
        try fixture.restart()
        let image = try fixture.store.load()
        #expect(image.nodes == [id(1): two])
        #expect(image.aliases == [id(3): id(5)])
    }

    @Test(arguments: Twin.allCases)
    func keepsThePast(_ twin: Twin) throws {
        var fixture = try DeviceFixture(twin)
        let old = Ancestry(child: id(1), parents: [], number: 3)
        let new = Ancestry(child: id(2), parents: [id(1), id(7)], number: 9)
        let again = Ancestry(child: id(2), parents: [id(1)], number: 5)
        let landmarks = [1, 2, 3].map { Position(number: $0, digest: Digest(words: (0, 0, 0, $0))) }
        try fixture.store.commit(
            [.ancestry(old), .ancestry(new)] + landmarks.map { .landmark($0, isKept: true) })
        try fixture.store.commit([.landmark(landmarks[1], isKept: false)])
        try fixture.restart()
        #expect(try fixture.store.load().landmarks == [landmarks[0], landmarks[2]])
        #expect(Set(try fixture.store.ancestries(after: 0)) == [old, new])
        #expect(try fixture.store.ancestries(after: 3) == [new])
        try fixture.store.commit([.ancestryLost(after: 5)])
        #expect(try fixture.store.ancestries(after: 1_000_000) == [new.ofNoEntry])
        try fixture.store.commit([.ancestry(again)])
        #expect(try fixture.store.ancestries(after: 4) == [again])
    }

    @Test(arguments: Twin.allCases)
    func removes(_ twin: Twin) throws {
        var fixture = try DeviceFixture(twin)
        try fixture.store.commit(changes(of: full) + [.content(id(1), [1])])
        try fixture.store.commit([
            .node(id(1), nil), .alias(id(3), of: nil), .outbox(entry: 1, nil),
            .outbox(entry: 2, nil), .register(Sample.key(1), nil), .content(id(1), nil),
        ])
        try fixture.restart()
        var expected = ReplicaImage()
        expected.progress = full.progress
        #expect(try fixture.store.load() == expected)
        #expect(try fixture.store.content(id(1)) == nil)
    }

    @Test(arguments: Twin.allCases)
    func followsAnOutboxEntry(_ twin: Twin) throws {
        var fixture = try DeviceFixture(twin)
        var entry = try #require(full.outbox[1])
        entry.awaitsConfirmation = true
        for step in 0..<4 {
            if step == 1 {
                entry.isUploaded = true
                entry.awaitsConfirmation = false
            }
            if step == 2 {
                entry.number = UInt64(Int64.max)
                entry.restsOn = id(9)
                entry.wasSent = true
            }
            if step == 3 { entry.accepted = 12 }
            try fixture.store.commit([.outbox(entry: 1, entry)])
            try fixture.restart()
            #expect(try fixture.store.load().outbox == [1: entry])
        }
        entry.body = .move(item: id(1), placement: Sample.placement(3, in: .top, tag: 4))
        entry.number = nil
        try fixture.store.commit([.outbox(entry: 1, entry)])
        #expect(try fixture.store.load().outbox == [1: entry])
    }

    @Test(arguments: Twin.allCases)
    func keepsContents(_ twin: Twin) throws {
        var fixture = try DeviceFixture(twin)
        let large = [UInt8](repeating: 7, count: 65_536)
        try fixture.store.commit([.content(id(1), []), .content(id(2), large)])
        try fixture.restart()
        #expect(try fixture.store.content(id(1)) == [])
        #expect(try fixture.store.content(id(2)) == large)
        #expect(try fixture.store.content(id(3)) == nil)
    }

    @Test(arguments: Twin.allCases)
    func keepsIdentityAndSettings(_ twin: Twin) throws {
        var fixture = try DeviceFixture(twin)
        var identity = Sample.identity
        try fixture.store.setIdentity(identity, clearing: false)
        try fixture.store.setSetting("a", [1, 2])
        try fixture.store.setSetting("b", [])
        try fixture.store.setSetting("c", [3])
        try fixture.store.setSetting("c", nil)
        try fixture.restart()
        #expect(try fixture.store.identity() == identity)
        #expect(try fixture.store.setting("a") == [1, 2])
        #expect(try fixture.store.setting("b") == [])
        #expect(try fixture.store.setting("c") == nil)
        identity.token = nil
        try fixture.store.setIdentity(identity, clearing: false)
        try fixture.restart()
        #expect(try fixture.store.identity() == identity)
    }

    @Test(arguments: Twin.allCases)
    func forgetsTheTreesOfAnotherAccount(_ twin: Twin) throws {
        var fixture = try DeviceFixture(twin)
        try fixture.store.commit(changes(of: full) + [.content(id(1), [1])])
        try fixture.store.setIdentity(Sample.identity, clearing: false)
        #expect(try fixture.store.load() == full)
        try fixture.store.setIdentity(Sample.identity, clearing: true)
        try fixture.restart()
        #expect(try fixture.store.load() == ReplicaImage())
        #expect(try fixture.store.content(id(1)) == nil)
        #expect(try fixture.store.identity() == Sample.identity)
    }

    @Test func memoryForgetsWhatWasNotCommitted() throws {
        let store = MemoryDeviceStore()
        try store.commit([.alias(id(1), of: id(2))])
        store.stage([.alias(id(3), of: id(4))])
        store.crash()
        try store.commit([.alias(id(5), of: id(6))])
        #expect(try store.load().aliases == [id(1): id(2), id(5): id(6)])
    }

    @Test func memoryFailsWholly() throws {
        let store = MemoryDeviceStore()
        store.fault = .diskFull
        #expect(throws: StoreError.diskFull) { try store.commit([.alias(id(1), of: id(2))]) }
        store.fault = nil
        try store.commit([])
        #expect(try store.load() == ReplicaImage())
    }

    // MARK: Samples

    private var full: ReplicaImage {
        var image = ReplicaImage()
        image.progress = ReplicaProgress(
            incarnation: Incarnation(.max), lastNumber: 3, lastEntry: 4,
            cursor: Position(number: 9, digest: digest(9)), hasPulled: true)
        image.nodes = [id(1): Sample.node(id(1), version: id(8))]
        image.aliases = [id(3): id(4)]
        let edit = Sample.version(6, parents: [id(5)], content: .inline([1, 2, 3]))
        image.outbox = [
            1: OutboxEntry(
                body: .edit(item: id(1), version: edit), made: WallTime(milliseconds: -1)),
            2: OutboxEntry(
                body: .removeFolder(
                    FolderRemoval(
                        folder: id(1), version: Sample.version(7, nature: .deletion),
                        installed: 3, beyond: [id(1)])),
                made: WallTime(milliseconds: 5), number: 3, isUploaded: true, accepted: 4,
                awaitsConfirmation: true, restsOn: id(7), wasSent: true),
        ]
        image.registers = [
            Sample.key(1): RegisterRecord(
                store: [1], key: [2], remote: Sample.register(3, value: nil),
                pending: RegisterRecord.PendingWrite(id: id(4), value: [5], entry: 6),
                refusal: .overLimit)
        ]
        return image
    }

    private func changes(of image: ReplicaImage) -> [ReplicaChange] {
        var changes: [ReplicaChange] = []
        if let progress = image.progress { changes.append(.progress(progress)) }
        changes += image.nodes.map { .node($0, $1) }
        changes += image.aliases.map { .alias($0, of: $1) }
        changes += image.outbox.map { .outbox(entry: $0, $1) }
        changes += image.registers.map { .register($0, $1) }
        return changes
    }
}
