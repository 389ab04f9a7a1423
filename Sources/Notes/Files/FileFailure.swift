import Foundation
import Glibc

/// What the kernel did not do with a file, and why.
struct FileFailure: Error, Hashable, Sendable {
    let path: [UInt8]
    let code: Int32

    /// That of the call that has just failed.
    static func last(_ path: [UInt8]) -> FileFailure { FileFailure(path: path, code: errno) }

    var isMissing: Bool { code == ENOENT || code == ENOTDIR }

    /// No other file would fare better.
    var isOfTheDisk: Bool { code == ENOSPC || code == EDQUOT || code == EROFS || code == EIO }

    /// As people read it.
    var reason: String {
        switch code {
        case ENOENT, ENOTDIR: "it is not there"
        case EACCES, EPERM: "permission denied"
        case ENOSPC: "the disk is full"
        case EDQUOT: "the quota of the disk is used up"
        case EROFS: "the disk is read-only"
        case EISDIR: "it is a folder"
        case ELOOP: "it is a symbolic link"
        case EEXIST: "something else is in its place"
        case ENAMETOOLONG: "its name or path is too long"
        default: unsafe String(cString: strerror(code))
        }
    }
}
