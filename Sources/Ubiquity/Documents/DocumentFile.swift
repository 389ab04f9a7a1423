import Foundation
import Glibc
import SyncCore

/// What a document knows of its file; any thread may ask.
struct DocumentFile: Sendable {
    var url: URL
    /// The file that was last read or written, as it was then; nil before.
    var known: FileStamp?
    var modificationDate: Date?

    mutating func become(_ stamp: FileStamp) {
        known = stamp
        modificationDate = stamp.modified.date
    }
}

/// What can fail.
enum DocumentTask: Sendable {
    case opening
    case saving
    case reverting
}

/// A content as it was read, and the file or package that it was read from.
struct DocumentReading: Sendable {
    var content: Content
    var stamp: FileStamp

    enum Content: Sendable {
        case data(Data)
        case package(FileWrapper)

        /// As `load(fromContents:ofType:)` takes it.
        var any: Any {
            switch self {
            case .data(let data): data
            case .package(let wrapper): wrapper
            }
        }
    }
}

extension DocumentReading {
    /// Reads again while somebody writes into the file; what is read is then one state of it.
    init(_ url: URL) throws {
        let given = url.pathBytes
        let path = FileSystem.resolved(given) ?? given
        var attempts = 0
        do {
            while true {
                guard let before = try PackageStamp.look(path) else {
                    throw FileFailure(call: "open", code: ENOENT, path: path)
                }
                content = try Self.content(path, before)
                guard let after = try PackageStamp.look(path) else { continue }
                // If it was changed meanwhile to the last, the document is to see that it was.
                stamp = before
                attempts += 1
                if after.isSameContent(as: before) || attempts == mostAttempts { return }
            }
        } catch let failure as FileFailure {
            throw failure.cocoa(isWriting: false)
        }
    }

    private static func content(_ path: [UInt8], _ stamp: FileStamp) throws -> Content {
        if stamp.kind == .folder {
            return .package(try FileWrapper(url: fileURL(path, isFolder: true)))
        }
        guard stamp.kind == .file else {
            throw FileFailure(call: "read", code: EINVAL, path: path)
        }
        let descriptor = try FileSystem.open(path, O_RDONLY)
        defer { FileSystem.close(descriptor) }
        return .data(Data(try FileSystem.readAll(descriptor, path)))
    }
}

private let mostAttempts = 8

/// The uniform type identifier of a file name's extension; nil for those that are not common.
func uniformType(forExtension text: String) -> String? {
    UniformType.ofFile(withExtension: text.lowercased())
}
