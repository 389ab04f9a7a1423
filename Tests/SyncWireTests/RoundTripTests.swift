import SyncCore
import SyncWire
import Testing

@Suite struct RoundTripTests {
    @Test(arguments: Specimen.all)
    func whatIsWrittenIsRead(specimen: Specimen) throws {
        for seed in 0..<50 { _ = try specimen.roundTrip(UInt64(seed)) }
    }

    @Test(arguments: Specimen.all)
    func truncatedBytesAreRefusedOrRead(specimen: Specimen) throws {
        for seed: UInt64 in [1, 2, 3] {
            let bytes = try specimen.roundTrip(seed)
            for count in bytes.indices { try? specimen.read(Array(bytes[..<count])) }
        }
    }

    @Test(arguments: Specimen.all)
    func changedBytesAreRefusedOrRead(specimen: Specimen) throws {
        var values = RandomValues(seed: 7)
        for seed: UInt64 in 0..<20 {
            let bytes = try specimen.roundTrip(seed)
            guard !bytes.isEmpty else { continue }
            for _ in 0..<20 {
                var changed = bytes
                changed[Int.random(in: bytes.indices, using: &values)] = UInt8.random(
                    in: 0...255, using: &values)
                try? specimen.read(changed)
            }
        }
    }

    @Test(arguments: Specimen.all)
    func randomBytesAreRefusedOrRead(specimen: Specimen) {
        var values = RandomValues(seed: 11)
        for _ in 0..<300 { try? specimen.read(values.bytes(80)) }
    }

    @Test(arguments: Specimen.all)
    func theSameValueGivesTheSameBytes(specimen: Specimen) throws {
        #expect(try specimen.roundTrip(5) == specimen.roundTrip(5))
    }

    @Test func factsKeepTheirLayout() {
        var values = RandomValues(seed: 3)
        for _ in 0..<100 {
            let facts = values.facts()
            #expect(facts.bytes.count == 55)
            #expect(VersionFacts(bytes: facts.bytes) == facts)
            #expect(VersionFacts(bytes: facts.bytes + [1, 2, 3]) == facts)
            #expect(VersionFacts(bytes: [2] + facts.bytes.dropFirst()) == nil)
            #expect(VersionFacts(bytes: facts.bytes.dropLast()) == nil)
        }
    }

    @Test func anEntryOfANoteIsLittleMoreThanTheNote() {
        var values = RandomValues(seed: 4)
        let version = Version(
            id: values.id(), parents: [values.id()], nature: .edit, facts: values.facts().bytes,
            content: .inline([UInt8](repeating: 65, count: 1024)))
        let state = ItemState(
            id: values.id(), kind: .file, standing: .placed,
            placement: Placement(
                id: values.id(), replaces: nil, folder: values.id(), tag: values.id(),
                name: Array("Shopping list.md".utf8)),
            heads: [Head(version: version.id, hasContent: true)], changed: 123_456)
        let entry = LogEntry(
            position: Position(number: 123_456, digest: values.digest()), author: values.id(),
            incarnation: Incarnation(values.next()), operation: 1000,
            moment: WallTime(milliseconds: 1_790_000_000_000),
            effects: [.item(state, introducing: version)])
        #expect(entry.encoded().count < 1024 + 360)
    }
}

extension VersionFacts {
    fileprivate init?(bytes: ArraySlice<UInt8>) { self.init(bytes: Array(bytes)) }
}
