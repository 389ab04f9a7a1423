import Foundation
import Glibc

/// Files that are replaced whole: a reader, and a crash, meet the old content or the new one.
enum SafeWrite {
    /// Replaces a file that nobody else edits, and is durable when it returns.
    static func replace(_ path: [UInt8], with bytes: Data) throws(FileFailure) {
        let temporary = path.folder.appending(".\(UUID().uuidString).tmp")
        do throws(FileFailure) {
            _ = try writeNew(temporary, bytes, mode: 0o600)
            try FileSystem.rename(temporary, to: path)
        } catch {
            FileSystem.remove(temporary)
            throw error
        }
        try FileSystem.synchronizeFolder(path.folder)
    }

    /// Writes a file that was not there; its content is durable, its name is not.
    static func writeNew(
        _ path: [UInt8], _ bytes: Data, mode: UInt16
    ) throws(FileFailure) -> FileStamp {
        let descriptor = try FileSystem.open(path, O_WRONLY | O_CREAT | O_EXCL)
        defer { FileSystem.close(descriptor) }
        try FileSystem.writeAll(bytes, to: descriptor, path)
        try FileSystem.setMode(mode, of: descriptor, path)
        try FileSystem.synchronize(descriptor, path)
        return try FileSystem.look(descriptor, path)
    }
}
