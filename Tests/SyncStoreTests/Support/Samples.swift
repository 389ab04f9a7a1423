import SyncCore
import SyncStore

/// An id that a test can write as a number.
func id<Subject>(_ number: UInt64) -> Identifier<Subject> {
    Identifier(high: 0x1122_3344_5566_7788, low: number)
}

func digest(_ number: UInt64) -> Digest { Digest(words: (1, 2, 3, number)) }

let alice: DeviceID = id(1)
let bob: DeviceID = id(2)

enum Sample {
    static func facts(_ number: UInt64 = 1) -> VersionFacts {
        VersionFacts(
            digest: digest(number), size: number, mode: 0o644,
            modified: FileTime(seconds: -5, nanoseconds: 999_999_999))
    }

    static func placement(_ number: UInt64, in folder: ItemID, tag: UInt64) -> Placement {
        Placement(
            id: id(number), replaces: nil, folder: folder, tag: id(tag),
            name: Array("name \(tag)".utf8))
    }

    static func version(
        _ number: UInt64, parents: [VersionID] = [], nature: Version.Nature = .edit,
        content: StoredContent = .none
    ) -> Version {
        Version(
            id: id(number), parents: parents, nature: nature, facts: facts(number).bytes,
            content: content)
    }

    static func state(
        _ item: ItemID, in folder: ItemID = .top, tag: UInt64, standing: Standing = .placed,
        heads: [VersionID]
    ) -> ItemState {
        ItemState(
            id: item, kind: .file, standing: standing,
            placement: placement(item.low + 500, in: folder, tag: tag),
            heads: heads.map { Head(version: $0, hasContent: standing != .trashed) }, changed: 1)
    }

    static func stamp(_ number: UInt64) -> FileStamp {
        FileStamp(
            identity: FileIdentity(
                device: 7, inode: number, birth: FileTime(seconds: 1, nanoseconds: 2)),
            size: number, mode: 0o755, modified: FileTime(seconds: 3, nanoseconds: 4),
            changed: FileTime(seconds: 5, nanoseconds: 6), links: 1, isRacy: true)
    }

    static func node(_ item: ItemID, version: VersionID) -> NodeRecord {
        NodeRecord(
            kind: .file, remote: state(item, tag: item.low, heads: [version]),
            versions: [
                KnownVersion(
                    id: version, parents: [id(90), id(91)], facts: facts(), chunks: [chunk(1)],
                    author: bob, moment: WallTime(milliseconds: -3))
            ],
            base: BaseState(
                slot: Slot(folder: .top, name: Name([0xFF, 0x41])!), placement: id(4),
                version: version, facts: facts(2), stamp: stamp(item.low), lastRead: nil,
                isParked: true),
            installing: id(77))
    }

    static func chunk(_ number: UInt64) -> ChunkReference {
        ChunkReference(id: digest(number), size: UInt32(number))
    }

    static func register(_ number: UInt64, value: [UInt8]?) -> RegisterState {
        RegisterState(
            register: key(1), name: [1, 2], write: id(number), value: value,
            stamp: WallTime(milliseconds: Int64(number)))
    }

    static func key(_ number: UInt64) -> RegisterKey {
        RegisterKey(store: id(1), key: id(number))
    }

    static func entry(_ number: UInt64, by device: DeviceID = alice, _ effects: [Effect])
        -> LogEntry
    {
        LogEntry(
            position: Position(number: number, digest: digest(number)), author: device,
            incarnation: Incarnation(.max), operation: number,
            moment: WallTime(milliseconds: Int64(number) * 1000), effects: effects)
    }

    static var identity: DeviceIdentity {
        DeviceIdentity(
            server: "http://127.0.0.1:8420", account: id(5), accountName: "anna",
            device: alice, deviceName: "laptop", identityKey: Array(0..<32), token: "abc")
    }

    /// What the rules write for one accepted edit or creation.
    static func accepted(
        _ number: UInt64, by device: DeviceID = alice, _ state: ItemState, _ version: Version
    ) -> [AccountChange] {
        [
            .item(state),
            .version(
                version,
                VersionRecord(
                    item: state.id, parents: version.parents, nature: version.nature,
                    number: number)),
            .entry(entry(number, by: device, [.item(state, introducing: version)])),
            .answer(
                Incarnation(.max), device: device, number: number,
                StoredAnswer(hash: digest(number), outcome: .accepted(number: number))),
        ]
    }
}
