import Foundation
import NotesCore

/// `notes delete`: a note goes to the trash, where it stays for 30 days.
struct DeleteCommand: Command {
    static let word = "delete"
    static let usage = "notes delete NOTE"

    private let name: [UInt8]

    init(_ arguments: Arguments) throws(NotesFailure) { name = try arguments.words(1...1)[0] }

    func run() async throws(NotesFailure) {
        let folder = try NoteFolder()
        let item = try await NoteFinder(folder).find(name)
        // What is not downloaded is deleted by its placeholder.
        let place = item.isHere ? folder.place(of: item.path) : folder.placeholder(of: item.path)
        try NotesFailure.naming("delete") { () throws(FileFailure) in
            try FileSystem.remove(place)
            try folder.synchronizeFolder(of: item.path)
        }
        try Output.say("deleted \(shown(item.path.bytes))")
    }
}
