import SyncCore
import SyncWire
import Testing

/// One type of the wire, with what the tests do to all of them.
struct Specimen: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Writes a value of this seed, expects to read the same, and gives the bytes.
    let roundTrip: @Sendable (UInt64) throws -> [UInt8]
    /// Reads any bytes.
    let read: @Sendable ([UInt8]) throws(WireError) -> Void

    init<Value: WireStructure & Equatable & Sendable>(
        _ name: String, _ make: @escaping @Sendable (inout RandomValues) -> Value
    ) {
        testDescription = name
        roundTrip = { seed in
            var values = RandomValues(seed: seed)
            let value = make(&values)
            let bytes = value.encoded()
            let read = try Value(decoding: bytes)
            #expect(read == value)
            return bytes
        }
        read = { bytes throws(WireError) in _ = try Value(decoding: bytes) }
    }

    static let all: [Specimen] =
        [
            Specimen("StoredContent") { $0.content() },
            Specimen("Version") { $0.version() },
            Specimen("Placement") { $0.placement() },
            Specimen("Position") { $0.position() },
            Specimen("RegisterKey") { $0.registerKey() },
            Specimen("KeyValueWrite") { $0.keyValueWrite() },
            Specimen("RegisterState") { $0.registerState() },
            Specimen("Operation.Body") { $0.body() },
            Specimen("Outcome") { $0.outcome() },
            Specimen("ItemState") { $0.itemState() },
            Specimen("Effect") { $0.effect() },
            Specimen("LogEntry") { $0.logEntry() },
            Specimen("FileStamp") { $0.stamp() },
            Specimen("NodeRecord") { $0.node() },
            Specimen("OutboxEntry") { $0.outboxEntry() },
            Specimen("RegisterRecord") { $0.register() },
            Specimen("ReplicaProgress") { $0.progress() },
            Specimen("OperationsMessage") { $0.operations() },
            Specimen("OperationsAnswer") { OperationsAnswer($0.requestAnswer()) },
            Specimen("PullMessage") {
                PullMessage(
                    after: $0.position(), limit: $0.number(), installed: $0.maybe { $0.number() })
            },
            Specimen("TrashRequest") { values in TrashRequest(after: values.maybe { $0.id() }) },
            Specimen("TrashList") { values in
                TrashList(values.list { $0.trashedItem() }, next: values.maybe { $0.id() })
            },
            Specimen("SnapshotRequest") { values in
                SnapshotRequest(landmarks: values.list { $0.position() })
            },
            Specimen("AccountSnapshot") { $0.snapshot() },
            Specimen("PullAnswer") { $0.pullAnswer() },
            Specimen("PushMessage") { $0.push() },
            Specimen("PositionMessage") { PositionMessage($0.position()) },
            Specimen("ChunkList") { values in ChunkList(values.list { $0.digest() }) },
            Specimen("ChunkBundle") { $0.bundle() },
            Specimen("VersionMessage") { $0.versionMessage() },
            Specimen("VersionList") { values in VersionList(values.list { $0.versionMessage() }) },
            Specimen("DeviceRequest") { $0.request() },
            Specimen("DeviceReply") { $0.reply() },
            Specimen("DeviceEvent") { $0.event() },
            Specimen("DeviceMessage") { $0.message() },
        ] + local
}
