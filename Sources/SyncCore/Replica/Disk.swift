/// A file's identity on its file system: an inode number may be used again, its birth may not.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
    package let birth: FileTime

    package init(device: UInt64, inode: UInt64, birth: FileTime) {
        self.device = device
        self.inode = inode
        self.birth = birth
    }

    /// That of no file: what an item has whose file was taken for another item's.
    static let none = FileIdentity(
        device: 0, inode: 0, birth: FileTime(seconds: 0, nanoseconds: 0))
}

/// What `statx` says of a file: two equal stamps are the same file with the same content.
package struct FileStamp: Hashable, Sendable {
    // The order leaves no room between the fields: of these there are very many.
    package internal(set) var identity: FileIdentity
    package let links: UInt32
    /// Of a file its bytes; of a package a number that changes with any of its members.
    package let size: UInt64
    /// Of a package the newest of its members'.
    package let modified: FileTime
    /// The nine permission bits.
    package let mode: UInt16
    /// Younger than a tick of the kernel's clock when it was taken: it proves nothing.
    package let isRacy: Bool
    package let changed: FileTime

    package init(
        identity: FileIdentity, size: UInt64, mode: UInt16, modified: FileTime, changed: FileTime,
        links: UInt32, isRacy: Bool
    ) {
        self.identity = identity
        self.size = size
        self.mode = mode
        self.modified = modified
        self.changed = changed
        self.links = links
        self.isRacy = isRacy
    }

    /// The same file, and nothing of it was changed; whether that proves anything is left open.
    package func isUnchanged(since other: FileStamp) -> Bool {
        identity == other.identity && size == other.size && mode == other.mode
            && modified == other.modified && changed == other.changed
    }

    /// As one compares who knows seconds only: for the simulator, to be caught.
    func isOfSameSecond(as other: FileStamp) -> Bool {
        size == other.size && mode == other.mode && modified.seconds == other.modified.seconds
    }

    /// The same file with the same content, as far as stamps can prove it.
    ///
    /// The change time is left out: renaming a file changes it.
    package func provesSameContent(as other: FileStamp) -> Bool {
        !isRacy && !other.isRacy && identity == other.identity && size == other.size
            && mode == other.mode && modified == other.modified
    }
}

extension FileStamp {
    /// The same file, unwritten since, as far as can be seen; renaming it leaves that so.
    ///
    /// A stamp that was taken too early proves nothing, but a difference always does.
    func isUnwritten(since other: FileStamp) -> Bool {
        identity == other.identity && size == other.size && modified == other.modified
    }
}

/// One entry of a folder on disk.
package struct DiskEntry: Hashable, Sendable {
    package let stamp: FileStamp
    package let kind: EntryKind

    package init(kind: EntryKind, stamp: FileStamp) {
        self.kind = kind
        self.stamp = stamp
    }
}

package enum EntryKind: UInt8, Hashable, Sendable {
    case file = 1
    case folder = 2
    case link = 3
    /// FIFOs, sockets and devices are left alone.
    case other = 4
    /// A folder that is one document, with a stamp of all that is in it.
    case package = 5

    /// What a file system calls a folder.
    package var isDirectory: Bool { self == .folder || self == .package }
}

/// A name in a folder of the device's tree.
package struct Slot: Hashable, Sendable {
    package let folder: ItemID
    package let name: Name

    package init(folder: ItemID, name: Name) {
        self.folder = folder
        self.name = name
    }
}

extension Slot: Comparable {
    package static func < (one: Slot, other: Slot) -> Bool {
        (one.folder, one.name) < (other.folder, other.name)
    }
}

/// What stands at a name now; nil for nothing.
package struct Sighting: Hashable, Sendable {
    package let slot: Slot
    package let entry: DiskEntry?

    package init(slot: Slot, entry: DiskEntry?) {
        self.slot = slot
        self.entry = entry
    }
}

/// Where an item's file is, from the folder that holds the containers.
package struct LocalPath: Hashable, Sendable {
    package let names: [Name]

    package init(names: [Name]) { self.names = names }
}

extension Kind {
    var entryKind: EntryKind {
        switch self {
        case .file: .file
        case .folder: .folder
        case .package: .package
        case .link: .link
        }
    }
}
