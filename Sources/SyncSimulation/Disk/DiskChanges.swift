import SyncCore

/// The system calls that change a simulated disk.
extension SimulatedDisk {
    mutating func create(
        _ kind: EntryKind, at place: DiskPlace, mode: UInt16, bytes: [UInt8] = []
    ) throws(DiskError) -> InodeNumber {
        try requireFolder(place.folder)
        guard inode(at: place) == nil else { throw .exists }
        guard !isFull else { throw .noSpace }
        let number = makeInode(kind, mode: held(mode))
        self[number].bytes = bytes
        self[number].written = time
        link(number, at: place)
        return number
    }

    /// A second name for a file.
    mutating func addLink(to number: InodeNumber, at place: DiskPlace) throws(DiskError) {
        try requireFolder(place.folder)
        guard inode(at: place) == nil else { throw .exists }
        link(number, at: place)
        self[number].changed = fileTime
    }

    mutating func open(_ number: InodeNumber, forWriting: Bool) {
        self[number].handles += 1
        if forWriting {
            self[number].writers += 1
        } else if let item = watchedFiles.removeValue(forKey: number) {
            notices.append(.opened(item))
        }
    }

    mutating func close(_ number: InodeNumber, forWriting: Bool) {
        self[number].handles -= 1
        if forWriting {
            self[number].writers -= 1
            tellWatchers(of: number)
        }
        releaseIfUnreachable(number)
    }

    /// Replaces a file's content through an open handle.
    mutating func write(
        _ bytes: [UInt8], to number: InodeNumber, save: SaveID?, by actor: DiskActor
    ) throws(DiskError) {
        guard !isFull || bytes.count <= self[number].bytes.count else { throw .noSpace }
        note(replacementOf: number, by: actor)
        self[number].bytes = bytes
        self[number].save = save
        self[number].isFlushed = false
        self[number].written = time
        self[number].modified = fileTime
        self[number].changed = fileTime
        for place in self[number].places where watchedFolders.contains(place.folder) {
            notices.append(.written(place))
        }
        tellWatchers(of: number)
    }

    /// Makes the content and all names so far survive a power failure.
    mutating func flush(_ number: InodeNumber) {
        self[number].isFlushed = true
        flushNames()
    }

    mutating func setMode(_ mode: UInt16, of number: InodeNumber) {
        self[number].mode = held(mode)
        self[number].changed = fileTime
        tellWatchers(of: number)
    }

    mutating func setModified(_ time: FileTime, of number: InodeNumber) {
        self[number].modified = held(time)
        self[number].changed = fileTime
        tellWatchers(of: number)
    }

    mutating func unlink(_ place: DiskPlace, by actor: DiskActor) throws(DiskError) {
        guard let number = inode(at: place) else { throw .missing }
        guard self[number].kind != .folder else { throw .notFolder }
        if self[number].places.count == 1 { note(replacementOf: number, by: actor) }
        detach(number, from: place)
        self[number].changed = fileTime
        self[number].unlinkedBy = actor
        releaseIfUnreachable(number)
    }

    mutating func removeFolder(_ place: DiskPlace) throws(DiskError) {
        guard let number = inode(at: place) else { throw .missing }
        guard self[number].kind == .folder else { throw .notFolder }
        guard self[number].entries.isEmpty else { throw .notEmpty }
        detach(number, from: place)
        releaseIfUnreachable(number)
    }

    /// `rename`; with `replacing` a file at the target goes.
    mutating func rename(
        _ source: DiskPlace, to target: DiskPlace, replacing: Bool, by actor: DiskActor
    ) throws(DiskError) {
        guard let number = inode(at: source) else { throw .missing }
        try requireFolder(target.folder)
        guard source != target else { return }
        if self[number].kind == .folder, isWithin(target.folder, number) { throw .withinItself }
        if inode(at: target) != nil {
            guard replacing else { throw .exists }
            guard self[number].kind != .folder else { throw .exists }
            try unlink(target, by: actor)
        }
        note(renaming: source.name, to: target.name, by: actor)
        detach(number, from: source)
        link(number, at: target)
        self[number].changed = fileTime
        self[number].movedBy = actor
    }

    /// `RENAME_EXCHANGE`.
    mutating func exchange(_ one: DiskPlace, _ other: DiskPlace) throws(DiskError) {
        guard let first = inode(at: one), let second = inode(at: other) else { throw .missing }
        note(renaming: one.name, to: other.name, by: .person)
        note(renaming: other.name, to: one.name, by: .person)
        detach(first, from: one)
        detach(second, from: other)
        link(first, at: other)
        link(second, at: one)
        self[first].changed = fileTime
        self[second].changed = fileTime
    }

    private mutating func link(_ number: InodeNumber, at place: DiskPlace) {
        self[place.folder].entries.set(place.name, number)
        self[number].places.append(place)
        touchFolder(place.folder)
        tell(place)
    }

    private mutating func detach(_ number: InodeNumber, from place: DiskPlace) {
        self[place.folder].entries.remove(place.name)
        self[number].places.removeAll { $0 == place }
        touchFolder(place.folder)
        tell(place)
    }

    private mutating func touchFolder(_ folder: InodeNumber) {
        self[folder].modified = fileTime
        self[folder].changed = fileTime
    }

    private func requireFolder(_ folder: InodeNumber) throws(DiskError) {
        guard !inodes[folder].isFree else { throw .missing }
        guard inodes[folder].kind == .folder else { throw .notFolder }
        guard folder == containers || folder == staging || !inodes[folder].places.isEmpty else {
            throw .missing
        }
    }

    private mutating func note(replacementOf number: InodeNumber, by actor: DiskActor) {
        if actor == .person, let save = self[number].save { replacedByPerson.append(save) }
    }

    private mutating func tellWatchers(of number: InodeNumber) {
        for place in self[number].places { tell(place) }
    }

    private mutating func tell(_ place: DiskPlace) {
        guard watchedFolders.contains(place.folder) else { return }
        notices.append(.changed(place))
    }
}
