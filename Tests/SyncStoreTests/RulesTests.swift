import SyncCore
import SyncStore
import Testing

/// The server's rules decide the same on both twins, and the log they make is whole.
@Suite struct RulesTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func decideAlike(seed: UInt64) throws {
        let memory = try AccountFixture(.memory).store
        let fixture = try AccountFixture(.sqlite)
        var requests = RandomRequests(seed: seed)
        var entries: [LogEntry] = []
        var accepted = 0
        for _ in 0..<80 {
            let (request, sender) = requests.next()
            let expected = try perform(request, sender, on: memory)
            #expect(try perform(request, sender, on: fixture.store) == expected)
            entries += expected.entries
            if case .outcomes(let outcomes) = expected.answer { accepted += outcomes.count }
        }
        #expect(accepted > 80)
        #expect(entries.count > 60)
        #expect(try fixture.store.entries(after: 0, limit: .max, to: nil) == entries)
        #expect(try memory.entries(after: 0, limit: .max, to: nil) == entries)
        #expect(try fixture.store.usage() == memory.usage())
        #expect(try fixture.database?.check() == [])
    }

    private func perform(
        _ request: OperationRequest, _ sender: Sender, on store: any AccountStore
    ) throws -> Decision {
        try store.begin()
        let decision = try decide(request, sender, store)
        try store.apply(decision.changes)
        try store.commit()
        return decision
    }

    private func decide(
        _ request: OperationRequest, _ sender: Sender, _ store: some AccountStore
    ) throws -> Decision {
        try Authority().decide(request, from: sender, reading: store)
    }
}

/// Requests of two devices that touch few items, names and keys, so that they meet.
private struct RandomRequests {
    private var random: Random
    private var counter: UInt64 = 100
    private var numbers: [DeviceID: UInt64] = [:]
    private var versions: [VersionID] = []
    private var places: [PlaceID] = []

    init(seed: UInt64) { random = Random(state: seed) }

    mutating func next() -> (OperationRequest, Sender) {
        counter += 1
        let device = random.below(2) == 0 ? alice : bob
        var operations: [ReceivedOperation] = []
        for _ in 0...random.below(3) {
            let number = (numbers[device] ?? 0) + 1
            numbers[device] = number
            operations.append(
                ReceivedOperation(
                    operation: Operation(number: number, age: random.below(9), body: body()),
                    hash: digest(number)))
        }
        let sender = Sender(
            device: device, now: WallTime(milliseconds: Int64(counter) * 10),
            lastContact: WallTime(milliseconds: 0), hash: { SHA256.hash($0) })
        return (
            OperationRequest(incarnation: Incarnation(device.low), operations: operations), sender
        )
    }

    private mutating func body() -> Operation.Body {
        counter += 1
        let item: ItemID = id(random.below(8) + 1)
        switch random.below(6) {
        case 0:
            return .create(
                item: item, kind: random.below(4) == 0 ? .folder : .file,
                placement: placement(isFirst: true),
                version: version(.edit))
        case 1, 2: return .edit(item: item, version: version(.edit))
        case 3: return .edit(item: item, version: version(.deletion))
        case 4: return .move(item: item, placement: placement(isFirst: false))
        default: return .write(write())
        }
    }

    private mutating func version(_ nature: Version.Nature) -> Version {
        let parents = versions.isEmpty ? [] : [versions[Int(random.below(UInt64(versions.count)))]]
        let version = Sample.version(
            counter, parents: parents, nature: nature,
            content: nature == .deletion ? .none : .inline([UInt8(random.below(9))]))
        versions = versions.suffix(5) + [version.id]
        return version
    }

    private mutating func placement(isFirst: Bool) -> Placement {
        let replaces =
            places.isEmpty || isFirst ? nil : places[Int(random.below(UInt64(places.count)))]
        let placement = Placement(
            id: id(counter), replaces: replaces,
            folder: random.below(3) == 0 ? id(random.below(8) + 1) : .top,
            tag: id(random.below(4)), name: [1])
        places = places.suffix(5) + [placement.id]
        return placement
    }

    private mutating func write() -> KeyValueWrite {
        KeyValueWrite(
            id: id(counter), register: Sample.key(random.below(3)), name: [1],
            value: random.below(3) == 0 ? nil : [UInt8](repeating: 2, count: Int(random.below(9))),
            replaces: nil, beforeFirstPull: random.below(4) == 0)
    }
}
