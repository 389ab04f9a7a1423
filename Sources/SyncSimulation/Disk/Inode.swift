import SyncCore

/// The number of an inode; it is used again once the inode is gone, as on ext4.
typealias InodeNumber = Int

/// Who changes the disk: what a person destroys is not ours to keep.
enum DiskActor {
    case person
    case device
}

/// A file, folder or link of a simulated disk.
struct Inode {
    let kind: EntryKind
    let birth: FileTime
    var mode: UInt16
    var modified: FileTime
    var changed: FileTime
    /// Of a file its content, of a link its target.
    var bytes: [UInt8] = []
    /// Of a folder.
    var entries = FolderEntries()
    /// The names that it has; more than one are hard links.
    var places: [DiskPlace] = []
    /// Programs that have it open, for anything.
    var handles = 0
    /// Programs that have it open for writing.
    var writers = 0
    /// The save whose bytes these are, if they are a person's.
    var save: SaveID?
    /// When its bytes were last written.
    var written: Int64 = 0
    /// Who took its last name away.
    var unlinkedBy: DiskActor?
    var movedBy: DiskActor?
    /// Its bytes survive a power failure.
    var isFlushed = false
    /// Its number may be used again.
    private(set) var isFree = false
    /// The flush since which its state at that flush is kept.
    var rememberedAt = -1

    mutating func clear() {
        isFree = true
        bytes = []
        entries = FolderEntries()
        places = []
        save = nil
    }
}

/// A name in a folder of the disk.
struct DiskPlace: Hashable {
    let folder: InodeNumber
    let name: Name
}

/// A folder's names in the order of their bytes.
struct FolderEntries {
    private(set) var list: [(name: Name, inode: InodeNumber)] = []

    var isEmpty: Bool { list.isEmpty }

    subscript(name: Name) -> InodeNumber? {
        let index = index(of: name)
        return index < list.count && list[index].name == name ? list[index].inode : nil
    }

    mutating func set(_ name: Name, _ inode: InodeNumber) {
        let index = index(of: name)
        if index < list.count, list[index].name == name {
            list[index].inode = inode
        } else {
            list.insert((name, inode), at: index)
        }
    }

    mutating func remove(_ name: Name) {
        let index = index(of: name)
        if index < list.count, list[index].name == name { list.remove(at: index) }
    }

    /// Where the name is, or would be.
    private func index(of name: Name) -> Int {
        var low = 0
        var high = list.count
        while low < high {
            let middle = (low + high) / 2
            if list[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// What a simulated system call refuses.
enum DiskError: Error {
    case missing
    case exists
    case notEmpty
    case notFolder
    case noSpace
    case withinItself
}
