import SyncCore

/// What people do that takes more than one thought.
extension Simulation {
    // MARK: - With an editor

    /// Back to an older text of the same editor, to its very bytes.
    mutating func undo(on index: Int, _ choice: inout RandomSource) {
        let undoable = devices[index].editors.indices.filter {
            !devices[index].editors[$0].history.isEmpty
        }
        guard !undoable.isEmpty else { return saveEditor(on: index, &choice) }
        let place = choice.pick(undoable)
        var editor = devices[index].editors[place]
        let before = editor.tokens
        guard let text = editor.history.popLast() else { return }
        counts[.undo] += 1
        editor.text = text
        editor.tokens = Document.tokens(in: text)
        devices[index].editors[place] = editor
        let way = choice.pick(SavingWay.allCases)
        startSaving(text, to: editor.path, having: before, way, on: index, choice.next())
    }

    /// Changes one line to another one of the same length, in place: only the time tells.
    mutating func saveSameSize(on index: Int, _ choice: inout RandomSource) {
        guard !devices[index].editors.isEmpty else { return openEditor(on: index, &choice) }
        let place = choice.below(devices[index].editors.count)
        var editor = devices[index].editors[place]
        let before = editor.tokens
        var lines = Document.lines(of: editor.text)
        let first = editor.text.starts(with: Document.binaryMark) ? 1 : 0
        guard lines.count > first else { return }
        let changed = first + choice.below(lines.count - first)
        let token = ledger.newToken()
        guard let line = Document.line(token, count: lines[changed].count) else {
            return saveEditor(on: index, &choice)
        }
        counts[.sameSize] += 1
        lines[changed] = line
        editor.history.append(editor.text)
        editor.text = lines.flatMap { $0 }
        editor.tokens = Document.tokens(in: editor.text)
        devices[index].editors[place] = editor
        startSaving(
            editor.text, to: editor.path, having: before, .inPlace, on: index, choice.next())
    }

    /// The same document in an editor on two devices.
    mutating func openTwice(on index: Int, and other: Int, _ choice: inout RandomSource) {
        guard let path = pick(.file, index, &choice) else { return }
        for device in [index, other] {
            guard let text = read(path, on: device) else { continue }
            devices[device].editors.append(
                Editor(path: path, text: text, tokens: Document.tokens(in: text)))
        }
    }

    // MARK: - With names

    /// Deletes a file and makes another one under its name, at once.
    mutating func makeAgain(on index: Int, _ choice: inout RandomSource) {
        guard let path = pick(.file, index, &choice) else { return }
        // One typist looks at what is to go.
        if plan.kind == .oneTypist { _ = read(path, on: index) }
        counts[.madeAgain] += 1
        let salt = choice.next()
        start(RunningProgram(path: path, work: .removeTree([path]), salt: salt), on: index)
        var bytes: [UInt8] = []
        for _ in 0..<(1 + choice.below(4)) { bytes += Document.line(ledger.newToken(), &choice) }
        startSaving(bytes, to: path, having: [], .inPlace, on: index, choice.next())
    }

    /// `cp -r`.
    mutating func copyFolder(on index: Int, _ choice: inout RandomSource) {
        guard let source = pick(.folder, index, &choice), source.count < 5,
            let name = Name(source[source.count - 1].bytes + Array(" copy".utf8))
        else { return }
        let target = Array(source.dropLast()) + [name]
        guard devices[index].disk.inode(at: target) == nil else { return }
        counts[.copiedFolder] += 1
        if story.isTold { tell(index, "somebody copies \(shown(source))") }
        for (path, inode) in devices[index].disk.allPaths() where path.starts(with: source) {
            copy(inode, from: path, to: target + Array(path.dropFirst(source.count)), on: index)
        }
    }

    private mutating func copy(
        _ inode: InodeNumber, from path: [Name], to target: [Name], on index: Int
    ) {
        guard let place = devices[index].disk.place(of: target) else { return }
        let kind = devices[index].disk[inode].kind
        guard kind == .file else {
            let bytes = devices[index].disk[inode].bytes
            _ = try? devices[index].disk.create(kind, at: place, mode: 0o755, bytes: bytes)
            return
        }
        guard let bytes = read(path, on: index),
            let copy = try? devices[index].disk.create(.file, at: place, mode: 0o644, bytes: bytes)
        else { return }
        // What has the name of a temporary file stays where it is.
        guard !target.contains(where: IgnoredNames.contains) else { return }
        devices[index].disk[copy].save = ledger.note(
            saveOf: bytes, at: shown(target), on: index, now)
    }

    // MARK: - On two devices at once

    /// One person takes a file out of a folder, or puts one into it, while another deletes it.
    mutating func moveWhileDeleted(
        isIn: Bool, on index: Int, and other: Int, _ choice: inout RandomSource
    ) {
        guard let home = home(on: index) else { return }
        let folders = paths(.folder, on: index).filter {
            devices[other].disk.inode(at: $0) != nil
        }
        guard !folders.isEmpty else { return makeFolder(on: index, &choice) }
        let folder = choice.pick(folders)
        let files = paths(.file, on: index).filter { $0.starts(with: folder) != isIn }
        guard !files.isEmpty else { return }
        let file = choice.pick(files)
        counts[.movedWhileDeleted] += 1
        move(file, to: (isIn ? folder : home) + Array(file.suffix(1)), on: index)
        deleteFolder(folder, on: other, &choice)
    }

    /// One person renames a folder while another edits in it.
    mutating func renameWhileEdited(on index: Int, and other: Int, _ choice: inout RandomSource) {
        let files = paths(.file, on: other).filter { path in
            path.count > 3 && devices[index].disk.inode(at: Array(path.dropLast())) != nil
        }
        guard !files.isEmpty else { return }
        let file = choice.pick(files)
        guard let text = read(file, on: other) else { return }
        counts[.renamedWhileEdited] += 1
        let folder = Array(file.dropLast())
        move(folder, to: Array(folder.dropLast()) + [choice.pick(folderNames)], on: index)
        startSaving(
            changed(text, &choice), to: file, having: Document.tokens(in: text),
            choice.pick(SavingWay.allCases), on: other, choice.next())
    }
}
