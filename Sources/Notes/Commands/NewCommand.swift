import Foundation
import Glibc
import NotesCore

/// `notes new`: a note in a file of its own, named by its title.
struct NewCommand: Command {
    static let word = "new"
    static let usage = "notes new [TITLE] [--notebook N] [--tag T]... [--json]"
    static let options = ["--notebook", "--tag"]
    static let flags = ["--json"]

    private let title: [UInt8]?
    private let notebook: NotePath
    private let tags: [[UInt8]]
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(NotesFailure) {
        title = try arguments.words(0...1).first
        notebook = try Notes.notebook(arguments.value("--notebook") ?? [])
        tags = arguments.all("--tag")
        isJSON = arguments.has("--json")
    }

    func run() async throws(NotesFailure) {
        let folder = try NoteFolder()
        if isatty(STDIN_FILENO) == 1 {
            try await writeInEditor(folder)
        } else {
            let text = try NotesFailure.naming("read") { () throws(FileFailure) in
                try FileContent.readInput()
            }
            try await save(text, in: folder)
        }
    }

    /// What was typed stays in its file until the note is saved.
    private func writeInEditor(_ folder: NoteFolder) async throws(NotesFailure) {
        let draft = try NotesFailure.naming("make") { () throws(FileFailure) in
            try makeDraft()
        }
        do throws(NotesFailure) {
            try Editor.open(draft)
            let text = try NotesFailure.naming("read") { () throws(FileFailure) in
                try FileContent.read(draft).bytes
            }
            try await save(text, in: folder)
        } catch {
            guard case .failed(let reason) = error else { throw error }
            throw .failed("\(reason); what was typed is in \(shown(draft))")
        }
        try? FileSystem.remove(draft)
    }

    private func makeDraft() throws(FileFailure) -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.filePath
        let path = folder + Array("/note-\(UUID().uuidString).md".utf8)
        let file = try FileSystem.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        if let title {
            let start = Note(path: NotePath([]), bytes: []).adding(heading: oneLine(title))
            try FileSystem.write((start + [newline])[...], to: file)
        }
        return path
    }

    private func save(_ text: [UInt8], in folder: NoteFolder) async throws(NotesFailure) {
        let bytes = content(text)
        let note = Note(path: NotePath([]), bytes: bytes)
        let name = title ?? note.title
        guard !name.isEmpty || !text.isEmpty else {
            throw .failed("there is nothing to save: give a title or a text")
        }
        let path = try NotesFailure.naming("save") { () throws(FileFailure) in
            try folder.create(bytes, title: name, notebook: notebook)
        }
        let item = try await folder.item(of: path)
        if isJSON {
            try Output.say(json: NoteRow(item, bytes, nil, folder))
        } else {
            try Output.write(
                Array("\(item.id)\t".utf8) + folder.place(of: path) + [newline])
        }
    }

    /// The text as it came, below a heading if it has not the title that was given.
    private func content(_ text: [UInt8]) -> [UInt8] {
        var note = Note(path: NotePath([]), bytes: text)
        if let title, note.title != oneLine(title) {
            note = Note(path: NotePath([]), bytes: note.adding(heading: oneLine(title)))
        }
        return tags.isEmpty ? note.bytes : note.adding(tags: tags)
    }

    private func oneLine(_ title: [UInt8]) -> [UInt8] {
        title.map { $0 == newline || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
    }
}

private let newline = UInt8(ascii: "\n")
