import SyncCore

/// What people do in the encounters of a plan.
extension Simulation {
    private static let longName = Home.name("long.md")

    private func longPath(on index: Int) -> [Name]? {
        home(on: index).map { $0 + [Self.longName] }
    }

    /// The text is the same however often it is saved: whoever has its chunks has all of it.
    mutating func saveLongText(on index: Int, _ choice: inout RandomSource) {
        guard let path = longPath(on: index) else { return }
        if longText.isEmpty {
            for _ in 0..<24 {
                longText += Document.line(ledger.newToken(), count: 16) ?? []
            }
        } else {
            counts[.longTextAgain] += 1
        }
        let read = read(path, on: index).map(Document.tokens) ?? []
        startSaving(longText, to: path, having: read, .inPlace, on: index, choice.next())
    }

    mutating func replaceLongText(on index: Int, _ choice: inout RandomSource) {
        guard let path = longPath(on: index), let text = read(path, on: index) else { return }
        startSaving(
            Document.line(ledger.newToken(), &choice), to: path, having: Document.tokens(in: text),
            .inPlace, on: index, choice.next())
    }

    /// The folder is made, the document moved and read, and the change saved, within the time that
    /// a look at the folder takes.
    mutating func tidyAndEdit(on index: Int, _ choice: inout RandomSource) {
        guard let home = home(on: index), let path = pick(.file, index, &choice) else { return }
        let folder = home + [Home.name("tidy \(ledger.newToken())")]
        guard let place = devices[index].disk.place(of: folder),
            (try? devices[index].disk.create(.folder, at: place, mode: 0o755)) != nil
        else { return }
        counts[.tidied] += 1
        if story.isTold { tell(index, "somebody makes the folder \(shown(folder))") }
        start(
            RunningProgram(path: path, work: .tidy(into: folder), salt: choice.next()), on: index)
    }

    /// Moves the document, then edits it.
    mutating func tidyNext(
        into folder: [Name], _ program: RunningProgram, on index: Int
    ) -> Bool {
        let target = folder + program.path.suffix(1)
        switch program.step {
        case 0: return true
        case 1:
            move(program.path, to: target, on: index)
            return true
        default:
            guard let text = read(target, on: index) else { return false }
            var choice = RandomSource(seed: program.salt)
            startSaving(
                changed(text, &choice), to: target, having: Document.tokens(in: text), .inPlace,
                on: index, choice.next())
            return false
        }
    }
}
