/// A place in an account's log: a number and the running digest up to it.
///
/// Two histories that share a number differ in the digest, so that a restored server is noticed
/// however it was restored.
package struct Position: Hashable, Sendable {
    package let number: UInt64
    package let digest: Digest

    package init(number: UInt64, digest: Digest) {
        self.number = number
        self.digest = digest
    }

    package static var start: Position { Position(number: 0, digest: .zero) }
}

/// One accepted operation with what became of it.
package struct LogEntry: Hashable, Sendable {
    package let position: Position
    package let author: DeviceID
    package let incarnation: Incarnation
    /// The operation's number within the incarnation.
    package let operation: UInt64
    /// The server's wall clock: for people.
    package let moment: WallTime
    package let effects: [Effect]

    package init(
        position: Position, author: DeviceID, incarnation: Incarnation, operation: UInt64,
        moment: WallTime, effects: [Effect]
    ) {
        self.position = position
        self.author = author
        self.incarnation = incarnation
        self.operation = operation
        self.moment = moment
        self.effects = effects
    }
}

/// A change of the account's state; the server has decided it, devices only apply it.
package enum Effect: Hashable, Sendable {
    /// The item's whole state, and the version that came with it if one did.
    case item(ItemState, introducing: Version?)
    /// A created item became a further head of, or is the same folder as, the holder of its name.
    case alias(ItemID, of: ItemID)
    /// A folder was deleted with everything in it but the survivors and the folders above them.
    case folderRemoved(folder: ItemID, deletion: VersionID, survivors: [ItemID])
    case register(RegisterState)
}

/// An item as the server says it is.
package struct ItemState: Hashable, Sendable {
    package let id: ItemID
    package let kind: Kind
    package var standing: Standing
    /// Its current placing, or the last one it had.
    package var placement: Placement
    /// In the order of first acceptance; the first shows.
    package var heads: [Head]
    /// The number of the log entry that last changed the heads or the folder that it is in.
    package var changed: UInt64

    package init(
        id: ItemID, kind: Kind, standing: Standing, placement: Placement, heads: [Head],
        changed: UInt64
    ) {
        self.id = id
        self.kind = kind
        self.standing = standing
        self.placement = placement
        self.heads = heads
        self.changed = changed
    }

    /// The last number before it was changed; none is before the log's first.
    var lastBefore: UInt64 { max(changed, 1) - 1 }
}

/// Where an item stands.
package enum Standing: UInt8, Hashable, Sendable {
    case placed = 1
    /// It has content, but its folder is gone or its name is taken: listed with the trash.
    case unplaced = 2
    /// All its heads are deletions.
    case trashed = 3
}

/// One of an item's current versions.
package struct Head: Hashable, Sendable {
    package let version: VersionID
    package let hasContent: Bool

    package init(version: VersionID, hasContent: Bool) {
        self.version = version
        self.hasContent = hasContent
    }
}
