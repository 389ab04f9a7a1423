/// One row of a device's durable state; a store applies them in order, all or none.
package enum ReplicaChange: Hashable, Sendable {
    /// Nil removes.
    case node(ItemID, NodeRecord?)
    case alias(ItemID, of: ItemID?)
    // The large ones lie apart: lists of changes are copied and moved about.
    indirect case outbox(entry: UInt64, OutboxEntry?)
    indirect case register(RegisterKey, RegisterRecord?)
    case progress(ReplicaProgress)
    /// Kept for ever: how else could a device say that it has what came of an older version?
    case ancestry(Ancestry)
    /// What is after the entry is in no log any more: it counts as after every entry.
    case ancestryLost(after: UInt64)
    /// A position that the device had, and whether it still keeps it.
    case landmark(Position, isKept: Bool)
    /// Content that must be readable here: heads that do not show, and bases of unsent edits.
    case content(VersionID, [UInt8]?)
}

/// All that a replica needs to go on after a restart.
package struct ReplicaImage: Hashable, Sendable {
    package var progress: ReplicaProgress?
    package var nodes: [ItemID: NodeRecord]
    package var aliases: [ItemID: ItemID]
    /// By entry number, which is their order.
    package var outbox: [UInt64: OutboxEntry]
    package var registers: [RegisterKey: RegisterRecord]
    /// Positions of the log that the device had, the oldest first.
    package var landmarks: [Position] = []

    package init() {
        progress = nil
        nodes = [:]
        aliases = [:]
        outbox = [:]
        registers = [:]
    }
}

extension ReplicaImage {
    /// A position of the log, kept or not any more.
    package mutating func keep(_ landmark: Position, _ isKept: Bool) {
        landmarks.removeAll { $0.number == landmark.number }
        guard isKept else { return }
        let place = landmarks.firstIndex { $0.number > landmark.number } ?? landmarks.count
        landmarks.insert(landmark, at: place)
    }

    /// The same files on a file system that has got another number.
    package func renumbered(from old: UInt64, to new: UInt64) -> ReplicaImage {
        var image = self
        for (id, node) in nodes {
            guard let base = node.base, base.stamp.identity.device == old else { continue }
            let stamp = base.stamp
            let identity = FileIdentity(
                device: new, inode: stamp.identity.inode, birth: stamp.identity.birth)
            image.nodes[id]?.base?.stamp = FileStamp(
                identity: identity, size: stamp.size, mode: stamp.mode,
                modified: stamp.modified, changed: stamp.changed, links: stamp.links,
                isRacy: stamp.isRacy)
        }
        return image
    }
}

/// The device's counters and its place in the account's log.
package struct ReplicaProgress: Hashable, Sendable {
    package var incarnation: Incarnation
    /// The last operation number given.
    package var lastNumber: UInt64
    /// The last outbox entry made; part of the ids that this incarnation gives.
    package var lastEntry: UInt64
    /// What the remote tree has, durably.
    package var cursor: Position
    /// The first pull has ended.
    package var hasPulled: Bool
    /// The number up to which the disk holds no version that the log has replaced.
    package var installed: UInt64

    package init(
        incarnation: Incarnation, lastNumber: UInt64, lastEntry: UInt64, cursor: Position,
        hasPulled: Bool, installed: UInt64 = 0
    ) {
        self.incarnation = incarnation
        self.lastNumber = lastNumber
        self.lastEntry = lastEntry
        self.cursor = cursor
        self.hasPulled = hasPulled
        self.installed = installed
    }
}

/// Versions of an item that the account has lost.
package struct Loss: Hashable, Sendable {
    /// The older ones first.
    package var versions: [VersionID]
    /// Where the item was, to be created there again if the account has lost all of it.
    package var placement: Placement
    /// The outbox entry that the first of them will be; the next one is that of the next number.
    package var entry: UInt64

    package init(versions: [VersionID], placement: Placement, entry: UInt64) {
        self.versions = versions
        self.placement = placement
        self.entry = entry
    }
}

/// A version's facts and where its content is.
package struct KnownVersion: Hashable, Sendable {
    package let id: VersionID
    package let parents: [VersionID]
    package let facts: VersionFacts
    /// Empty for content that travels inline.
    package let chunks: [ChunkReference]
    package let author: DeviceID?
    package let moment: WallTime?

    package init(
        id: VersionID, parents: [VersionID], facts: VersionFacts, chunks: [ChunkReference],
        author: DeviceID?, moment: WallTime?
    ) {
        self.id = id
        self.parents = parents
        self.facts = facts
        self.chunks = chunks
        self.author = author
        self.moment = moment
    }
}

/// What this device has put on the disk, or found there and turned into operations.
package struct BaseState: Hashable, Sendable {
    package var slot: Slot
    package var placement: PlaceID
    package var version: VersionID
    package var facts: VersionFacts
    /// As read back.
    package var stamp: FileStamp
    /// The newest version that somebody here has read or written; nil if none ever was.
    package var lastRead: VersionID?
    /// In the device's own folder for the moment, out of the way of another item.
    package var isParked: Bool
    /// The file has the name of the item's placeholder, whether it is that or the content.
    package var isAside: Bool
    /// The digest of the placeholder's bytes, if the file is one; nil for the content.
    package var placeholder: Digest? {
        get { standIn?.value }
        set { standIn = newValue.map { Shared($0) } }
    }

    /// Apart, as most items have none.
    private var standIn: Shared<Digest>?

    package init(
        slot: Slot, placement: PlaceID, version: VersionID, facts: VersionFacts,
        stamp: FileStamp, lastRead: VersionID?, isParked: Bool, isAside: Bool = false,
        placeholder: Digest? = nil
    ) {
        self.slot = slot
        self.placement = placement
        self.version = version
        self.facts = facts
        self.stamp = stamp
        self.lastRead = lastRead
        self.isParked = isParked
        self.isAside = isAside
        standIn = placeholder.map { Shared($0) }
    }

    /// The name that the item has, whatever its file's is.
    package var ownSlot: Slot { BaseState.ownSlot(slot, isAside: isAside) }

    static func ownSlot(_ slot: Slot, isAside: Bool) -> Slot {
        guard isAside, let name = Placeholder.original(of: slot.name) else { return slot }
        return Slot(folder: slot.folder, name: name)
    }
}

/// An operation on its way to the server.
package struct OutboxEntry: Hashable, Sendable {
    package var body: Operation.Body
    /// By the device's wall clock: for nothing but its age.
    package var made: WallTime
    /// Given when it may be sent for the first time; from then on the body is never altered.
    package var number: UInt64?
    /// The content's chunks are at the server.
    package var isUploaded: Bool
    /// In the log under this number, which the cursor has not reached yet.
    package var accepted: UInt64?
    /// A deletion among so many that a person has to say whether it is meant.
    package var awaitsConfirmation: Bool
    /// The choice that it is a part of: sent once that is in the log, dropped if it is refused.
    package var restsOn: VersionID?
    /// It had a number that is given up: the log can have it, as it is.
    package var wasSent: Bool

    package init(
        body: Operation.Body, made: WallTime, number: UInt64? = nil, isUploaded: Bool = false,
        accepted: UInt64? = nil, awaitsConfirmation: Bool = false, restsOn: VersionID? = nil,
        wasSent: Bool = false
    ) {
        self.body = body
        self.made = made
        self.number = number
        self.isUploaded = isUploaded
        self.accepted = accepted
        self.awaitsConfirmation = awaitsConfirmation
        self.restsOn = restsOn
        self.wasSent = wasSent
    }

    /// It goes again under a new number; the log can have it, as it is, under the old one.
    mutating func giveUpNumber() {
        wasSent = wasSent || number != nil
        number = nil
        accepted = nil
    }

    /// What may have been sent is only followed.
    var isAlterable: Bool { number == nil && !wasSent }
}

/// A key-value register on a device.
package struct RegisterRecord: Hashable, Sendable {
    /// The store's identifier and the key, plain.
    package var store: [UInt8]
    package var key: [UInt8]
    /// What the account says.
    package var remote: RegisterState?
    /// This device's newest write that the log does not hold yet.
    package var pending: PendingWrite?
    /// Why the server does not take it, if it does not.
    package var refusal: Refusal?

    package struct PendingWrite: Hashable, Sendable {
        package var id: WriteID
        package var value: [UInt8]?
        /// The outbox entry that carries it.
        package var entry: UInt64

        package init(id: WriteID, value: [UInt8]?, entry: UInt64) {
            self.id = id
            self.value = value
            self.entry = entry
        }
    }

    package init(
        store: [UInt8], key: [UInt8], remote: RegisterState? = nil, pending: PendingWrite? = nil,
        refusal: Refusal? = nil
    ) {
        self.store = store
        self.key = key
        self.remote = remote
        self.pending = pending
        self.refusal = refusal
    }
}
