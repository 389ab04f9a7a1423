import SyncCore
import SyncWire

private func id<Subject>(_ number: UInt64) -> Identifier<Subject> {
    Identifier(high: 0x0102_0304_0506_0708, low: number)
}

private let path = Array("box/Documents/a".utf8)
private let moment = WallTime(milliseconds: 1_790_000_000_123)
private let row = ItemRow(
    item: id(1), path: path, kind: .package, size: 9,
    modified: FileTime(seconds: 5, nanoseconds: 6), state: .uploading, hasConflicts: true,
    version: id(2))
private let version = VersionRow(
    version: id(2), device: id(3), deviceName: "laptop",
    modified: FileTime(seconds: 5, nanoseconds: 6), accepted: moment, size: 9, isCurrent: true,
    isConflict: true, isDeletion: true, isHere: true)
private let stuck = StuckRow(path: path, code: "space", reason: "The disk is full.", next: moment)
private let status = DeviceStatus(
    state: .stuck,
    account: DeviceStatus.Account(
        id: id(4), name: "anna", device: id(3), deviceName: "laptop", server: "https://cloud"),
    number: 300, outbox: 2, downloads: 3, conflicts: 4, stuck: [stuck], programVersion: "1.0")

private let calls: [DeviceCall] = [
    .status, .wait(milliseconds: 60_000), .items(path: path, .all),
    .content(path: path, version: id(2), offset: 9), .conflicts, .versions(path: path),
    .resolve(path: path, keep: id(2), both: true, among: []), .value(store: [1], key: [2]),
    .setValue(store: [1], key: [2], value: [3]), .values(store: [1]), .why(path: path),
    .openContainer(id: Array("box".utf8)), .noteRead(path: path, version: id(2)),
    .watchItems(path: path), .watchValues(store: [1]), .watchStatus, .cancel(request: 5),
    .accountChanged,
]

private let bodies: [DeviceMessage.Body] = [
    .reply(.done), .reply(.status(status)),
    .reply(.waited(WaitReport(isInSync: true, number: 300, missing: [stuck]))),
    .part(.items([row])), .reply(.content(ContentPart(bytes: [1, 2], size: 11, version: id(2)))),
    .reply(.conflicts([ConflictRow(path: path, item: id(1), heads: [version])])),
    .reply(.versions([version])), .reply(.value(nil)), .reply(.value([])),
    .reply(.values([KeyValueRow(key: [2], value: [3])])),
    .reply(
        .explanation(
            Explanation(
                path: path, code: "uploading", sentences: ["It is on its way."], item: row,
                next: moment))),
    .reply(.folder(path)), .failure(DeviceFailure(.notFound, "No such file.")),
    .event(.items(changed: [row], removed: [RemovedItem(item: id(1), path: path)])),
    .event(.values(store: [1], keys: [[2], [3]], .initialSyncChange)), .event(.status(status)),
]

extension ReleasedSample {
    static let requests: [ReleasedSample] = calls.enumerated().map { index, call in
        ReleasedSample("call\(index + 1)", DeviceRequest(id: UInt64(index), call: call))
    }

    static let messages: [ReleasedSample] = bodies.enumerated().map { index, body in
        ReleasedSample("message\(index + 1)", DeviceMessage(request: UInt64(index), body: body))
    }
}
