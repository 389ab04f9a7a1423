import SyncCore
import SyncWire
import Testing

/// What older and newer programs do with each other's bytes.
@Suite struct ToleranceTests {
    @Test func fieldsOfALaterVersionAreSkipped() throws {
        var values = RandomValues(seed: 1)
        let placement = values.placement()
        var writer = ByteWriter()
        writer.field(90, 17 as UInt64)
        placement.write(to: &writer)
        writer.field(91, [1, 2, 3] as [UInt8])
        #expect(try Placement(decoding: writer.bytes) == placement)
    }

    @Test func fieldsComeInAnyOrderAndTheLastOfTwoCounts() throws {
        var values = RandomValues(seed: 3)
        let version = values.version()
        let item: ItemID = values.id()
        let moment: Int64 = -5
        var writer = ByteWriter()
        writer.append(1)
        writer.field(5, signed: moment)
        writer.field(3, 1 as UInt64)
        writer.field(4, item)
        writer.field(1, version)
        writer.field(2, item)
        writer.field(3, 9 as UInt64)
        let read = try VersionMessage(message: writer.bytes)
        #expect(read.version == version && read.item == item)
        #expect(read.number == 9, "of a field that comes twice, the last")
        #expect(read.moment.milliseconds == moment)
    }

    /// What an older program writes has none of the fields that were added since.
    @Test func fieldsThatWereAddedLaterMayBeMissing() throws {
        var values = RandomValues(seed: 4)
        let position = values.position()
        var pull = ByteWriter()
        pull.append(1)
        pull.field(1, position)
        pull.field(2, 7 as UInt64)
        #expect(try PullMessage(message: pull.bytes) == PullMessage(after: position, limit: 7))
        var operations = ByteWriter()
        operations.append(1)
        operations.field(1, 3 as UInt64)
        let read = try OperationsMessage(message: operations.bytes)
        #expect(read.installed == nil && read.cursor == nil)
    }

    @Test(arguments: [7, 8, 9] as [UInt64])
    func contentOfALaterKindIsNotTakenForNone(field: UInt64) {
        var values = RandomValues(seed: 5)
        let version = Version(
            id: values.id(), parents: [], nature: .edit, facts: [1], content: .none)
        var writer = ByteWriter()
        version.write(to: &writer)
        writer.field(field, [1, 2] as [UInt8])
        let bytes = writer.bytes
        let error = #expect(throws: WireError.self) { try Version(decoding: bytes) }
        #expect(error?.problem == .unknownCase(field: field))
    }

    @Test func factsOfAnotherLayoutAreNone() {
        var values = RandomValues(seed: 6)
        let facts = values.facts()
        #expect(VersionFacts(bytes: facts.bytes + [1, 2, 3]) == facts, "more was added later")
        #expect(VersionFacts(bytes: [2] + facts.bytes.dropFirst()) == nil)
        #expect(VersionFacts(bytes: Array(facts.bytes.dropLast())) == nil)
        let second: [UInt8] = [0x3B, 0x9A, 0xCA, 0x00]
        #expect(VersionFacts(bytes: facts.bytes.dropLast(4) + second) == nil)
    }

    @Test func anOperationIsHandedOutWithTheBytesThatCarriedIt() throws {
        var values = RandomValues(seed: 2)
        let version = values.version()
        let item: ItemID = values.id()
        var body = ByteWriter()
        body.structure(2) { writer in
            writer.field(1, item)
            writer.field(2, version)
            writer.field(77, 5 as UInt64)
        }
        var message = ByteWriter()
        message.append(1)
        message.field(1, 9 as UInt64)
        message.structure(2) { writer in
            writer.field(1, 4 as UInt64)
            writer.field(2, 0 as UInt64)
            writer.field(3, body.bytes)
        }
        let read = try OperationsMessage(message: message.bytes)
        #expect(read.operations.map(\.body) == [body.bytes])
        #expect(read.operations.map(\.operation.body) == [.edit(item: item, version: version)])
        #expect(read.message() == message.bytes)
    }

    @Test func casesOfALaterVersionAskForAnUpdate() throws {
        var writer = ByteWriter()
        writer.structure(60) { $0.field(1, 1 as UInt64) }
        let bytes = writer.bytes
        for error in [
            #expect(throws: WireError.self) { try Effect(decoding: bytes) },
            #expect(throws: WireError.self) { try Operation.Body(decoding: bytes) },
            #expect(throws: WireError.self) { try Outcome(decoding: bytes) },
            #expect(throws: WireError.self) { try StoredContent(decoding: bytes) },
        ] {
            #expect(error?.needsNewerReader == true)
            #expect(error?.problem == .unknownCase(field: 60))
        }
    }

    @Test(arguments: [0, 2, 4, 1 << 31] as [UInt32])
    func aBundleHasTheBytesThatItSays(_ size: UInt32) {
        let chunk = ChunkReference(id: Digest(words: (1, 2, 3, 4)), size: size)
        let bytes = ChunkBundle([chunk], bytes: [1, 2, 3]).message()
        let error = #expect(throws: WireError.self) { try ChunkBundle(message: bytes) }
        #expect(error?.problem == .wrongBytes(field: 2))
    }

    @Test func anotherFormatIsSaidToBeOne() {
        let error = #expect(throws: WireError.self) { try ChunkList(message: [2, 0, 0]) }
        #expect(error?.problem == .unsupportedVersion(2))
    }

    @Test func countsBeyondTheBytesAreRefusedBeforeAnythingIsReserved() {
        var writer = ByteWriter()
        writer.append(varint: 1 << 1 | 1)
        writer.append(varint: .max)
        let error = #expect(throws: WireError.self) { try ChunkList(decoding: writer.bytes) }
        #expect(error?.problem == .truncated)
    }

    @Test func numbersOverSixtyFourBitsAreRefused() throws {
        let error = #expect(throws: WireError.self) {
            var reader = ByteReader([UInt8](repeating: 0xFF, count: 9) + [2])
            _ = try reader.varint()
        }
        #expect(error?.problem == .overlongNumber)
        var largest = ByteReader([UInt8](repeating: 0xFF, count: 9) + [1])
        let value = try largest.varint()
        #expect(value == .max)
    }

    @Test func callsAndEventsOfALaterVersionAreKnownToBeUnknown() throws {
        let request = DeviceRequest(id: 3, call: .unknown(900))
        #expect(try DeviceRequest(message: request.message()) == request)

        var event = ByteWriter()
        event.append(1)
        event.field(1, 3 as UInt64)
        event.structure(5) { writer in writer.structure(40) { $0.field(1, 1 as UInt64) } }
        #expect(try DeviceMessage(message: event.bytes).body == .unknown(5))
    }

    @Test func whatIsMissingIsNamed() {
        let error = #expect(throws: WireError.self) { try Position(decoding: [2, 7]) }
        #expect(error?.problem == .missing(field: 2))
        #expect(error?.description == "expected field 2, at byte 2")
    }
}
