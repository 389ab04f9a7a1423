import SyncCore

typealias Inode = UInt64

/// A file system as a value: inodes, names, hard links; freed inodes are used again, as on ext4.
struct TestDisk {
    struct File {
        let kind: EntryKind
        let birth: FileTime
        var mode: UInt16
        var modified: FileTime
        var changed: FileTime
        /// Of a file its content, of a link its target.
        var bytes: [UInt8] = []
        var entries: [Name: Inode] = [:]
        var links: UInt32 = 0
    }

    struct Place: Hashable {
        let folder: Inode
        let name: Name
    }

    private(set) var files: [Inode: File] = [:]
    private var free: [Inode] = []
    private var clock: Int64
    /// The folder of the containers, and the device's own.
    let containers: Inode = 1
    let staging: Inode = 2
    /// What the watcher has not read yet, of folders that are watched.
    var notices: [Place] = []
    var watched: [Inode: ItemID] = [:]
    var watchedReaders: [Inode: ItemID] = [:]
    /// Stamps are as young as the kernel's tick.
    var makesRacyStamps = false
    /// Files without a bit that this file system cannot hold, and times that it clamps.
    var clamp: (inout File) -> Void = { _ in }

    init(clock: Int64) {
        self.clock = clock
        files[containers] = File(
            kind: .folder, birth: now, mode: 0o755, modified: now, changed: now, links: 1)
        files[staging] = File(
            kind: .folder, birth: now, mode: 0o700, modified: now, changed: now, links: 1)
    }

    private var now: FileTime {
        FileTime(
            seconds: clock / 1_000_000_000, nanoseconds: UInt32(clock % 1_000_000_000))
    }

    private mutating func tick() { clock += 10_000_000 }

    // MARK: Looking

    func inode(at path: [Name]) -> Inode? {
        path.reduce(containers) { folder, name in
            folder.flatMap { files[$0]?.entries[name] }
        }
    }

    func place(of path: [Name]) -> Place? {
        guard let name = path.last, let folder = inode(at: Array(path.dropLast())),
            files[folder]?.kind == .folder
        else { return nil }
        return Place(folder: folder, name: name)
    }

    func inode(at place: Place) -> Inode? { files[place.folder]?.entries[place.name] }

    func stamp(of inode: Inode) -> FileStamp? {
        guard let file = files[inode] else { return nil }
        return FileStamp(
            identity: FileIdentity(device: 1, inode: inode, birth: file.birth),
            size: UInt64(file.bytes.count), mode: file.mode, modified: file.modified,
            changed: file.changed, links: file.kind == .folder ? 1 : file.links,
            isRacy: makesRacyStamps)
    }

    func entry(at place: Place) -> DiskEntry? {
        guard let inode = inode(at: place), let file = files[inode] else { return nil }
        return stamp(of: inode).map { DiskEntry(kind: file.kind, stamp: $0) }
    }

    /// Whether a folder is, or lies below, what a name shows.
    func isWithin(_ folder: Inode, _ place: Place) -> Bool {
        var open = [inode(at: place)].compactMap { $0 }
        while let next = open.popLast() {
            if next == folder { return true }
            open += (files[next]?.entries ?? [:]).values
        }
        return false
    }

    // MARK: Changing

    mutating func create(
        _ kind: EntryKind, at place: Place, _ bytes: [UInt8] = [], mode: UInt16? = nil
    ) {
        precondition(inode(at: place) == nil, "\(place.name.text) is there")
        tick()
        let number = free.popLast() ?? (files.keys.max() ?? 0) + 1
        var file = File(
            kind: kind, birth: now, mode: mode ?? (kind == .folder ? 0o755 : 0o644),
            modified: now, changed: now, bytes: bytes)
        clamp(&file)
        files[number] = file
        link(number, at: place)
    }

    /// Within the tick of the last write, while nobody watches: nothing but the bytes tells.
    mutating func writeUnseen(_ bytes: [UInt8], to inode: Inode) { files[inode]?.bytes = bytes }

    /// Writes in place.
    mutating func write(_ bytes: [UInt8], to inode: Inode) {
        tick()
        change(inode) { file, now in
            file.bytes = bytes
            file.modified = now
        }
    }

    mutating func setMode(_ mode: UInt16, of inode: Inode) {
        change(inode) { file, _ in file.mode = mode }
    }

    mutating func setModified(_ time: FileTime, of inode: Inode) {
        change(inode) { file, _ in file.modified = time }
    }

    private mutating func change(_ inode: Inode, _ body: (inout File, FileTime) -> Void) {
        guard var file = files[inode] else { preconditionFailure("no such file") }
        body(&file, now)
        file.changed = now
        clamp(&file)
        files[inode] = file
        for (folder, parent) in files {
            for (name, child) in parent.entries where child == inode {
                notice(Place(folder: folder, name: name))
            }
        }
    }

    mutating func link(_ inode: Inode, at place: Place) {
        files[place.folder]?.entries[place.name] = inode
        files[inode]?.links += 1
        touch(inode)
        notice(place)
    }

    private mutating func unlink(_ place: Place) -> Inode {
        guard let inode = files[place.folder]?.entries.removeValue(forKey: place.name) else {
            preconditionFailure("\(place.name.text) is not there")
        }
        files[inode]?.links -= 1
        touch(inode)
        notice(place)
        return inode
    }

    private mutating func touch(_ inode: Inode) {
        let now = now
        files[inode]?.changed = now
    }

    private mutating func release(_ inode: Inode) {
        guard let file = files[inode], file.links == 0 else { return }
        files[inode] = nil
        watched[inode] = nil
        watchedReaders[inode] = nil
        free.append(inode)
    }

    /// Removes a file, or a folder with all that is in it, from the innermost out, as `rm -r`.
    mutating func remove(_ place: Place) {
        if let inode = inode(at: place), files[inode]?.kind == .folder {
            for name in (files[inode]?.entries ?? [:]).keys.sorted() {
                remove(Place(folder: inode, name: name))
            }
        }
        tick()
        release(unlink(place))
    }

    /// `rename`: what is at the target goes.
    mutating func move(_ source: Place, to target: Place) {
        tick()
        let inode = unlink(source)
        if self.inode(at: target) != nil { release(unlink(target)) }
        link(inode, at: target)
    }

    mutating func exchange(_ one: Place, _ other: Place) {
        tick()
        let first = unlink(one)
        let second = unlink(other)
        link(first, at: other)
        link(second, at: one)
    }

    private mutating func notice(_ place: Place) {
        guard watched[place.folder] != nil, !notices.contains(place) else { return }
        notices.append(place)
    }

    /// Another program reads the file.
    mutating func read(_ inode: Inode) -> ItemID? { watchedReaders.removeValue(forKey: inode) }

    mutating func forgetReaders(of item: ItemID) {
        watchedReaders = watchedReaders.filter { $0.value != item }
    }
}

extension FileStamp {
    /// Nothing but a name changed between two looks.
    func isUntouched(since other: FileStamp) -> Bool {
        identity == other.identity && size == other.size && mode == other.mode
            && modified == other.modified
    }
}
