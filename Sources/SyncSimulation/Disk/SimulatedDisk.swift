import SyncCore

/// A Linux-like file system of one machine, on virtual time.
///
/// Nothing in it fails by itself but what a kernel would refuse; power failures and full disks are
/// the simulation's to cause.
struct SimulatedDisk {
    /// The kernel's clock for file times moves in steps, in nanoseconds.
    static let tick: Int64 = 4_000_000

    private(set) var inodes: [Inode] = []
    /// Numbers free to be used again, the last freed first.
    private var free: [InodeNumber] = []
    /// What a power failure can take back: the inodes that changed since the last flush, as they
    /// were.
    private var before: [(number: InodeNumber, inode: Inode)] = []
    private var flushes = 0
    private var countBefore = 0
    private var freeBefore: [InodeNumber] = []
    private(set) var flushedAt: Int64 = 0
    /// The machine's wall clock, in nanoseconds since 1970; set before each call.
    private(set) var clock: Int64
    /// Nanoseconds since the beginning, which never jump.
    var time: Int64 = 0
    var isFull = false
    /// Times that are set are cut to whole seconds, and nothing can be made executable.
    var isCoarse = false
    /// The folder that holds the containers, and the device's own one.
    private(set) var containers: InodeNumber = 0
    private(set) var staging: InodeNumber = 0

    /// Folders that are watched for names, and files that are watched for readers.
    var watchedFolders: Set<InodeNumber> = []
    var watchedFiles: [InodeNumber: ItemID] = [:]
    /// What the watcher has not read yet.
    var notices: [DiskNotice] = []
    /// What persons replaced or removed by their own acts.
    var replacedByPerson: [SaveID] = []
    /// What the device's program took from the disk for ever.
    var destroyed: [SaveID] = []
    private(set) var renames = DiskRenames()
    /// Without births an inode that is used again is the same file.
    var knowsBirths = true
    private var births: UInt32 = 0

    init(clock: Int64) {
        self.clock = clock
        containers = makeInode(.folder, mode: 0o755)
        staging = makeInode(.folder, mode: 0o700)
        flushNames()
    }

    subscript(number: InodeNumber) -> Inode {
        _read {
            precondition(!inodes[number].isFree, "a freed inode")
            yield inodes[number]
        }
        _modify {
            precondition(!inodes[number].isFree, "a freed inode")
            remember(number)
            yield &inodes[number]
        }
    }

    /// Once between two flushes.
    private mutating func remember(_ number: InodeNumber) {
        guard inodes[number].rememberedAt != flushes else { return }
        before.append((number, inodes[number]))
        inodes[number].rememberedAt = flushes
    }

    /// The time that the kernel would write into a file now.
    var fileTime: FileTime { FileTime(nanoseconds: clock - floorRemainder(clock, Self.tick)) }

    mutating func makeInode(_ kind: EntryKind, mode: UInt16) -> InodeNumber {
        births += 1
        let birth = FileTime(nanoseconds: clock + Int64(births % 1000))
        var inode = Inode(
            kind: kind, birth: birth, mode: mode, modified: fileTime, changed: fileTime)
        inode.rememberedAt = flushes
        if let number = free.popLast() {
            remember(number)
            inodes[number] = inode
            return number
        }
        inodes.append(inode)
        return inodes.count - 1
    }

    /// Frees an inode that nobody can reach any more.
    mutating func releaseIfUnreachable(_ number: InodeNumber) {
        guard self[number].places.isEmpty, self[number].handles == 0 else { return }
        guard number != containers, number != staging else { return }
        if self[number].unlinkedBy == .device, let save = self[number].save {
            destroyed.append(save)
        }
        remember(number)
        inodes[number].clear()
        free.append(number)
        watchedFolders.remove(number)
        watchedFiles[number] = nil
    }
}

/// What the kernel tells a watcher.
enum DiskNotice: Hashable {
    case changed(DiskPlace)
    case written(DiskPlace)
    case opened(ItemID)
    /// The queue was full: anything may have changed.
    case overflow
}

extension SimulatedDisk {
    /// The inode at a path below the folder of the containers.
    func inode(at path: [Name]) -> InodeNumber? { inode(at: path[...]) }

    private func inode(at path: ArraySlice<Name>) -> InodeNumber? {
        var number = containers
        for name in path {
            guard self[number].kind == .folder, let next = self[number].entries[name] else {
                return nil
            }
            number = next
        }
        return number
    }

    /// The folder and name that a path means, if that folder is there.
    func place(of path: [Name]) -> DiskPlace? {
        guard let name = path.last, let folder = inode(at: path.dropLast()),
            self[folder].kind == .folder
        else { return nil }
        return DiskPlace(folder: folder, name: name)
    }

    func inode(at place: DiskPlace) -> InodeNumber? {
        guard isThere(place.folder, .folder) else { return nil }
        return inodes[place.folder].entries[place.name]
    }

    func isThere(_ number: InodeNumber, _ kind: EntryKind) -> Bool {
        !inodes[number].isFree && inodes[number].kind == kind
    }

    func stamp(of number: InodeNumber) -> FileStamp {
        let isFolder = self[number].kind == .folder
        return FileStamp(
            identity: FileIdentity(
                device: 1, inode: UInt64(number),
                birth: knowsBirths ? self[number].birth : FileTime(nanoseconds: 0)),
            size: isFolder ? 0 : UInt64(self[number].bytes.count), mode: self[number].mode,
            modified: self[number].modified, changed: self[number].changed,
            links: isFolder ? 1 : UInt32(self[number].places.count),
            isRacy: isRacy(self[number].modified))
    }

    mutating func set(clock: Int64) { self.clock = clock }

    /// What it can hold of a mode.
    func held(_ mode: UInt16) -> UInt16 { isCoarse ? mode & ~0o111 : mode }

    /// What it can hold of a time that is set.
    func held(_ time: FileTime) -> FileTime {
        isCoarse ? FileTime(seconds: time.seconds, nanoseconds: 0) : time
    }

    /// Whether a write within the same tick of the kernel's clock could leave this time as it is.
    func isRacy(_ modified: FileTime) -> Bool {
        abs(clock - modified.totalNanoseconds) < 2 * Self.tick
    }

    func entry(of number: InodeNumber) -> DiskEntry {
        DiskEntry(kind: self[number].kind, stamp: stamp(of: number))
    }

    func entry(at place: DiskPlace) -> DiskEntry? { inode(at: place).map(entry(of:)) }

    /// All paths below the folder of the containers that are so, parents first, in the order of
    /// their bytes.
    func allPaths(
        where isSo: ([Name], EntryKind) -> Bool = { _, _ in true }
    ) -> [(path: [Name], inode: InodeNumber)] {
        var found: [(path: [Name], inode: InodeNumber)] = []
        var path: [Name] = []
        collect(containers, &path, where: isSo, into: &found)
        return found
    }

    private func collect(
        _ folder: InodeNumber, _ path: inout [Name], where isSo: ([Name], EntryKind) -> Bool,
        into found: inout [(path: [Name], inode: InodeNumber)]
    ) {
        for (name, number) in self[folder].entries.list {
            let kind = self[number].kind
            path.append(name)
            if isSo(path, kind) { found.append((path, number)) }
            if kind == .folder { collect(number, &path, where: isSo, into: &found) }
            path.removeLast()
        }
    }

    /// Whether a folder lies in another, or is it.
    func isWithin(_ number: InodeNumber, _ ancestor: InodeNumber) -> Bool {
        var current = number
        while current != ancestor {
            guard let parent = inodes[current].places.first?.folder else { return false }
            current = parent
        }
        return true
    }
}

extension FileTime {
    init(nanoseconds: Int64) {
        let rest = floorRemainder(nanoseconds, 1_000_000_000)
        self.init(
            seconds: (nanoseconds - rest) / 1_000_000_000, nanoseconds: UInt32(rest))
    }

    var totalNanoseconds: Int64 { seconds * 1_000_000_000 + Int64(nanoseconds) }
}

/// The remainder that is never negative.
func floorRemainder(_ value: Int64, _ divisor: Int64) -> Int64 {
    let rest = value % divisor
    return rest < 0 ? rest + divisor : rest
}

extension FileStamp {
    /// The same file, unwritten since, as far as can be seen; renaming it leaves that so.
    ///
    /// For comparing with a stamp that the replica has trusted already.
    func isUntouched(since other: FileStamp) -> Bool {
        identity == other.identity && size == other.size && mode == other.mode
            && modified == other.modified
    }
}

extension SimulatedDisk {
    /// Watches a file for readers, once.
    mutating func watchReaders(of number: InodeNumber, for item: ItemID) {
        watchedFiles[number] = item
    }

    /// What was read of the item's files is not told any more; true if one was watched and unread.
    mutating func forgetReaders(of item: ItemID) -> Bool {
        notices.removeAll { $0 == .opened(item) }
        let watched = watchedFiles.filter { $0.value == item }
        for number in watched.keys { watchedFiles[number] = nil }
        return !watched.isEmpty
    }

    /// Makes all names so far survive a power failure, and what was flushed before.
    mutating func flushNames() {
        before.removeAll(keepingCapacity: true)
        flushes += 1
        countBefore = inodes.count
        freeBefore = free
        flushedAt = time
    }

    /// The machine is what it was, but people know what they have done.
    mutating func keep(renames newer: DiskRenames) { renames.add(newer) }

    mutating func note(renaming old: Name, to new: Name, by actor: DiskActor) {
        renames.note(from: old, to: new, by: actor)
    }

    /// Takes back what was changed since the last flush.
    mutating func takeBack() {
        renames.takeBack()
        for (number, inode) in before where number < countBefore { inodes[number] = inode }
        inodes.removeLast(inodes.count - countBefore)
        free = freeBefore
    }

    /// A stamp taken before, with what the clock says of it now.
    func aged(_ stamp: FileStamp) -> FileStamp {
        FileStamp(
            identity: stamp.identity, size: stamp.size, mode: stamp.mode,
            modified: stamp.modified, changed: stamp.changed, links: stamp.links,
            isRacy: isRacy(stamp.modified))
    }
}
