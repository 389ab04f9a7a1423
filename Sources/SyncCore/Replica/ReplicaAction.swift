/// What a replica wants done; the shell does it, in the order given, and decides nothing.
package enum ReplicaAction: Hashable, Sendable {
    /// Durable before any later action of the list begins.
    case persist([ReplicaChange])
    /// Watch the folder, then list it.
    case list(folder: ItemID, path: LocalPath)
    /// The folder is no longer ours to watch.
    case unwatch(folder: ItemID)
    /// Look at one name and report it with ``ReplicaEvent/seen(_:)``.
    case look(slot: Slot, path: LocalPath)
    case read(ReadRequest)
    /// Tell when another program opens the file for reading.
    case watchReading(ItemID, path: LocalPath)
    /// The file that was the item's is not any more: who reads it is not to be told.
    case forgetReaders(ItemID)
    case install(InstallJob)
    /// Bring a content to the device, or take it from the device's own contents.
    indirect case fetch(FetchRequest)
    /// Ask the server for a version that came back without having been told here.
    case inquire(ItemID, VersionID)
    /// Ask the server for all versions that an item ever had, without their contents.
    case inquireHistory(ItemID)
    /// Ask the server for the account as it is, naming positions that this device had.
    case inquireSnapshot([Position])
    /// Tell the ancestries that were kept and are of entries after the number.
    case recallAncestry(after: UInt64)
    /// Give the replica the bytes that ``fetch(_:)`` brought.
    case load(ItemID, VersionID)
    /// Cut a content that the replica has made into chunks and keep them, to be uploaded.
    case keep(ItemID, [UInt8])
    /// What was fetched of the version, or is on its way, is not needed any more.
    case releaseFetched(VersionID)
    /// Bring these chunks of outbox entry `entry` to the server.
    case upload(entry: UInt64, chunks: [ChunkReference])
    /// Outbox entry `entry` is settled: its chunks need not be kept.
    case releaseUpload(entry: UInt64)
    /// One request at a time is under way. The position is what the operations were made in sight
    /// of: a server that does not have it takes none of them.
    case send(Incarnation, [Operation], after: Position)
    /// Ask for the log after the position.
    case pull(after: Position)
    /// Send ``ReplicaEvent/timer`` at the moment; a later one replaces it.
    case wake(at: Instant)
    case notify(ReplicaNotice)
}

/// What others on the device may want to know.
package enum ReplicaNotice: Hashable, Sendable {
    /// The item's file, state or heads changed.
    case itemChanged(ItemID)
    case itemRemoved(ItemID, Slot)
    /// A key changed by somebody else's write.
    case valueChanged(store: [UInt8], key: [UInt8], ValueReason)
    /// The device's own state, as `status` shows it, changed.
    case statusChanged

    package enum ValueReason: Hashable, Sendable {
        case server
        /// It came with the first pull of the account.
        case firstPull
        /// This device's write was refused for room.
        case refused
    }
}

/// The number of an install, unique while the program runs.
package typealias JobID = UInt64

/// One change of the disk, to be judged by what came out.
package struct InstallJob: Hashable, Sendable {
    package let id: JobID
    package let item: ItemID
    package let task: Task

    package indirect enum Task: Hashable, Sendable {
        case makeFolder(at: LocalPath, mode: UInt16)
        /// `expected` nil is a new name.
        case placeFile(
            at: LocalPath, ContentSource, VersionFacts, expected: FileStamp?)
        case placeLink(at: LocalPath, ContentSource, VersionFacts, expected: FileStamp?)
        /// The folder with all that is in it, as one.
        case placePackage(at: LocalPath, ContentSource, VersionFacts, expected: FileStamp?)
        case setMode(at: LocalPath, UInt16, expected: FileStamp)
        /// Of a folder: only if nothing but ignored names is in it; these are set aside.
        case remove(at: LocalPath, kind: EntryKind, expected: FileStamp)
        /// Never onto something.
        case move(from: LocalPath, to: LocalPath, expected: FileStamp)
        /// Out of the way into the device's own folder, under the item's id.
        case park(from: LocalPath, expected: FileStamp)
        /// Back out of it.
        case unpark(to: LocalPath, expected: FileStamp)

        /// A new content in the place of the old.
        static func placing(
            _ kind: Kind, at path: LocalPath, _ source: ContentSource, _ facts: VersionFacts,
            _ expected: FileStamp?
        ) -> Task {
            switch kind {
            case .link: .placeLink(at: path, source, facts, expected: expected)
            case .package: .placePackage(at: path, source, facts, expected: expected)
            case .file, .folder: .placeFile(at: path, source, facts, expected: expected)
            }
        }

        /// The file that stands there now goes out of the tree: who read it counts no more.
        package var endsFile: Bool {
            switch self {
            case .placeFile(_, _, _, let expected), .placeLink(_, _, _, let expected),
                .placePackage(_, _, _, let expected):
                expected != nil
            case .remove: true
            case .makeFolder, .setMode, .move, .park, .unpark: false
            }
        }
    }

    package init(id: JobID, item: ItemID, task: Task) {
        self.id = id
        self.item = item
        self.task = task
    }
}

/// Where an install finds its bytes; they are on the device already.
package enum ContentSource: Hashable, Sendable {
    case inline([UInt8])
    /// What ``ReplicaAction/fetch(_:)`` brought, in the device's own folder.
    case fetched(VersionID)
}

/// A version's content to be brought to the device and checked.
package struct FetchRequest: Hashable, Sendable {
    package let item: ItemID
    package let version: VersionID
    package let facts: VersionFacts
    /// Empty for content that the server keeps beside the version.
    package let chunks: [ChunkReference]

    package init(
        item: ItemID, version: VersionID, facts: VersionFacts, chunks: [ChunkReference]
    ) {
        self.item = item
        self.version = version
        self.facts = facts
        self.chunks = chunks
    }
}

package enum JobOutcome: Hashable, Sendable {
    /// What now stands there, read back; nil after a removal.
    case done(FileStamp?)
    /// The disk was not as expected; nothing was changed. What stands at the source (or, for a new
    /// name, at the target) now.
    case unexpected(DiskEntry?)
    /// Somebody has it open for writing, or wrote a moment ago.
    case busy
    /// What was fetched is not there any more.
    case contentMissing
    case failed(DiskFailure)
}
