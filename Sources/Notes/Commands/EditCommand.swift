import Foundation
import NotesCore

/// `notes edit`: the note's own file in an editor.
struct EditCommand: Command {
    static let word = "edit"
    static let usage = "notes edit NOTE"

    private let name: [UInt8]

    init(_ arguments: Arguments) throws(NotesFailure) { name = try arguments.words(1...1)[0] }

    func run() async throws(NotesFailure) {
        let folder = try NoteFolder()
        let item = try await NoteFinder(folder).find(name)
        let place = folder.place(of: item.path)
        guard item.isHere else {
            throw .failed(
                "\(shown(place)) is not downloaded: use `ubiquity download` with its path")
        }
        try Editor.open(place)
    }
}
