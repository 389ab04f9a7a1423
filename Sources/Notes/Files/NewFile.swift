import Foundation
import Glibc
import NotesCore

/// A file that gets its name when it is complete and durable, and never takes one that is taken.
///
/// While it is written it has no name, so that nothing of it stays behind if the program dies.
struct NewFile: ~Copyable {
    private var file: OpenFile
    /// The name that it has for now, where the file system knows no files without names.
    private let temporary: [UInt8]?

    /// Makes an empty file that will get its name on the same file system as the folder.
    init(near folder: [UInt8]) throws(FileFailure) {
        do throws(FileFailure) {
            file = try FileSystem.open(folder, O_RDWR | Self.unnamed)
            temporary = nil
        } catch {
            guard [EOPNOTSUPP, EISDIR, EINVAL].contains(error.code) else { throw error }
            let name = folder + Array("/.ubiquity-note-\(UUID().uuidString)".utf8)
            file = try FileSystem.open(name, O_RDWR | O_CREAT | O_EXCL)
            temporary = name
        }
    }

    deinit {
        if let temporary { try? FileSystem.remove(temporary) }
    }

    func write(_ bytes: ArraySlice<UInt8>) throws(FileFailure) {
        try FileSystem.write(bytes, to: file)
    }

    func setMode(_ mode: UInt16) throws(FileFailure) { try FileSystem.setMode(mode, file) }

    func setModified(_ time: NoteTime) throws(FileFailure) {
        try FileSystem.setModified(time, file)
    }

    /// Makes the content durable; nothing is written after this.
    mutating func finish() throws(FileFailure) {
        try FileSystem.synchronize(file)
        // Whoever watches the folder sees that nobody writes any more when the name appears.
        file = try FileSystem.reopen(file)
    }

    /// Gives the finished file its name; false if that is taken.
    func place(at path: [UInt8]) throws(FileFailure) -> Bool {
        do throws(FileFailure) {
            try FileSystem.link(file.descriptorPath, to: path)
            return true
        } catch {
            guard error.code == EEXIST else { throw error }
            return false
        }
    }

    /// `O_TMPFILE`, which Swift's Glibc module does not show.
    private static var unnamed: Int32 { 0o20_000_000 | O_DIRECTORY }
}
