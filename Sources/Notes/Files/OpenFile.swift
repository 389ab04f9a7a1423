import Foundation
import Glibc
import NotesCore

/// A file that is closed when nobody uses it any more.
struct OpenFile: ~Copyable {
    let number: Int32
    let path: [UInt8]

    deinit { close(number) }

    /// Leads to the file also when it has no name.
    var descriptorPath: [UInt8] { Array("/proc/self/fd/\(number)".utf8) }
}

/// What stands at a name.
struct FileFacts: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
    let size: UInt64
    let modified: NoteTime
    /// The nine permission bits.
    let mode: UInt16
    let kind: Kind

    enum Kind: Hashable, Sendable {
        case file
        case folder
        case link
        case other
    }

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = UInt64(status.st_size)
        modified = NoteTime(
            seconds: Int64(status.st_mtim.tv_sec), nanoseconds: UInt32(status.st_mtim.tv_nsec))
        mode = UInt16(status.st_mode & 0o777)
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
    }

    /// Whether it is the same content of the same file.
    func isSameContent(as other: FileFacts) -> Bool {
        device == other.device && inode == other.inode && size == other.size
            && modified == other.modified
    }
}
