import Foundation
import NotesCore
import Ubiquity

/// `notes append`: more text at a note's end.
struct AppendCommand: Command {
    static let word = "append"
    static let usage = "notes append NOTE [TEXT]"

    private let name: [UInt8]
    /// Nil for what standard input gives.
    private let text: [UInt8]?

    init(_ arguments: Arguments) throws(NotesFailure) {
        let words = try arguments.words(1...2)
        name = words[0]
        text = words.count > 1 ? words[1] : nil
    }

    func run() async throws(NotesFailure) {
        let folder = try NoteFolder()
        let item = try await NoteFinder(folder).find(name)
        let place = folder.place(of: item.path)
        guard item.isHere else {
            throw .failed(
                "\(shown(place)) is not downloaded: use `ubiquity download` with its path")
        }
        let more: [UInt8]
        if let text {
            more = text
        } else {
            more = try NotesFailure.naming("read") { () throws(FileFailure) in
                try FileContent.readInput()
            }
        }
        if more.isEmpty { return }
        // Two of these commands at the same time take turns.
        let lock = try NotesFailure.naming("lock") { () throws(FileFailure) in
            let container = try FileSystem.open(folder.container, O_RDONLY | O_DIRECTORY)
            try FileSystem.lock(container)
            return container
        }
        defer { _ = lock.number }
        try await append(more, to: item.path, at: place)
    }

    private func append(
        _ more: [UInt8], to path: NotePath, at place: [UInt8]
    ) async throws(NotesFailure) {
        for _ in 0..<mostAttempts {
            let document = NoteDocument(fileURL: fileURL(place))
            guard await document.open() else { throw failure("read", place, document.failure) }
            document.bytes = Note(path: path, bytes: document.bytes).appending(more)
            if await document.save(to: document.fileURL, for: .forOverwriting) {
                await document.close()
                return
            }
            await document.abandon()
            // What somebody else has saved meanwhile is read again, and stays.
            guard document.failure is NoteDocument.ChangedMeanwhile else {
                throw failure("save", place, document.failure)
            }
        }
        throw .failed("cannot save \(shown(place)): it changes all the time, try again later")
    }

    private func failure(
        _ action: String, _ place: [UInt8], _ error: (any Error)?
    ) -> NotesFailure {
        let cocoa = error as? CocoaError
        let underlying = unsafe cocoa?.userInfo[NSUnderlyingErrorKey] as? NSError
        if let underlying, underlying.domain == NSPOSIXErrorDomain {
            return .file(action, FileFailure(path: place, code: Int32(underlying.code)))
        }
        let reason = error.map { ": \($0.localizedDescription)" } ?? ""
        return .failed("cannot \(action) \(shown(place))\(reason)")
    }
}

private let mostAttempts = 20
