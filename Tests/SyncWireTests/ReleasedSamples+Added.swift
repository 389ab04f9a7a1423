import SyncCore
import SyncWire

// What the first release reads and writes beside the samples of 1.0, which are older.

private func id<Subject>(_ number: UInt64) -> Identifier<Subject> {
    Identifier(high: 0x0102_0304_0506_0708, low: number)
}

private let path = Array("box/Documents/a".utf8)
private let moment = WallTime(milliseconds: 1_790_000_000_123)
private let digest = Digest(words: (1, 2, 3, .max))
private let position = Position(number: 300, digest: digest)
private let facts = VersionFacts(
    digest: digest, size: 5, mode: 0o600, modified: FileTime(seconds: -2, nanoseconds: 1))
private let version = Version(
    id: id(1), parents: [id(2)], nature: .edit, facts: facts.bytes, content: .inline([]))
private let collected = VersionMessage(
    version: Version(
        id: id(3), parents: [], nature: .edit, facts: facts.bytes, content: .none),
    item: id(14), number: 299, author: id(15), moment: moment, isCollected: true)
private let item = ItemState(
    id: id(14), kind: .package, standing: .trashed,
    placement: Placement(id: id(6), replaces: nil, folder: id(8), tag: id(9), name: [0x61]),
    heads: [Head(version: id(5), hasContent: false)], changed: 299)
private let restoration = Operation.Body.restoreFolder(
    FolderRestoration(folder: id(17), deletion: id(5), version: version))
private let row = ItemRow(
    item: id(1), path: path, kind: .file, size: 9,
    modified: FileTime(seconds: 5, nanoseconds: 6), state: .current, hasConflicts: false,
    version: id(2))
private let hidden: Name = {
    guard let name = Name(".a.icloud") else { preconditionFailure("it is a name") }
    return name
}()
private let stamp = FileStamp(
    identity: FileIdentity(device: 1, inode: 2, birth: FileTime(seconds: 3, nanoseconds: 4)),
    size: 100, mode: 0o400, modified: FileTime(seconds: -2, nanoseconds: 1),
    changed: FileTime(seconds: 5, nanoseconds: 6), links: 1, isRacy: false)
private let removed = RemovedItem(item: id(1), path: path)

private let calls: [DeviceCall] = [
    .find(
        ItemSearch(
            path: path, condition: Array("kMDItemFSSize > 3".utf8),
            containers: Array("/box".utf8), isLive: true)),
    .trash, .restoreItem(id(1)), .restoreVersion(path: path, id(2)), .confirm(isMeant: true),
    .confirm(isMeant: false), .noteTold(path: path, [id(2), id(3)]),
    .resolve(path: path, keep: id(2), both: false, among: [id(2), id(3)]),
    .setResidence(path: path, .atServer), .keepFree(bytes: 1 << 30),
    .limit(up: 500_000, down: 0),
]

private let bodies: [DeviceMessage.Body] = [
    .reply(.found(FoundItems(rows: [row], visited: 12))),
    .part(
        .trash([
            TrashRow(
                item: id(1), kind: .folder, path: path, deleted: moment, device: id(3),
                deviceName: "laptop", isUnplaced: true)
        ])),
    .event(
        .found(FoundChanges(added: [row], changed: [row], left: [row], removed: [removed]))),
    .reply(
        .versions([
            VersionRow(
                version: id(2), device: nil, deviceName: "",
                modified: FileTime(seconds: 0, nanoseconds: 0),
                accepted: nil, size: 9, isCurrent: false, isConflict: false, isDeletion: false,
                isHere: false,
                isExpired: true)
        ])),
    .failure(DeviceFailure(.expired, "It is not kept any more.")),
]

extension ReleasedSample {
    static let added: [ReleasedSample] =
        [
            ReleasedSample(
                "operations-restore",
                OperationsMessage(
                    incarnation: Incarnation(77),
                    operations: [
                        CarriedOperation(Operation(number: 6, age: 0, body: restoration))
                    ], installed: 298)),
            ReleasedSample(
                "pull-installed", PullMessage(after: position, limit: 9, installed: 298)),
            ReleasedSample("version-collected", collected),
            ReleasedSample(
                "bundle",
                ChunkBundle(
                    [
                        ChunkReference(id: Digest(words: (7, 2, 3, .max)), size: 2),
                        ChunkReference(id: Digest(words: (8, 2, 3, .max)), size: 1),
                    ], bytes: [1, 2, 3])),
            ReleasedSample("trashRequest", TrashRequest(after: id(14))),
            ReleasedSample(
                "trash",
                TrashList(
                    [TrashedItem(state: item, author: id(15), moment: moment)], next: id(14))),
            ReleasedSample(
                "node-conflict",
                NodeRecord(
                    kind: .link, remote: item, versions: [], base: nil, installing: nil,
                    conflict: [id(1), id(2)], heldWhenEmptied: 7)),
            ReleasedSample(
                "node-evicted",
                NodeRecord(
                    kind: .file, remote: item, versions: [],
                    base: BaseState(
                        slot: Slot(folder: id(8), name: hidden), placement: id(6), version: id(1),
                        facts: facts, stamp: stamp, lastRead: id(2), isParked: false,
                        isAside: true, placeholder: digest),
                    installing: nil, residence: .evicted, lost: id(1))),
            ReleasedSample(
                "outbox-waiting",
                OutboxEntry(
                    body: restoration, made: moment, number: nil, isUploaded: false,
                    accepted: nil, awaitsConfirmation: true)),
            ReleasedSample(
                "progress-installed",
                ReplicaProgress(
                    incarnation: Incarnation(77), lastNumber: 9, lastEntry: 12, cursor: position,
                    hasPulled: true, installed: 298)),
        ]
        + calls.enumerated().map { index, call in
            ReleasedSample("call-added\(index + 1)", DeviceRequest(id: UInt64(index), call: call))
        }
        + bodies.enumerated().map { index, body in
            ReleasedSample(
                "message-added\(index + 1)", DeviceMessage(request: UInt64(index), body: body))
        }
}
