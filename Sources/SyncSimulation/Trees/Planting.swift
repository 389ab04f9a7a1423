import SyncCore

/// Items as a device has them that is in step with its account.
struct Planting {
    private(set) var nodes: [ItemID: NodeRecord] = [:]
    private(set) var inodes: UInt64 = 1

    mutating func plant(_ name: Name, in folder: ItemID, isFolder: Bool) -> ItemID {
        inodes += 1
        let id = ItemID(simulatedHash([isFolder ? 1 : 2] + number(inodes)))
        let version = VersionID(simulatedHash([3] + number(inodes)))
        let place = PlaceID(simulatedHash([4] + number(inodes)))
        let facts = VersionFacts(
            digest: isFolder ? .zero : simulatedHash(number(inodes)), size: isFolder ? 0 : 8,
            mode: isFolder ? 0o755 : 0o644, modified: FileTime(seconds: 1, nanoseconds: 0))
        let stamp = Self.stamp(inodes, Int(facts.size), facts.mode, facts.modified)
        let slot = Slot(folder: folder, name: name)
        let remote = ItemState(
            id: id, kind: isFolder ? .folder : .file, standing: .placed,
            placement: Placement(
                id: place, replaces: nil, folder: folder, tag: simulatedVault.tag(name.bytes),
                name: name.bytes),
            heads: [Head(version: version, hasContent: true)], changed: 0)
        nodes[id] = NodeRecord(
            kind: remote.kind, remote: remote,
            versions: [
                KnownVersion(
                    id: version, parents: [], facts: facts, chunks: [], author: nil, moment: nil)
            ],
            base: BaseState(
                slot: slot, placement: place, version: version, facts: facts, stamp: stamp,
                lastRead: version, isParked: false),
            installing: nil)
        return id
    }

    private func number(_ value: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: value)
        return bytes
    }

    static func stamp(
        _ inode: UInt64, _ size: Int, _ mode: UInt16, _ modified: FileTime
    ) -> FileStamp {
        FileStamp(
            identity: FileIdentity(
                device: 1, inode: inode, birth: FileTime(seconds: 1, nanoseconds: 0)),
            size: UInt64(size), mode: mode, modified: modified, changed: modified, links: 1,
            isRacy: false)
    }
}
