import SyncCore
import SyncStore

/// What the people at the devices do; they know nothing of what synchronises their files.
extension Simulation {
    mutating func take(_ item: Plan.Item) {
        counts[.events] += 1
        checkSynced(item)
        switch item.event {
        case .act(let act):
            var choice = RandomSource(seed: item.salt)
            if plan.kind == .oneTypist {
                // Who is alone lets one program end before another one begins.
                guard devices[item.device].programs.isEmpty, !awaitsContent(item.device),
                    !isCatchingUp(item.device)
                else { return }
                if act.changesNames || act.looksFirst {
                    // Nobody renames or opens what was saved a moment ago, or makes anew what was
                    // deleted within the time in which the watcher may not have told of it.
                    guard hasRested(item.device) else { return }
                }
                if act.changesNames { devices[item.device].closeDocuments() }
            }
            perform(act, on: item.device, &choice)
            settlePersonalActs(on: item.device)
        case .fault(let fault): cause(fault, on: item.device, item.salt)
        case .days(let count): passDays(count)
        case .heal:
            heal()
            // Who goes to another device leaves nothing unsaved behind.
            for index in devices.indices { devices[index].closeDocuments() }
        }
    }

    /// The device says that a content could not be had yet: who is alone waits for it.
    private func awaitsContent(_ index: Int) -> Bool {
        devices[index].replica?.awaitsContent ?? false
    }

    /// Nothing was saved here a moment ago, and the watcher has told of all.
    func hasRested(_ index: Int) -> Bool {
        devices[index].disk.notices.isEmpty && now - devices[index].lastSave > 2_000_000_000
    }

    /// What a person's act did to that person's own saves, and to the watcher.
    mutating func settlePersonalActs(on index: Int) {
        for save in devices[index].disk.replacedByPerson { ledger.excuse(save, .replacedByPerson) }
        devices[index].disk.replacedByPerson = []
        lastChange = now
        noticeLater(index)
    }

    private mutating func perform(_ act: Act, on index: Int, _ choice: inout RandomSource) {
        switch act {
        case .createFile: create(isBinary: false, on: index, &choice)
        case .createBinary: create(isBinary: true, on: index, &choice)
        case .makeFolder: makeFolder(on: index, &choice)
        case .makeLink: makeLink(on: index, &choice)
        case .openEditor: openEditor(on: index, &choice)
        case .saveEditor: saveEditor(on: index, &choice)
        case .closeEditor:
            if !devices[index].editors.isEmpty {
                devices[index].editors.remove(at: choice.below(devices[index].editors.count))
            }
        case .read: if let path = pick(.file, index, &choice) { _ = read(path, on: index) }
        case .overwrite: overwrite(on: index, &choice)
        case .append: append(on: index, &choice)
        case .rename: rename(on: index, isMove: false, &choice)
        case .move: rename(on: index, isMove: true, &choice)
        case .swapNames: swapNames(on: index, &choice)
        case .replaceByOther: replaceByOther(on: index, &choice)
        case .deleteFile: deleteFile(on: index, &choice)
        case .deleteFolder: deleteFolder(on: index, &choice)
        case .changeMode: changeMode(on: index, &choice)
        case .changeTime: changeTime(on: index, &choice)
        case .setValue: setValue(on: index, isRemoval: false, &choice)
        case .removeValue: setValue(on: index, isRemoval: true, &choice)
        case .settleConflict: settleConflict(on: index, &choice)
        case .restoreFromTrash: restoreFromTrash(on: index, &choice)
        case .restoreVersion: restoreVersion(on: index, &choice)
        case .undo: undo(on: index, &choice)
        case .saveSameSize: saveSameSize(on: index, &choice)
        case .makeAgain: makeAgain(on: index, &choice)
        case .copyFolder: copyFolder(on: index, &choice)
        case .saveLongText: saveLongText(on: index, &choice)
        case .replaceLongText: replaceLongText(on: index, &choice)
        case .tidyAndEdit: tidyAndEdit(on: index, &choice)
        case .savePackage: savePackage(on: index, &choice)
        case .evict: evict(on: index, &choice)
        case .download: download(on: index, &choice)
        case .writeToPlaceholder: writeToPlaceholder(on: index, &choice)
        case .movePlaceholder: movePlaceholder(on: index, &choice)
        case .removePlaceholder: removePlaceholder(on: index, &choice)
        case .saveBesidePlaceholder: saveBesidePlaceholder(on: index, &choice)
        default: performTogether(act, on: index, &choice)
        }
    }

    /// With a second device.
    private mutating func performTogether(
        _ act: Act, on index: Int, _ choice: inout RandomSource
    ) {
        let other = (index + 1 + choice.below(devices.count - 1)) % devices.count
        switch act {
        case .openTwice: openTwice(on: index, and: other, &choice)
        case .moveOutWhileDeleted:
            moveWhileDeleted(isIn: false, on: index, and: other, &choice)
        case .moveInWhileDeleted: moveWhileDeleted(isIn: true, on: index, and: other, &choice)
        default: renameWhileEdited(on: index, and: other, &choice)
        }
        settlePersonalActs(on: other)
    }

    // MARK: - What is there

    /// The folder that people work in; nil while there is none.
    func home(on index: Int) -> [Name]? {
        guard devices[index].away == nil else { return nil }
        let documents = [Home.container, Home.documents]
        return devices[index].disk.inode(at: documents) == nil ? nil : documents
    }

    /// The paths of a kind below the home folder.
    func paths(_ kind: EntryKind, on index: Int) -> [[Name]] {
        guard let home = home(on: index) else { return [] }
        return devices[index].disk.allPaths { path, found in
            path.count > home.count && found == kind
                && !IgnoredNames.contains(path[path.count - 1])
        }.map(\.path)
    }

    func pick(_ kind: EntryKind, _ index: Int, _ choice: inout RandomSource) -> [Name]? {
        let paths = paths(kind, on: index)
        return paths.isEmpty ? nil : choice.pick(paths)
    }

    func pickFolder(_ index: Int, _ choice: inout RandomSource) -> [Name]? {
        guard let home = home(on: index) else { return nil }
        return choice.pick([home, home] + paths(.folder, on: index))
    }

    private func pickPath(
        _ names: [String], _ index: Int, _ choice: inout RandomSource
    ) -> [Name]? {
        guard let folder = pickFolder(index, &choice) else { return nil }
        return folder + [Home.name(choice.pick(names))]
    }

    static let textNames = ["a.md", "b.md", "c.md", "d.md", "e\u{301}.md", "\u{e9}.md"]
    private static let binaryNames = ["p.jpg", "q.jpg", "a.md"]
    private static let folderNames = ["F", "G", "H"]
    var folderNames: [Name] { Self.folderNames.map(Home.name) }

    // MARK: - Writing

    private mutating func create(
        isBinary: Bool, on index: Int, _ choice: inout RandomSource
    ) {
        let names = isBinary ? Self.binaryNames : Self.textNames
        guard let path = pickPath(names, index, &choice) else { return }
        guard devices[index].disk.inode(at: path) == nil else { return }
        var bytes = isBinary ? Document.binaryMark : []
        for _ in 0..<(1 + choice.below(8)) {
            bytes += Document.line(ledger.newToken(), &choice)
        }
        let ways: [SavingWay] = [.inPlace, .inPlace, .renameOver]
        startSaving(bytes, to: path, having: [], choice.pick(ways), on: index, choice.next())
    }

    mutating func openEditor(on index: Int, _ choice: inout RandomSource) {
        // Who has no editor open yet opens one instead of saving.
        if plan.kind == .oneTypist, !hasRested(index) { return }
        guard let path = pick(.file, index, &choice), let text = read(path, on: index) else {
            return
        }
        let tokens = Document.tokens(in: text)
        devices[index].editors.append(Editor(path: path, text: text, tokens: tokens))
    }

    /// Reads a file as a program does, and is seen doing it.
    mutating func read(_ path: [Name], on index: Int) -> [UInt8]? {
        guard let inode = devices[index].disk.inode(at: path),
            devices[index].disk[inode].kind == .file
        else { return nil }
        devices[index].disk.open(inode, forWriting: false)
        let bytes = devices[index].disk[inode].bytes
        devices[index].disk.close(inode, forWriting: false)
        ledger.note(readingOf: bytes, on: index, now)
        if story.isTold { tell(index, "somebody reads \(shown(path))") }
        return bytes
    }

    mutating func saveEditor(on index: Int, _ choice: inout RandomSource) {
        guard !devices[index].editors.isEmpty else {
            return openEditor(on: index, &choice)
        }
        let place = choice.below(devices[index].editors.count)
        var editor = devices[index].editors[place]
        let before = editor.tokens
        editor.history.append(editor.text)
        editor.text = changed(editor.text, &choice)
        editor.tokens = Document.tokens(in: editor.text)
        devices[index].editors[place] = editor
        if let inode = devices[index].disk.inode(at: editor.path) {
            let standing = Document.tokens(in: devices[index].disk[inode].bytes)
            if standing != before { counts[.staleSave] += 1 }
        }
        let way = choice.pick(SavingWay.allCases)
        startSaving(editor.text, to: editor.path, having: before, way, on: index, choice.next())
    }

    /// A text with a new line somewhere, and now and then without one of its lines.
    mutating func changed(
        _ text: [UInt8], _ choice: inout RandomSource
    ) -> [UInt8] {
        var lines = Document.lines(of: text)
        let first = text.starts(with: Document.binaryMark) ? 1 : 0
        if lines.count > first + 1, choice.happens(perMille: 150) {
            lines.remove(at: first + choice.below(lines.count - first))
        }
        let place = min(
            lines.count, first + choice.below(lines.count - min(first, lines.count) + 1))
        lines.insert(Document.line(ledger.newToken(), &choice), at: place)
        return lines.flatMap { $0 }
    }

    private mutating func overwrite(on index: Int, _ choice: inout RandomSource) {
        guard let path = pick(.file, index, &choice) else { return }
        let bytes = Document.line(ledger.newToken(), &choice)
        startSaving(bytes, to: path, having: [], .inPlace, on: index, choice.next())
    }

    private mutating func append(on index: Int, _ choice: inout RandomSource) {
        guard let path = pick(.file, index, &choice) else { return }
        let line = Document.line(ledger.newToken(), &choice)
        start(RunningProgram(path: path, work: .append(line), salt: choice.next()), on: index)
    }

    // MARK: - Names

    mutating func makeFolder(on index: Int, _ choice: inout RandomSource) {
        guard let path = pickPath(Self.folderNames, index, &choice), path.count < 6 else { return }
        guard let place = devices[index].disk.place(of: path) else { return }
        guard (try? devices[index].disk.create(.folder, at: place, mode: 0o755)) != nil else {
            return
        }
        if story.isTold { tell(index, "somebody makes the folder \(shown(path))") }
    }

    private mutating func makeLink(on index: Int, _ choice: inout RandomSource) {
        guard let path = pickPath(["l", "m"], index, &choice) else { return }
        guard let place = devices[index].disk.place(of: path) else { return }
        let target = Array("target-\(ledger.newToken())".utf8)
        _ = try? devices[index].disk.create(.link, at: place, mode: 0o777, bytes: target)
        if story.isTold { tell(index, "somebody makes the link \(shown(path))") }
    }

    private mutating func rename(
        on index: Int, isMove: Bool, _ choice: inout RandomSource
    ) {
        let kind: EntryKind = choice.happens(perMille: 300) ? .folder : .file
        guard let source = pick(kind, index, &choice), let old = source.last else { return }
        let names = kind == .folder ? Self.folderNames : Self.textNames
        let name = isMove ? old : Home.name(choice.pick(names))
        let folder = isMove ? pickFolder(index, &choice) : Array(source.dropLast())
        guard let folder, folder.count < 6 else { return }
        move(source, to: folder + [name], on: index)
    }

    /// `mv -n`.
    mutating func move(_ source: [Name], to target: [Name], on index: Int) {
        guard let from = devices[index].disk.place(of: source),
            let to = devices[index].disk.place(of: target),
            let inode = devices[index].disk.inode(at: from)
        else { return }
        if devices[index].disk[inode].kind == .file {
            noteDeletionIfReplaced(source, on: index)
        }
        do {
            try devices[index].disk.rename(from, to: to, replacing: false, by: .person)
            if story.isTold { tell(index, "somebody moves \(shown(source)) to \(shown(target))") }
        } catch {}
    }

    /// `mv a t; mv b a; mv t b`.
    private mutating func swapNames(on index: Int, _ choice: inout RandomSource) {
        guard let one = pick(.file, index, &choice), let other = pick(.file, index, &choice),
            one != other, let first = devices[index].disk.place(of: one),
            let second = devices[index].disk.place(of: other)
        else { return }
        let between = DiskPlace(folder: first.folder, name: Home.name("between"))
        try? devices[index].disk.rename(first, to: between, replacing: false, by: .person)
        try? devices[index].disk.rename(second, to: first, replacing: false, by: .person)
        try? devices[index].disk.rename(between, to: second, replacing: false, by: .person)
        if story.isTold { tell(index, "somebody swaps \(shown(one)) and \(shown(other))") }
    }

    private mutating func replaceByOther(on index: Int, _ choice: inout RandomSource) {
        guard let one = pick(.file, index, &choice), let other = pick(.file, index, &choice),
            one != other, let from = devices[index].disk.place(of: one),
            let to = devices[index].disk.place(of: other),
            let replaced = devices[index].disk.inode(at: to)
        else { return }
        ledger.note(deletionOf: devices[index].disk[replaced].bytes)
        // A placeholder that is gone is its item gone.
        noteDeletionOfKnown(other, on: index)
        if let moved = devices[index].disk.inode(at: from) {
            // The one that had the name is gone.
            noteDeletionOfKnown(one, on: index)
            // Who puts one file over another knows what is in it.
            ledger.note(readingOf: devices[index].disk[moved].bytes, on: index, now)
        }
        try? devices[index].disk.rename(from, to: to, replacing: true, by: .person)
        if story.isTold { tell(index, "somebody moves \(shown(one)) over \(shown(other))") }
    }

    private mutating func deleteFile(on index: Int, _ choice: inout RandomSource) {
        let kind: EntryKind = choice.happens(perMille: 150) ? .link : .file
        guard let path = pick(kind, index, &choice) else { return }
        start(
            RunningProgram(path: path, work: .removeTree([path]), salt: choice.next()), on: index)
    }

    private mutating func deleteFolder(on index: Int, _ choice: inout RandomSource) {
        guard let path = pick(.folder, index, &choice) else { return }
        deleteFolder(path, on: index, &choice)
    }

    mutating func deleteFolder(_ path: [Name], on index: Int, _ choice: inout RandomSource) {
        let all = devices[index].disk.allPaths().map(\.path).filter { $0.starts(with: path) }
        let work = RunningProgram.Work.removeTree(all.reversed())
        start(RunningProgram(path: path, work: work, salt: choice.next()), on: index)
    }

    // MARK: - Facts

    private mutating func changeMode(on index: Int, _ choice: inout RandomSource) {
        let kind: EntryKind = choice.happens(perMille: 200) ? .folder : .file
        guard let path = pick(kind, index, &choice) else { return }
        guard let inode = devices[index].disk.inode(at: path) else { return }
        let modes: [UInt16] = kind == .folder ? [0o755, 0o700, 0o750] : [0o644, 0o600, 0o755]
        devices[index].disk.setMode(choice.pick(modes), of: inode)
        if story.isTold { tell(index, "somebody changes the mode of \(shown(path))") }
    }

    private mutating func changeTime(on index: Int, _ choice: inout RandomSource) {
        guard let path = pick(.file, index, &choice) else { return }
        guard let inode = devices[index].disk.inode(at: path) else { return }
        let time = choice.within(-2_000_000_000_000_000_000...2_000_000_000_000_000_000)
        devices[index].disk.setModified(FileTime(nanoseconds: time), of: inode)
        if story.isTold { tell(index, "somebody touches \(shown(path))") }
    }

    // MARK: - Through the program

    private mutating func setValue(
        on index: Int, isRemoval: Bool, _ choice: inout RandomSource
    ) {
        guard devices[index].replica != nil else { return }
        let store = Array("org.ubiquity.notes".utf8)
        let key = Array("key\(choice.below(4))".utf8)
        let value = isRemoval ? nil : Array("v\(ledger.newToken())".utf8)
        devices[index].unsavedSettings.append(
            ledger.note(setting: key, to: value ?? [], on: index, now))
        if story.isTold { tell(index, "an app sets \(String(decoding: key, as: UTF8.self))") }
        report(.command(.setValue(store: store, key: key, value: value)), to: index)
    }

    func shown(_ path: [Name]) -> String {
        path.dropFirst(2).map(\.text).joined(separator: "/")
    }
}
