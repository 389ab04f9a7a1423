import CLinux
import SyncCore

/// A file that was installed, open to be read by us, and how others have it until this is gone.
///
/// Who wants to open a file that is held waits that long, and a program that asked not to wait is
/// refused: a long read looks now and then whether it ``isWanted``, and gives the file up.
package final class FileHold: Sendable {
    package enum Standing: Sendable {
        /// Nobody else can open it.
        case alone
        /// Somebody has it open at this moment, for reading, and it is as it was installed.
        case beingRead
        /// Somebody writes or has written to it, it is not ours, or its file system has no leases.
        case shared
    }

    let file: Descriptor
    package let standing: Standing

    init(_ file: Descriptor, installed: FileStamp) throws(DiskError) {
        self.file = file
        switch clinux_hold_alone(file.number) {
        case 0: standing = .alone
        // Whoever had it open may have been a writer, who is done by now.
        case 1 where FileSystemCalls.hasWriter(file) == false:
            let isInstalled = try FileSystemCalls.look(file).stamp.isUnchanged(since: installed)
            standing = isInstalled ? .beingRead : .shared
        default: standing = .shared
        }
    }

    /// Somebody waits to open the file.
    var isWanted: Bool { standing == .alone && clinux_is_held_alone(file.number) == 0 }

    deinit { if standing == .alone { clinux_end_hold(file.number) } }
}
