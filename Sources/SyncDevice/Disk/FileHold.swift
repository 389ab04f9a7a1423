import CLinux
import SyncCore

/// A file that nobody else can open until this ends: who wants to waits that long.
///
/// It is for short files: a program that asked not to wait is refused meanwhile.
package final class FileHold: Sendable {
    let file: Descriptor

    fileprivate init(_ file: Descriptor) { self.file = file }

    deinit { clinux_end_hold(file.number) }
}

/// Whether a file could be kept from others.
package enum FileHoldAttempt {
    case held(FileHold)
    /// Somebody has it open at this moment, for reading.
    case isBeingRead
    /// Somebody writes to it, it is not ours or not there, or its file system has no leases.
    case impossible
}

extension FileSystemCalls {
    /// The file is open for reading only.
    static func holdAlone(_ file: Descriptor) -> FileHoldAttempt {
        switch clinux_hold_alone(file.number) {
        case 0: .held(FileHold(file))
        case 1: hasWriter(file) == false ? .isBeingRead : .impossible
        default: .impossible
        }
    }
}
