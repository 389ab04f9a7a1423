import Foundation
import NotesCore

/// `notes list`: all notes, the one that was changed last first.
struct ListCommand: Command {
    static let word = "list"
    static let usage = "notes list [--notebook N] [--json]"
    static let options = ["--notebook"]
    static let flags = ["--json"]

    private let notebook: NotePath?
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(NotesFailure) {
        _ = try arguments.words(0...0)
        notebook = try arguments.value("--notebook").map(Notes.notebook)
        isJSON = arguments.has("--json")
    }

    func run() async throws(NotesFailure) {
        let folder = try NoteFolder()
        let rows = try await folder.items().filter(isInNotebook)
            .compactMap { NoteRow($0, in: folder) }
            .sorted { ($0.modified, $1.path) > ($1.modified, $0.path) }
        if isJSON {
            try Output.say(json: ["notes": rows])
        } else {
            for row in rows { try Output.say(line(row)) }
        }
    }

    /// In the notebook or in one below it.
    private func isInNotebook(_ item: NoteItem) -> Bool {
        guard let notebook, !notebook.bytes.isEmpty else { return true }
        return item.path.bytes.starts(with: notebook.bytes + [UInt8(ascii: "/")])
    }

    private func line(_ row: NoteRow) -> String {
        let marks = (row.favorite ? " *" : "") + (row.conflicts ? " !" : "")
        let notebook = row.notebook.isEmpty ? "" : "\(row.notebook)/"
        return "\(row.id.prefix(8))  \(row.modified.prefix(16))  "
            + shown(Array("\(notebook)\(row.title)\(marks)".utf8))
    }
}
