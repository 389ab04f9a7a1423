import Foundation
import NotesCore

/// `notes show`: a note's bytes, exactly.
struct ShowCommand: Command {
    static let word = "show"
    static let usage = "notes show NOTE [--json]"
    static let flags = ["--json"]

    private let name: [UInt8]
    private let isJSON: Bool

    /// A note with all of its text.
    private struct Row: Encodable {
        let row: NoteRow
        let bytes: [UInt8]

        private enum Key: String, CodingKey {
            case text
            case textBytes
        }

        func encode(to encoder: any Encoder) throws {
            try row.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(text(bytes), forKey: .text)
            if String(validating: bytes, as: UTF8.self) == nil {
                try container.encode(base64(bytes), forKey: .textBytes)
            }
        }
    }

    init(_ arguments: Arguments) throws(NotesFailure) {
        name = try arguments.words(1...1)[0]
        isJSON = arguments.has("--json")
    }

    func run() async throws(NotesFailure) {
        let folder = try NoteFolder()
        let item = try await NoteFinder(folder).find(name)
        let (bytes, facts) = try folder.content(of: item)
        if isJSON {
            try Output.say(json: Row(row: NoteRow(item, bytes, facts, folder), bytes: bytes))
        } else {
            try Output.write(bytes)
        }
    }
}

extension NoteFolder {
    func content(of item: NoteItem) throws(NotesFailure) -> (bytes: [UInt8], facts: FileFacts) {
        let place = place(of: item.path)
        guard item.isHere else {
            throw .failed(
                "\(shown(place)) is not downloaded: use `ubiquity download` with its path")
        }
        return try NotesFailure.naming("read") { () throws(FileFailure) in
            try FileContent.read(place)
        }
    }
}
