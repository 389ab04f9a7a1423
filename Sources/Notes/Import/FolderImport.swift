import Foundation
import NotesCore

/// Copies a folder of Markdown files and their attachments into the folder of the notes.
///
/// Paths below the folder, bytes, times and modes stay. No file is replaced: one with the same
/// bytes under the same name is the same, for one with other bytes the next free name is taken. A
/// file that cannot be copied is reported, and the others follow. Each file is there whole or not
/// at all, so that an import that was interrupted can be run again.
struct FolderImport: Sendable {
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

    mutating func run() {
        let findings = FolderSurvey(of: source).findings
        let results = sideBySide(findings) { [self] in take($0) }
        for (finding, result) in zip(findings, results) { note(finding, result) }
        synchronizeFolders(findings)
    }

    // MARK: Reporting

    private enum Copying: Sendable {
        case copied
        /// Byte for byte.
        case isThere
        /// What has the name has no content here to compare with.
        case isNotHere
    }

    private mutating func note(
        _ finding: FolderSurvey.Finding, _ result: Result<Copying, FileFailure>?
    ) {
        switch (finding, result) {
        case (.skipped(let path, let reason), _): report.skip(path.bytes, reason)
        case (.file(let path, _), .failure(let failure)):
            if failure.isOfTheDisk { diskFailure = failure }
            report.skip(path.bytes, failure.reason)
        case (.file(let path, _), .success(.isNotHere)):
            report.skip(
                path.bytes, "a file of this name is not downloaded: download it, import again")
        case (.file(let path, _), .success(let copying)) where path.isNote:
            report.addNote(isNew: copying == .copied)
        case (.file, .success): report.addAttachment()
        case (.file(let path, _), nil): report.skip(path.bytes, "the import was broken off")
        }
    }

    // MARK: Copying

    private func take(_ finding: FolderSurvey.Finding) -> Result<Copying, FileFailure>? {
        guard case .file(let path, let facts) = finding else { return nil }
        return Result { () throws(FileFailure) in try copy(path, facts) }
    }

    /// Makes the names durable.
    private mutating func synchronizeFolders(_ findings: [FolderSurvey.Finding]) {
        var places: Set<[UInt8]> = [folder.documents]
        for case .file(let path, _) in findings {
            var target = self.target(path)
            while !target.bytes.isEmpty, places.insert(folder.place(of: target)).inserted {
                target = NotePath(target.notebook)
            }
        }
        for place in places {
            do throws(FileFailure) {
                try FileSystem.synchronize(try FileSystem.open(place, O_RDONLY | O_DIRECTORY))
            } catch {
                // A folder that could not be made is reported with its files.
                if error.isOfTheDisk { diskFailure = error }
            }
        }
    }

    /// The notebook that a file goes to.
    private func target(_ path: NotePath) -> NotePath {
        NotePath(path.notebook.isEmpty ? notebook.bytes : notebook.appending(path.notebook).bytes)
    }

    private func origin(_ path: NotePath) -> [UInt8] { source + [UInt8(ascii: "/")] + path.bytes }

    private func copy(_ path: NotePath, _ facts: FileFacts) throws(FileFailure) -> Copying {
        let target = target(path)
        try folder.makeNotebook(target)
        let name = NoteName(of: path.name)
        var number = 1
        while true {
            let candidate = target.appending(name.candidate(number))
            if try folder.hasPlaceholder(candidate) { return .isNotHere }
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
