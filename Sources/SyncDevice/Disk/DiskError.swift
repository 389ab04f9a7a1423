import Glibc
package import SyncCore

/// A system call that failed, and what it failed with.
package struct DiskError: Error, Hashable, Sendable {
    /// As in `errno`.
    package let code: Int32
    /// The system call's name, for people.
    package let call: String

    package init(code: Int32, call: String) {
        self.code = code
        self.call = call
    }

    /// Reads `errno`: to be made straight after the call.
    static func last(_ call: String) -> DiskError { DiskError(code: errno, call: call) }

    /// What the planner has to know of it.
    package var failure: DiskFailure {
        switch code {
        // The limit of watches comes as ENOSPC too, and has nothing to do with space.
        case ENOSPC where isWatchLimit: .other
        case ENOSPC, EDQUOT, EFBIG: .noSpace
        case EACCES, EPERM, EROFS: .notPermitted
        case ENAMETOOLONG, EILSEQ: .nameNotPossible
        case EIO: .inputOutput
        // A link or a file stands where the path has a folder.
        case ENOENT, ENOTDIR, ELOOP, ESTALE: .missing
        default: .other
        }
    }

    /// No further folder can be watched until `fs.inotify.max_user_watches` is raised.
    package var isWatchLimit: Bool { code == ENOSPC && call == "inotify_add_watch" }

    /// Two folders that must be on one file system are not.
    var isApart: Bool { code == EXDEV }

    /// The file system does not know the call, or the flag.
    var isUnsupported: Bool { code == EINVAL || code == ENOSYS || code == EOPNOTSUPP }
    var isMissing: Bool { failure == .missing }
    var isTaken: Bool { code == EEXIST || code == ENOTEMPTY }
    /// For calls that give a name: what the file system calls invalid can only be the name.
    var atName: DiskError { code == EINVAL ? DiskError(code: EILSEQ, call: call) : self }
    var isRefusal: Bool { code == EACCES || code == EPERM }
}

extension DiskError: CustomStringConvertible {
    package var description: String {
        "\(call): \(unsafe String(cString: strerror(code)))"
    }
}
