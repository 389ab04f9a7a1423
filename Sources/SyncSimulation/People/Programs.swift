import SyncCore
import SyncStore

/// Programs that take several steps: between two of them anything may happen.
extension Simulation {
    mutating func startSaving(
        _ bytes: [UInt8], to path: [Name], having read: [Token], _ way: SavingWay,
        on index: Int, _ salt: UInt64
    ) {
        let saving = RunningProgram.Saving(way: way, bytes: bytes, read: read)
        start(RunningProgram(path: path, work: .save(saving), salt: salt), on: index)
    }

    mutating func start(_ program: RunningProgram, on index: Int) {
        devices[index].programsStarted += 1
        devices[index].programs[devices[index].programsStarted] = program
        continueProgram(devices[index].programsStarted, on: index)
    }

    /// Does one step; the program stays as long as it has more to do.
    mutating func continueProgram(_ id: Int, on index: Int) {
        guard var program = devices[index].programs[id] else { return }
        let goesOn: Bool
        switch program.work {
        case .save(let saving):
            switch saving.way {
            case .inPlace: goesOn = saveInPlace(saving, &program, on: index)
            case .renameOver: goesOn = saveByRename(saving, &program, on: index)
            case .backupFirst: goesOn = saveWithBackup(saving, &program, on: index)
            }
        case .append(let line): goesOn = append(line, &program, on: index)
        case .removeTree(let paths): goesOn = removeNext(of: paths, program, on: index)
        case .tidy(let folder): goesOn = tidyNext(into: folder, program, on: index)
        case .savePackage: goesOn = savePackageNext(&program, on: index)
        }
        program.step += 1
        devices[index].programs[id] = goesOn ? program : nil
        if goesOn {
            var choice = RandomSource(seed: program.salt &+ UInt64(program.step))
            let isPackage = program.texts.isEmpty == false
            let delay =
                isPackage
                ? choice.within(50_000_000...900_000_000)
                : choice.happens(perMille: 40)
                    ? choice.within(10_000_000...3_000_000_000) : choice.within(10_000...800_000)
            agenda.add(
                .program(device: index, boot: devices[index].boot, id: id), at: now + delay)
        }
        devices[index].lastSave = now
        settlePersonalActs(on: index)
    }

    /// Somebody's save comes between an install's look at the file and its swap.
    mutating func saveAtInstall(of path: LocalPath, on index: Int) {
        guard devices[index].savesAtInstall > 0, plan.kind == .everybody,
            let text = read(path.names, on: index)
        else { return }
        devices[index].savesAtInstall -= 1
        counts[.saveAtInstall] += 1
        var choice = RandomSource(seed: random.next())
        let way: SavingWay = choice.pick([.inPlace, .renameOver])
        let read = Document.tokens(in: text)
        startSaving(
            changed(text, &choice), to: path.names, having: read, way, on: index, choice.next())
        let id = devices[index].programsStarted
        while devices[index].programs[id] != nil { continueProgram(id, on: index) }
    }

    // MARK: - Saving

    private mutating func saveInPlace(
        _ saving: RunningProgram.Saving, _ program: inout RunningProgram, on index: Int
    ) -> Bool {
        switch program.step {
        case 0: return openForWriting(saving, &program, on: index)
        case 1:
            write(saving.bytes, program, on: index)
            return true
        default:
            closeWritten(program, on: index)
            return false
        }
    }

    /// Opens and truncates, or creates.
    private mutating func openForWriting(
        _ saving: RunningProgram.Saving, _ program: inout RunningProgram, on index: Int
    ) -> Bool {
        guard let place = devices[index].disk.place(of: program.path) else { return false }
        if let inode = devices[index].disk.inode(at: place) {
            guard devices[index].disk[inode].kind == .file else { return false }
            let old = devices[index].disk[inode].bytes
            ledger.note(replacing: old, by: saving.bytes, having: saving.read, on: index)
            devices[index].disk.open(inode, forWriting: true)
            try? devices[index].disk.write([], to: inode, save: nil, by: .person)
            program.inode = inode
            return true
        }
        ledger.note(replacing: [], by: saving.bytes, having: saving.read, on: index)
        guard let inode = try? devices[index].disk.create(.file, at: place, mode: 0o644) else {
            return false
        }
        devices[index].disk.open(inode, forWriting: true)
        program.inode = inode
        return true
    }

    private mutating func write(
        _ bytes: [UInt8], _ program: RunningProgram, on index: Int
    ) {
        guard let inode = program.inode else { return }
        guard !devices[index].disk.isFull else {
            // The program had truncated the file, and cannot write it any more.
            ledger.note(deletionOf: bytes)
            return
        }
        // Another program may have written into the file since this one opened it.
        let standing = devices[index].disk[inode].bytes
        ledger.note(replacing: standing, by: bytes, having: [], on: index)
        if story.isTold {
            tell(index, "somebody writes \(shown(program.path)): \(Document.tokens(in: bytes))")
        }
        let save = ledger.note(saveOf: bytes, at: shown(program.path), on: index, now)
        try? devices[index].disk.write(bytes, to: inode, save: save, by: .person)
        // A file without a name: if a person took the name away, nobody expects the bytes to stay.
        let file = devices[index].disk[inode]
        if file.places.isEmpty, file.unlinkedBy == .person {
            ledger.excuse(save, .replacedByPerson)
            ledger.note(deletionOf: bytes)
        }
        // What has the name of a temporary file stays where it is.
        let isTemporary = file.places.allSatisfy { IgnoredNames.contains($0.name) }
        if isTemporary, !file.places.isEmpty { ledger.excuse(save, .underTemporaryName) }
    }

    private mutating func closeWritten(_ program: RunningProgram, on index: Int) {
        guard let inode = program.inode else { return }
        devices[index].disk.close(inode, forWriting: true)
        if story.isTold { tell(index, "somebody closes \(shown(program.path))") }
    }

    private mutating func saveByRename(
        _ saving: RunningProgram.Saving, _ program: inout RunningProgram, on index: Int
    ) -> Bool {
        switch program.step {
        case 0:
            guard let aside = aside(program, on: index, suffixes: [".tmp", "-new", ".part"]) else {
                return false
            }
            guard
                let inode = try? devices[index].disk.create(
                    .file, at: aside, mode: 0o644, bytes: saving.bytes)
            else { return false }
            devices[index].disk.open(inode, forWriting: true)
            program.inode = inode
            program.aside = aside
            return true
        case 1:
            guard let inode = program.inode else { return false }
            if program.salt % 4 != 0 { devices[index].disk.flush(inode) }
            devices[index].disk.close(inode, forWriting: true)
            return true
        default:
            renameOver(saving, program, on: index)
            return false
        }
    }

    private mutating func renameOver(
        _ saving: RunningProgram.Saving, _ program: RunningProgram, on index: Int
    ) {
        guard let aside = program.aside, let inode = devices[index].disk.inode(at: aside),
            let target = devices[index].disk.place(of: program.path)
        else { return }
        let standing = devices[index].disk.inode(at: target)
        let kind = standing.map { devices[index].disk[$0].kind }
        guard kind == nil || kind == .file else { return }
        let old = standing.map { devices[index].disk[$0].bytes } ?? []
        // Another program may have got at the temporary file.
        let bytes = devices[index].disk[inode].bytes
        ledger.note(replacing: old, by: bytes, having: saving.read, on: index)
        noteReplacedUnseen(at: target, on: index)
        let save = ledger.note(saveOf: bytes, at: shown(program.path), on: index, now)
        if let earlier = devices[index].disk[inode].save {
            ledger.excuse(earlier, .replacedByPerson)
        }
        devices[index].disk[inode].save = save
        try? devices[index].disk.rename(aside, to: target, replacing: true, by: .person)
        let tokens = Document.tokens(in: bytes)
        if story.isTold {
            tell(index, "somebody renames a new file onto \(shown(program.path)): \(tokens)")
        }
    }

    /// What a person has moved to a name, and another program replaces there before the move was
    /// heard of, is gone from where it was and was never here.
    private mutating func noteReplacedUnseen(at place: DiskPlace, on index: Int) {
        let disk = devices[index].disk
        guard disk.notices.contains(.changed(place)) || !disk.watchedFolders.contains(place.folder),
            let inode = devices[index].disk.inode(at: place),
            devices[index].disk[inode].movedBy == .person
        else { return }
        ledger.note(deletionOf: devices[index].disk[inode].bytes)
        // A placeholder that is gone is its item gone.
        ledger.note(deletionOf: known(of: inode, on: index))
    }

    private mutating func saveWithBackup(
        _ saving: RunningProgram.Saving, _ program: inout RunningProgram, on index: Int
    ) -> Bool {
        switch program.step {
        case 0:
            guard let place = devices[index].disk.place(of: program.path) else { return false }
            if let inode = devices[index].disk.inode(at: place),
                let backup = aside(program, on: index, suffixes: ["~"])
            {
                guard devices[index].disk[inode].kind == .file else { return false }
                let old = devices[index].disk[inode].bytes
                ledger.note(replacing: old, by: saving.bytes, having: saving.read, on: index)
                noteReplacedUnseen(at: place, on: index)
                // What another program has truncated goes before it is whole again.
                if devices[index].disk[inode].writers > 0 {
                    noteDeletionOfKnown(program.path, on: index)
                }
                try? devices[index].disk.rename(place, to: backup, replacing: true, by: .person)
                program.known = known(at: program.path, on: index)
                program.aside = backup
                program.movedAside = now
            }
            return true
        case 1:
            noteLongAbsence(program, on: index)
            noteMovedInto(program, on: index)
            if openForWriting(saving, &program, on: index) { return true }
            if let aside = program.aside, let name = program.path.last {
                let place = DiskPlace(folder: aside.folder, name: name)
                try? devices[index].disk.rename(aside, to: place, replacing: false, by: .person)
            }
            return false
        case 2:
            write(saving.bytes, program, on: index)
            return true
        case 3:
            closeWritten(program, on: index)
            return program.aside != nil
        default:
            removeBackup(program, on: index)
            return false
        }
    }

    /// What another program wrote into the old file after it was moved away goes with it.
    private mutating func removeBackup(_ program: RunningProgram, on index: Int) {
        guard let aside = program.aside, let inode = devices[index].disk.inode(at: aside) else {
            return
        }
        let bytes = devices[index].disk[inode].bytes
        ledger.note(replacing: bytes, by: [], having: [], on: index)
        try? devices[index].disk.unlink(aside, by: .person)
    }

    /// A name that stays empty for longer than the quiet period was deleted.
    private mutating func noteLongAbsence(_ program: RunningProgram, on index: Int) {
        guard let moved = program.movedAside, now - moved > 15_000_000 else { return }
        // Another program may have removed its backup of the same name since.
        if let aside = program.aside, let inode = devices[index].disk.inode(at: aside) {
            ledger.note(deletionOf: devices[index].disk[inode].bytes)
        }
        ledger.note(deletionOf: program.known)
    }

    /// What a person has moved to the name meanwhile counts as the program's document from then on,
    /// which the program writes over: it is gone from where it was.
    private mutating func noteMovedInto(_ program: RunningProgram, on index: Int) {
        guard program.aside != nil, let inode = devices[index].disk.inode(at: program.path),
            devices[index].disk[inode].movedBy == .person
        else { return }
        ledger.note(deletionOf: devices[index].disk[inode].bytes)
    }

    /// A temporary or backup name beside the file's.
    private func aside(
        _ program: RunningProgram, on index: Int, suffixes: [String]
    ) -> DiskPlace? {
        guard let place = devices[index].disk.place(of: program.path) else { return nil }
        let suffix = suffixes[Int(program.salt % UInt64(suffixes.count))]
        guard let name = Name(place.name.bytes + Array(suffix.utf8)) else { return nil }
        return DiskPlace(folder: place.folder, name: name)
    }

    private mutating func append(
        _ line: [UInt8], _ program: inout RunningProgram, on index: Int
    ) -> Bool {
        guard program.step == 0 else {
            closeWritten(program, on: index)
            return false
        }
        guard let inode = devices[index].disk.inode(at: program.path),
            devices[index].disk[inode].kind == .file, !devices[index].disk.isFull
        else { return false }
        devices[index].disk.open(inode, forWriting: true)
        program.inode = inode
        write(devices[index].disk[inode].bytes + line, program, on: index)
        return true
    }

    // MARK: - Removing

    /// A deletion takes what the program has put there, though somebody wrote over it just before.
    mutating func noteDeletionOfKnown(_ path: [Name], on index: Int) {
        ledger.note(deletionOf: known(at: path, on: index))
    }

    /// The content that the device's program takes for what stands at a path, or will when it runs
    /// again: of a placeholder it is the item's.
    private func known(at path: [Name], on index: Int) -> [UInt8] {
        guard let replica = devices[index].replica else {
            return devices[index].disk.inode(at: path).map { known(of: $0, on: index) } ?? []
        }
        let nodes = devices[index].store.committed.replica.nodes
        let item = replica.slot(of: LocalPath(names: path)).flatMap { replica.item(at: $0) }
        let version = item.flatMap { nodes[$0]?.base?.version }
        return version.flatMap { server.durable.everContent(of: $0) } ?? []
    }

    private func known(of inode: InodeNumber, on index: Int) -> [UInt8] {
        let bases = devices[index].store.committed.replica.nodes.values.compactMap { $0.base }
        let version = bases.first { $0.stamp.identity.inode == UInt64(inode) }?.version
        return version.flatMap { server.durable.everContent(of: $0) } ?? []
    }

    /// Who moves a file away that stood over the known one has removed that one.
    mutating func noteDeletionIfReplaced(_ path: [Name], on index: Int) {
        guard let replica = devices[index].replica,
            let slot = replica.slot(of: LocalPath(names: path)),
            let item = replica.item(at: slot),
            let base = devices[index].store.committed.replica.nodes[item]?.base,
            let inode = devices[index].disk.inode(at: path)
        else { return }
        guard UInt64(inode) != base.stamp.identity.inode else { return }
        ledger.note(deletionOf: server.durable.content(of: base.version) ?? [])
    }

    private mutating func removeNext(
        of paths: [[Name]], _ program: RunningProgram, on index: Int
    ) -> Bool {
        guard program.step < paths.count else { return false }
        let path = paths[program.step]
        guard let place = devices[index].disk.place(of: path),
            let inode = devices[index].disk.inode(at: place)
        else { return program.step + 1 < paths.count }
        if story.isTold { tell(index, "somebody removes \(shown(path))") }
        if devices[index].disk[inode].kind == .folder {
            try? devices[index].disk.removeFolder(place)
        } else {
            ledger.note(deletionOf: devices[index].disk[inode].bytes)
            noteDeletionOfKnown(path, on: index)
            try? devices[index].disk.unlink(place, by: .person)
        }
        return program.step + 1 < paths.count
    }
}
