import Foundation
import NotesCore

/// `notes import`: notes from a folder of Markdown files, such as another app's vault or export.
struct ImportCommand: Command {
    static let word = "import"
    static let usage = "notes import FOLDER [--notebook N] [--json]"
    static let options = ["--notebook"]
    static let flags = ["--json"]

    private let source: [UInt8]
    private let notebook: NotePath
    private let isJSON: Bool

    init(_ arguments: Arguments) throws(NotesFailure) {
        source = try arguments.words(1...1)[0]
        notebook = try Notes.notebook(arguments.value("--notebook") ?? [])
        isJSON = arguments.has("--json")
    }

    func run() async throws(NotesFailure) {
        let folder = try NoteFolder()
        var work = FolderImport(from: try origin(folder), into: notebook, of: folder)
        work.run()
        try tell(work.report)
        if let failure = work.diskFailure {
            throw .failed(
                "the import is not complete: \(failure.reason): make that good and run it again")
        }
    }

    private func origin(_ folder: NoteFolder) throws(NotesFailure) -> [UInt8] {
        guard let place = FileSystem.resolved(source) else {
            throw .failed("cannot import \(shown(source)): it is not there")
        }
        let facts = try NotesFailure.naming("import") { () throws(FileFailure) in
            try FileSystem.look(place)
        }
        guard facts?.kind == .folder else {
            throw .failed("cannot import \(shown(source)): it is no folder of Markdown files")
        }
        let own = FileSystem.resolved(folder.documents) ?? folder.documents
        if isInside(place, own) || isInside(own, place) {
            throw .failed(
                "cannot import \(shown(source)): its notes are in the folder of the notes already")
        }
        return place
    }

    private func isInside(_ place: [UInt8], _ other: [UInt8]) -> Bool {
        place == other || place.starts(with: other + [UInt8(ascii: "/")])
    }

    private func tell(_ report: ImportReport) throws(NotesFailure) {
        if isJSON { return try Output.say(json: report) }
        for skipped in report.skipped {
            try Output.say("skipped \(shown(Array(skipped.source.utf8))): \(skipped.reason)")
        }
        try Output.say(
            "read \(report.read), imported \(report.imported) "
                + "(\(report.unchanged) were there already), skipped \(report.skipped.count); "
                + "\(report.attachments) attachments")
    }
}
