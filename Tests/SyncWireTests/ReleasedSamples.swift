import SyncCore
import SyncWire
import Testing

/// A value whose bytes a released version wrote.
struct ReleasedSample: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// What this version writes.
    let bytes: [UInt8]
    /// Whether this version reads the value from the bytes.
    let isRead: @Sendable ([UInt8]) throws(WireError) -> Bool

    init<Value: WireStructure & Equatable & Sendable>(_ name: String, _ value: Value) {
        testDescription = name
        bytes = value.encoded()
        isRead = { bytes throws(WireError) in try Value(decoding: bytes) == value }
    }
}

// MARK: The values

private func id<Subject>(_ number: UInt64) -> Identifier<Subject> {
    Identifier(high: 0x0102_0304_0506_0708, low: number)
}

private func digest(_ number: UInt64) -> Digest { Digest(words: (number, 2, 3, .max)) }

private let position = Position(number: 300, digest: digest(1))
private let moment = WallTime(milliseconds: 1_790_000_000_123)
private let before1970 = FileTime(seconds: -2, nanoseconds: 999_999_999)
private let facts = VersionFacts(digest: digest(5), size: 5, mode: 0o644, modified: before1970)
private let version = Version(
    id: id(1), parents: [id(2), id(3)], nature: .edit, facts: facts.bytes,
    content: .inline(Array("hello".utf8)))
private let chunked = Version(
    id: id(4), parents: [], nature: .settlement, facts: [9],
    content: .chunks([
        ChunkReference(id: digest(7), size: 300), ChunkReference(id: digest(8), size: 1),
    ]))
private let deletion = Version(
    id: id(5), parents: [id(4)], nature: .deletion, facts: [], content: .none)
private let placement = Placement(
    id: id(6), replaces: id(7), folder: id(8), tag: id(9), name: [0x61, 0xFF])
private let register = RegisterKey(store: id(10), key: id(11))
private let write = KeyValueWrite(
    id: id(12), register: register, name: [1, 2], value: [], replaces: id(13),
    beforeFirstPull: true)
private let registerState = RegisterState(
    register: register, name: [1, 2], write: id(12), value: [3], stamp: moment)
private let item = ItemState(
    id: id(14), kind: .file, standing: .placed, placement: placement,
    heads: [Head(version: id(1), hasContent: true), Head(version: id(5), hasContent: false)],
    changed: 299)
private let entry = LogEntry(
    position: position, author: id(15), incarnation: Incarnation(77), operation: 4,
    moment: moment,
    effects: [
        .item(item, introducing: version), .alias(id(16), of: id(14)),
        .folderRemoved(folder: id(17), deletion: id(5), survivors: [id(18)]),
        .register(registerState),
    ])
private let bodies: [Operation.Body] = [
    .create(item: id(14), kind: .file, placement: placement, version: version),
    .edit(item: id(14), version: chunked),
    .move(item: id(14), placement: placement),
    .removeFolder(
        FolderRemoval(folder: id(17), version: deletion, installed: 298, beyond: [id(1)])),
    .write(write),
]
private let stamp = FileStamp(
    identity: FileIdentity(device: 1, inode: 2, birth: before1970), size: 5, mode: 0o644,
    modified: before1970, changed: before1970, links: 1, isRacy: true)
private let base = BaseState(
    slot: Slot(folder: id(8), name: Name("a")!), placement: id(6), version: id(1), facts: facts,
    stamp: stamp, lastRead: id(2), isParked: true)
private let known = KnownVersion(
    id: id(1), parents: [id(2)], facts: facts, chunks: [ChunkReference(id: digest(7), size: 300)],
    author: id(15), moment: moment)

extension ReleasedSample {
    static let sync: [ReleasedSample] = [
        ReleasedSample(
            "operations",
            OperationsMessage(
                incarnation: Incarnation(77),
                operations: bodies.enumerated().map { index, body in
                    CarriedOperation(
                        Operation(number: UInt64(index) + 1, age: 1000, body: body))
                })),
        ReleasedSample(
            "outcomes",
            OperationsAnswer(
                .outcomes([.accepted(number: 300), .refused(.staleParents)]))),
        ReleasedSample("gap", OperationsAnswer(.numberGap(last: 3))),
        ReleasedSample("incarnation", OperationsAnswer(.otherIncarnationNeeded)),
        ReleasedSample("pull", PullMessage(after: .start, limit: 1 << 20)),
        ReleasedSample(
            "entries", PullAnswer.entries(after: .start, [entry], head: position)),
        ReleasedSample("historyUnknown", PullAnswer.historyUnknown),
        ReleasedSample(
            "push", PushMessage(after: .start, entries: [entry], head: position)),
        ReleasedSample("position", PositionMessage(position)),
        ReleasedSample("chunks", ChunkList([digest(7), digest(8)])),
        ReleasedSample(
            "versions",
            VersionList([
                VersionMessage(
                    version: chunked, item: id(14), number: 299, author: id(15), moment: moment)
            ])),
    ]

    static let rows: [ReleasedSample] = [
        ReleasedSample(
            "node",
            NodeRecord(
                kind: .file, remote: item, versions: [known], base: base, installing: id(1))),
        ReleasedSample(
            "outbox",
            OutboxEntry(
                body: bodies[0], made: moment, number: 9, isUploaded: true, accepted: 300)),
        ReleasedSample(
            "register",
            RegisterRecord(
                store: [1], key: [2], remote: registerState,
                pending: RegisterRecord.PendingWrite(id: id(12), value: [4], entry: 6),
                refusal: .overLimit)),
        ReleasedSample(
            "progress",
            ReplicaProgress(
                incarnation: Incarnation(77), lastNumber: 9, lastEntry: 12, cursor: position,
                hasPulled: true)),
    ]
}
