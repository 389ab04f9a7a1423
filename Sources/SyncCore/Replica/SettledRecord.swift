/// A file of which the three trees say the same, each thing once: most records are that.
///
/// A record in full takes four times the memory, and a device may have a hundred thousand of them.
struct SettledRecord: Hashable, Sendable {
    // The order leaves little room between the fields.
    private let id: ItemID
    private let folder: ItemID
    private let tag: Tag
    private let place: PlaceID
    private let version: VersionID
    private let digest: Digest
    private let size: UInt64
    private let changed: UInt64
    private let name: Name
    private let parents: [VersionID]
    private let chunks: [ChunkReference]
    private let identity: FileIdentity
    private let links: UInt32
    private let modified: FileTime
    private let mode: UInt16
    private let isRacy: Bool
    private let isRead: Bool
    private let statusChanged: FileTime
    private let replaces: PlaceID?
    private let author: DeviceID?
    private let moment: WallTime?

    /// Nil for what has to be said in full.
    init?(_ remote: ItemState, _ known: KnownVersion, _ base: BaseState) {
        guard remote.kind == .file, remote.standing == .placed, remote.heads.count == 1,
            remote.heads[0] == Head(version: base.version, hasContent: true),
            known.id == base.version, known.facts == base.facts,
            remote.placement.id == base.placement, remote.placement.folder == base.slot.folder,
            remote.placement.name == base.slot.name.bytes,
            !base.isParked, !base.isAside, base.placeholder == nil,
            base.lastRead == nil || base.lastRead == base.version,
            base.stamp.size == base.facts.size, base.stamp.mode == base.facts.mode,
            base.stamp.modified == base.facts.modified
        else { return nil }
        id = remote.id
        folder = base.slot.folder
        tag = remote.placement.tag
        place = base.placement
        version = base.version
        digest = base.facts.digest
        size = base.facts.size
        changed = remote.changed
        name = base.slot.name
        parents = known.parents
        chunks = known.chunks
        identity = base.stamp.identity
        links = base.stamp.links
        modified = base.facts.modified
        mode = base.facts.mode
        isRacy = base.stamp.isRacy
        isRead = base.lastRead != nil
        statusChanged = base.stamp.changed
        replaces = remote.placement.replaces
        author = known.author
        moment = known.moment
    }

    var remote: ItemState {
        ItemState(
            id: id, kind: .file, standing: .placed,
            placement: Placement(
                id: place, replaces: replaces, folder: folder, tag: tag, name: name.bytes),
            heads: [Head(version: version, hasContent: true)], changed: changed)
    }

    var known: KnownVersion {
        KnownVersion(
            id: version, parents: parents, facts: facts, chunks: chunks, author: author,
            moment: moment)
    }

    var base: BaseState {
        BaseState(
            slot: Slot(folder: folder, name: name), placement: place, version: version,
            facts: facts,
            stamp: FileStamp(
                identity: identity, size: size, mode: mode, modified: modified,
                changed: statusChanged, links: links, isRacy: isRacy),
            lastRead: isRead ? version : nil, isParked: false)
    }

    private var facts: VersionFacts {
        VersionFacts(digest: digest, size: size, mode: mode, modified: modified)
    }
}
