/// One intent of a device, numbered within its incarnation.
package struct Operation: Hashable, Sendable {
    /// From 1, without a gap: the server takes exactly the last plus one.
    package let number: UInt64
    /// How long ago it was made when this message was written, in milliseconds.
    ///
    /// Only ages travel, so that a wrong clock wins nothing. It is no part of the operation's hash:
    /// it grows when the operation is sent again.
    package let age: UInt64
    package let body: Body
    /// The choice whose outcome it shares: without that version in the log it is refused.
    ///
    /// A copy of what the choice drops is in the log with it, or not at all.
    package let restsOn: VersionID?

    package indirect enum Body: Hashable, Sendable {
        case create(item: ItemID, kind: Kind, placement: Placement, version: Version)
        /// Also a single item's deletion, and its return from the trash.
        case edit(item: ItemID, version: Version)
        case move(item: ItemID, placement: Placement)
        case removeFolder(FolderRemoval)
        case write(KeyValueWrite)
        case restoreFolder(FolderRestoration)
    }

    package init(number: UInt64, age: UInt64, body: Body, restsOn: VersionID? = nil) {
        self.number = number
        self.age = age
        self.body = body
        self.restsOn = restsOn
    }
}

/// A folder's deletion with all that its device had installed in it: one operation of any size.
package struct FolderRemoval: Hashable, Sendable {
    package let folder: ItemID
    /// The folder's own deletion.
    package let version: Version
    /// The number up to which the device had installed the folder.
    package let installed: UInt64
    /// What it had installed beyond that: these versions count as installed too.
    package let beyond: [VersionID]

    package init(folder: ItemID, version: Version, installed: UInt64, beyond: [VersionID]) {
        self.folder = folder
        self.version = version
        self.installed = installed
        self.beyond = beyond
    }
}

/// What of a folder its removal takes: all that its device had installed as it is now.
struct RemovalReach {
    private let installed: UInt64
    private let beyond: Set<VersionID>

    fileprivate init(_ removal: FolderRemoval) {
        installed = removal.installed
        beyond = Set(removal.beyond)
    }

    func covers(_ state: ItemState) -> Bool {
        state.changed <= installed || state.heads.allSatisfy { beyond.contains($0.version) }
    }
}

extension FolderRemoval {
    var reach: RemovalReach { RemovalReach(self) }
}

/// A folder's return from the trash with all that its deletion took: one operation of any size.
package struct FolderRestoration: Hashable, Sendable {
    package let folder: ItemID
    /// The folder's deletion, which it undoes.
    package let deletion: VersionID
    /// The folder's own new version, made from the deletion.
    package let version: Version
    /// Deletions of single members, and of folders in it, that it undoes too.
    package let swept: [VersionID]

    package init(
        folder: ItemID, deletion: VersionID, version: Version, swept: [VersionID] = []
    ) {
        self.folder = folder
        self.deletion = deletion
        self.version = version
        self.swept = swept
    }
}

/// What the server answers to one operation; stored under its number, whether accepted or not.
package enum Outcome: Hashable, Sendable {
    /// The log holds it at or before entry `number`, perhaps as sent under another incarnation.
    case accepted(number: UInt64)
    case refused(Refusal)
}

/// Why an operation was not taken; content is never among the reasons, only places and merges.
package enum Refusal: UInt8, Hashable, Sendable {
    /// The placing that it replaces is not the current one.
    case stalePlace = 1
    /// Another live item has the name.
    case nameTaken = 2
    /// The folder would lie within itself.
    case cycle = 3
    /// The folder named as the place is not there.
    case folderGone = 4
    /// A settlement whose parents are no longer all heads.
    case staleParents = 5
    /// The account has no such item.
    case unknownItem = 6
    /// An item's kind never changes.
    case wrongKind = 7
    /// A chunk of the content is not at the server.
    case chunksMissing = 8
    /// A configured limit would be passed.
    case overLimit = 9
    /// It rests on an operation of the same request that was refused.
    case restsOnRefused = 10
    /// The operation is not well formed.
    case malformed = 11
}
