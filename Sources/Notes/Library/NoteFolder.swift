import NotesCore
import Ubiquity

/// The folder of the notes, `Documents` in the program's container, as the library gives it.
struct NoteFolder: Sendable {
    /// Absolute, without a slash at its end.
    let container: [UInt8]

    var documents: [UInt8] { container + Array("/Documents".utf8) }

    /// Opens the default container, or says why it cannot be used.
    init() throws(NotesFailure) {
        let files = FileManager.default
        guard let url = files.url(forUbiquityContainerIdentifier: nil) else {
            let reason = files.ubiquityUnavailability(forContainerIdentifier: nil)
            throw .failed(reason?.description ?? "the container of the notes cannot be opened")
        }
        container = url.filePath
        let documents = documents
        try NotesFailure.naming("make the folder") { () throws(FileFailure) in
            try FileSystem.makeFolder(documents)
        }
    }

    /// Where a note's file stands on the disk.
    func place(of path: NotePath) -> [UInt8] { documents + [UInt8(ascii: "/")] + path.bytes }

    /// The path below the folder of the notes; nil for a place outside it.
    func path(ofPlace place: [UInt8]) -> NotePath? {
        let prefix = documents + [UInt8(ascii: "/")]
        guard place.starts(with: prefix), place.count > prefix.count else { return nil }
        return NotePath(Array(place[prefix.count...]))
    }

    /// The same for a place that links may lead to.
    func path(ofAnyPlace place: [UInt8]) -> NotePath? {
        if let path = path(ofPlace: place) { return path }
        guard let slash = place.lastIndex(of: UInt8(ascii: "/")),
            let parent = FileSystem.resolved(Array(place[...slash])),
            let own = FileSystem.resolved(documents)
        else { return nil }
        let name = place[(slash + 1)...]
        let whole = parent + [UInt8(ascii: "/")] + name
        guard whole.starts(with: own + [UInt8(ascii: "/")]) else { return nil }
        return NotePath(Array(whole[(own.count + 1)...]))
    }

    /// Whether a file of this place is known that is not downloaded.
    func hasPlaceholder(_ path: NotePath) throws(FileFailure) -> Bool {
        do throws(FileFailure) {
            return try FileSystem.look(placeholder(of: path)) != nil
        } catch {
            // Where the placeholder's name does not fit, the file is always downloaded.
            guard error.code == ENAMETOOLONG else { throw error }
            return false
        }
    }

    /// Where a file stands that is not downloaded.
    func placeholder(of path: NotePath) -> [UInt8] {
        let folder = path.notebook.isEmpty ? documents : place(of: NotePath(path.notebook))
        return folder + Array("/.".utf8) + path.name + Array(".icloud".utf8)
    }
}

extension URL {
    /// The path as the kernel takes it, without a slash at its end.
    var filePath: [UInt8] {
        let path: [UInt8] = unsafe withUnsafeFileSystemRepresentation { pointer in
            guard let pointer = unsafe pointer else { return [] }
            return unsafe bytes(ofText: pointer)
        }
        // Foundation gives nothing for a path that is no text.
        let whole = path.isEmpty ? decodedPath : path
        return whole.count > 1 && whole.last == UInt8(ascii: "/") ? Array(whole.dropLast()) : whole
    }

    private var decodedPath: [UInt8] {
        guard isFileURL else { return [] }
        var path: [UInt8] = []
        var rest = Array(absoluteString.utf8).dropFirst("file://".utf8.count)
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), let code = UInt8(digits, radix: 16) {
                path.append(code)
                rest = rest.dropFirst(2)
            } else {
                path.append(byte)
            }
        }
        return path
    }
}

/// A URL of a path that need not be text: a byte that is no UTF-8 stands as `%XX` in it.
func fileURL(_ path: [UInt8]) -> URL {
    if let text = String(validating: path, as: UTF8.self) { return URL(fileURLWithPath: text) }
    var encoded = "file://"
    for byte in path {
        let isPlain =
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
            || (0x61...0x7A).contains(byte) || Array("/.-_".utf8).contains(byte)
        if isPlain {
            encoded.append(Character(UnicodeScalar(byte)))
        } else {
            encoded += String(format: "%%%02X", Int(byte))
        }
    }
    return URL(string: encoded) ?? URL(fileURLWithPath: String(decoding: path, as: UTF8.self))
}
