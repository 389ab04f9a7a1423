import CLinux
import Glibc
import SyncCore

extension DiskEntry {
    /// Reads what `statx` said; `moment` is the wall clock just before.
    init(_ file: clinux_file, takenAt moment: FileTime) {
        self.init(kind: EntryKind(file), stamp: FileStamp(file, takenAt: moment))
    }
}

extension EntryKind {
    init(_ file: clinux_file) {
        switch UInt32(file.mode) & S_IFMT {
        case S_IFREG: self = .file
        case S_IFLNK: self = .link
        // Another file system begins here: nothing can be renamed into it.
        case S_IFDIR where file.is_mount == 1: self = .other
        case S_IFDIR: self = .folder
        default: self = .other
        }
    }
}

extension FileStamp {
    init(_ file: clinux_file, takenAt moment: FileTime) {
        let modified = FileTime(
            seconds: file.modified_seconds, nanoseconds: file.modified_nanoseconds)
        self.init(
            identity: FileIdentity(
                device: file.device, inode: file.inode,
                birth: FileTime(
                    seconds: file.birth_seconds, nanoseconds: file.birth_nanoseconds)),
            size: file.size, mode: file.mode & 0o777, modified: modified,
            changed: FileTime(
                seconds: file.changed_seconds, nanoseconds: file.changed_nanoseconds),
            links: file.links, isRacy: modified.isWithinTick(of: moment))
    }

    /// The same file, unwritten since, as far as can be seen; renaming it leaves that so.
    ///
    /// For comparing with a stamp that the planner has trusted already.
    func isUntouched(since other: FileStamp) -> Bool {
        identity == other.identity && size == other.size && mode == other.mode
            && modified == other.modified
    }
}

extension FileTime {
    func isBefore(_ other: FileTime) -> Bool {
        (seconds, nanoseconds) < (other.seconds, other.nanoseconds)
    }

    /// Whether a write at the moment, or later, could be given this very time.
    ///
    /// Kernels before 6.13 give file times by a clock that moves every 1 to 10 ms. The change time
    /// does not matter here: a later write sets the modification time to the tick that it is made
    /// in, so that an old one proves that nothing was written since. So a file that was just
    /// installed with the time of its version is no riddle.
    func isWithinTick(of moment: FileTime) -> Bool {
        let (seconds, overflow) = self.seconds.subtractingReportingOverflow(moment.seconds)
        guard !overflow, seconds.magnitude <= 1 else { return false }
        let apart =
            seconds * 1_000_000_000 + Int64(nanoseconds) - Int64(moment.nanoseconds)
        return abs(apart) <= 10_000_000
    }
}
