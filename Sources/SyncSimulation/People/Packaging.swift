import SyncCore

/// Packages as people save them: member by member, with a pause between two.
///
/// On a simulated disk a package is one leaf, whose bytes are its content: what a device's program
/// makes of a folder's members is tried on real file systems.
extension Simulation {
    private static let packageName = Home.name("doc.rtfd")
    private static let members = ["first", "second"]

    /// Makes the document, or adds a line to each of its members.
    mutating func savePackage(on index: Int, _ choice: inout RandomSource) {
        guard let path = home(on: index).map({ $0 + [Self.packageName] }),
            !devices[index].programs.values.contains(where: { $0.path == path })
        else { return }
        counts[.packageSaved] += 1
        start(RunningProgram(path: path, work: .savePackage, salt: choice.next()), on: index)
    }

    /// Writes one member at each step; at the first all is read before.
    mutating func savePackageNext(_ program: inout RunningProgram, on index: Int) -> Bool {
        guard let place = devices[index].disk.place(of: program.path) else { return false }
        if program.step == 0, !beginPackage(at: place, &program, on: index) { return false }
        guard let inode = program.inode, devices[index].disk.inode(at: place) == inode else {
            ledger.note(halfSavedOn: index)
            return false
        }
        let isLast = program.step + 1 == program.texts.count
        let old = devices[index].disk[inode].bytes
        let bytes = Self.package(program.known, program.texts.prefix(program.step + 1))
        guard !devices[index].disk.isFull else {
            ledger.note(halfSavedOn: index)
            return false
        }
        let read = Document.tokens(in: program.known)
        ledger.note(replacing: old, by: bytes, having: read, on: index)
        var save: SaveID?
        if isLast {
            save = ledger.note(saveOf: bytes, at: shown(program.path), on: index, now)
        } else {
            ledger.note(half: bytes, on: index)
        }
        if story.isTold {
            tell(index, "somebody writes in doc.rtfd: \(Document.tokens(in: bytes))")
        }
        try? devices[index].disk.write(bytes, to: inode, save: save, by: .person)
        if isLast { devices[index].openPackage = bytes }
        return !isLast
    }

    /// Thinks of what to save: from what the program has read, which may be long ago.
    private mutating func beginPackage(
        at place: DiskPlace, _ program: inout RunningProgram, on index: Int
    ) -> Bool {
        var choice = RandomSource(seed: program.salt)
        var texts = Self.members.map { _ in [UInt8]([0x0A]) }
        if let inode = devices[index].disk.inode(at: place) {
            guard devices[index].disk[inode].kind == .package else { return false }
            program.known = openPackage(inode, on: index, &choice)
            if let content = PackageContent(bytes: program.known) { texts = content.contents }
            program.inode = inode
        } else {
            program.known = Self.package([], texts[...])
            program.inode = try? devices[index].disk.create(
                .package, at: place, mode: 0o755, bytes: program.known)
            ledger.note(half: program.known, on: index)
        }
        for member in texts.indices {
            texts[member] += Document.line(ledger.newToken(), &choice)
        }
        program.texts = texts
        return program.inode != nil
    }

    /// What the program that has the document open shows of it; it reads it if it is closed, or if
    /// it looks at the disk before it saves.
    private mutating func openPackage(
        _ inode: InodeNumber, on index: Int, _ choice: inout RandomSource
    ) -> [UInt8] {
        let standing = devices[index].disk[inode].bytes
        if let open = devices[index].openPackage, choice.happens(perMille: 750) {
            if open != standing { counts[.stalePackageSave] += 1 }
            return open
        }
        devices[index].disk.open(inode, forWriting: false)
        devices[index].disk.close(inode, forWriting: false)
        ledger.note(readingOf: standing, on: index, now)
        if story.isTold { tell(index, "somebody reads doc.rtfd") }
        return standing
    }

    /// The content with the first members as they are now, and the others as they were.
    private static func package(_ before: [UInt8], _ texts: ArraySlice<[UInt8]>) -> [UInt8] {
        var contents = PackageContent(bytes: before)?.contents ?? []
        for (member, text) in texts.enumerated() {
            if member < contents.count { contents[member] = text } else { contents.append(text) }
        }
        let list = zip(members, contents).map { name, text in
            PackageMember(
                path: Array(name.utf8), kind: .file, mode: 0o644,
                modified: FileTime(seconds: 0, nanoseconds: 0), size: UInt64(text.count))
        }
        return PackageList(list).flatMap { PackageContent($0, contents: contents)?.bytes } ?? []
    }
}
