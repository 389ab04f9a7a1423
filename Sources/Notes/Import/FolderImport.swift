import Foundation
import NotesCore

/// Copies a folder of Markdown files and their attachments into the folder of the notes.
///
/// Paths below the folder, bytes, times and modes stay. No file is replaced: one with the same bytes
/// under the same name is the same, for one with other bytes the next free name is taken. A file
/// that cannot be copied is reported, and the others follow. Each file is there whole or not at all,
/// so that an import that was interrupted can be run again.
struct FolderImport {
    private let source: [UInt8]
    private let folder: NoteFolder
    private let notebook: NotePath
    private(set) var report = ImportReport()
    /// Why no other file would have fared better.
    private(set) var diskFailure: FileFailure?

    init(from source: [UInt8], into notebook: NotePath, of folder: NoteFolder) {
        self.source = source
        self.folder = folder
        self.notebook = notebook
    }

    mutating func run() { take(folder: NotePath([])) }

    private func origin(_ path: NotePath) -> [UInt8] {
        path.bytes.isEmpty ? source : source + [UInt8(ascii: "/")] + path.bytes
    }

    // MARK: Reading

    private mutating func take(folder path: NotePath) {
        do throws(FileFailure) {
            for name in try FileSystem.names(in: origin(path)) {
                take(entry: path.appending(name))
            }
        } catch {
            skip(path, error)
        }
    }

    private mutating func take(entry path: NotePath) {
        do throws(FileFailure) {
            guard let facts = try FileSystem.look(origin(path)) else { return }
            switch facts.kind {
            case .folder where path.name.first == UInt8(ascii: "."):
                report.skip(path.bytes, "a hidden folder: settings, trash and the like stay out")
            case .folder: take(folder: path)
            case .file: try take(file: path, facts)
            case .link: report.skip(path.bytes, "a symbolic link")
            case .other: report.skip(path.bytes, "not a file")
            }
        } catch {
            skip(path, error)
        }
    }

    private mutating func skip(_ path: NotePath, _ failure: FileFailure) {
        if failure.isOfTheDisk { diskFailure = failure }
        report.skip(path.bytes, failure.reason)
    }

    private mutating func take(file path: NotePath, _ facts: FileFacts) throws(FileFailure) {
        if path.isTemporary {
            return report.skip(path.bytes, "the name of a temporary file, which is never synced")
        }
        if path.isPlaceholder {
            return report.skip(path.bytes, "not downloaded: a placeholder without content")
        }
        switch try copy(path, facts) {
        case .notHere:
            report.skip(
                path.bytes, "a file of this name is not downloaded: download it, import again")
        case .isThere where path.isNote: report.addNote(isNew: false)
        case .copied where path.isNote: report.addNote(isNew: true)
        case .isThere, .copied: report.addAttachment()
        }
    }

    // MARK: Copying

    private enum Copying {
        case copied
        /// Byte for byte.
        case isThere
        /// What has the name has no content here to compare with.
        case notHere
    }

    private func copy(_ path: NotePath, _ facts: FileFacts) throws(FileFailure) -> Copying {
        let target = NotePath(
            path.notebook.isEmpty
                ? notebook.bytes : notebook.appending(path.notebook).bytes)
        try folder.makeNotebook(target)
        let name = NoteName(of: path.name)
        var number = 1
        while true {
            let candidate = target.appending(name.candidate(number))
            if try FileSystem.look(folder.placeholder(of: candidate)) != nil { return .notHere }
            if try FileSystem.look(folder.place(of: candidate)) == nil {
                if try write(path, facts, to: candidate) { return .copied }
                // Somebody was faster: theirs is looked at.
                continue
            }
            if try FileContent.areEqual(origin(path), folder.place(of: candidate)) {
                return .isThere
            }
            number += 1
        }
    }

    /// False if the name has been taken.
    private func write(
        _ path: NotePath, _ facts: FileFacts, to target: NotePath
    ) throws(FileFailure) -> Bool {
        let input = try FileSystem.open(origin(path), O_RDONLY)
        var file = try NewFile(near: folder.container)
        let size = Int(clamping: min(max(facts.size, 1), 1 << 20))
        var buffer = [UInt8](repeating: 0, count: size)
        while true {
            let count = try FileSystem.read(input, &buffer)
            if count == 0 { break }
            try file.write(buffer[..<count])
        }
        // Its owner can read and change it, whatever it was where it came from.
        try file.setMode(facts.mode | 0o600)
        try file.setModified(facts.modified)
        try file.finish()
        return try file.place(at: folder.place(of: target))
    }
}

extension NotePath {
    /// `.NAME.icloud`
    fileprivate var isPlaceholder: Bool {
        let (name, ending) = (name, Array(".icloud".utf8))
        return name.first == UInt8(ascii: ".") && name.count > ending.count + 1
            && Array(name.suffix(ending.count)) == ending
    }
}
