import Glibc
import SyncCore

/// Which file stands at a name, and which content it has: two contents never have the same.
struct FileStamp: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64
    var size: UInt64
    var modified: FileTime
    /// The nine permission bits.
    var mode: UInt16
    var kind: Kind
    /// Changes with the members of a package; 0 for anything else.
    ///
    /// It means nothing in another process.
    var members = 0

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
        modified = FileTime(
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

    /// Whether it is the same content of the same file; its mode may be another.
    func isSameContent(as other: FileStamp) -> Bool {
        device == other.device && inode == other.inode && size == other.size
            && modified == other.modified && members == other.members
    }
}
