import Foundation
import Glibc

/// What the kernel did not do with a file, and why.
struct FileFailure: Error, Hashable, Sendable {
    let call: String
    let code: Int32
    let path: [UInt8]

    /// That of the call that has just failed.
    static func last(_ call: String, _ path: [UInt8]) -> FileFailure {
        FileFailure(call: call, code: errno, path: path)
    }

    /// Whether the file system does not know the call or its flags.
    var isUnsupported: Bool { [EINVAL, ENOSYS, EOPNOTSUPP].contains(code) }

    /// As programs that know Foundation expect it.
    func cocoa(isWriting: Bool) -> CocoaError {
        let code: CocoaError.Code =
            switch self.code {
            case ENOENT, ENOTDIR: isWriting ? .fileNoSuchFile : .fileReadNoSuchFile
            case EACCES, EPERM: isWriting ? .fileWriteNoPermission : .fileReadNoPermission
            case EEXIST: .fileWriteFileExists
            case ENOSPC, EDQUOT: .fileWriteOutOfSpace
            case EROFS: .fileWriteVolumeReadOnly
            case ENAMETOOLONG: isWriting ? .fileWriteInvalidFileName : .fileReadInvalidFileName
            default: isWriting ? .fileWriteUnknown : .fileReadUnknown
            }
        let underlying = NSError(domain: NSPOSIXErrorDomain, code: Int(self.code))
        return CocoaError(
            code,
            userInfo: [
                NSFilePathErrorKey: String(decoding: path, as: UTF8.self),
                NSUnderlyingErrorKey: underlying,
            ])
    }
}
