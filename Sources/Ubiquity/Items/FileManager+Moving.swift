public import Foundation

// Apple's documentation of FileManager, "Managing iCloud-Based Items".

extension FileManager {
    /// Moves a file or folder into a container, or out of one; what was there is never replaced.
    ///
    /// Moved out, it is deleted on the other devices. Over the border of a file system the content
    /// is copied, and removed at the old place when it is durable at the new one.
    ///
    /// - Throws: A `CocoaError`: `.fileWriteFileExists` if something is at the new place,
    ///   `.fileNoSuchFile` if nothing is at the old one, `.fileWriteInvalidFileName` if the
    ///   places do not lie in and out of a container as the flag says.
    public func setUbiquitous(_ flag: Bool, itemAt url: URL, destinationURL: URL) throws {
        let session = DeviceSession.shared
        let (isInside, willBeInside) = (
            session.path(of: url) != nil, session.path(of: destinationURL) != nil
        )
        guard willBeInside == flag, flag || isInside else {
            throw CocoaError(
                .fileWriteInvalidFileName,
                userInfo: [
                    NSFilePathErrorKey: destinationURL.path,
                    NSLocalizedDescriptionKey: flag
                        ? "the new place is in no iCloud container"
                        : "the move does not lead out of an iCloud container",
                ])
        }
        try FileMove(from: url, to: destinationURL, session: session).perform()
    }
}

/// A move that replaces nothing and loses nothing, within a file system or between two.
struct FileMove {
    let from: URL
    let to: URL
    let session: DeviceSession

    func perform() throws {
        do {
            let (old, new) = (from.pathBytes, to.pathBytes)
            guard try moveAtOnce(old, new) else { return try copyAndRemove(old, new) }
            try FileSystem.synchronizeFolder(new.folder)
            try FileSystem.synchronizeFolder(old.folder)
        } catch let failure as FileFailure {
            throw failure.cocoa(isWriting: true)
        }
    }

    /// False if the places lie on two file systems.
    private func moveAtOnce(_ old: [UInt8], _ new: [UInt8]) throws(FileFailure) -> Bool {
        do throws(FileFailure) {
            guard try FileSystem.renameIfFree(old, to: new) else { throw taken(new) }
            return true
        } catch {
            guard error.code == EXDEV else { throw error }
            return false
        }
    }

    private func copyAndRemove(_ old: [UInt8], _ new: [UInt8]) throws {
        let temporary = new.folder.appending(".\(UUID().uuidString).nosync")
        let copy = fileURL(temporary, isFolder: false)
        do {
            let before = try PackageStamp.look(old)
            try FileManager.default.copyItem(at: from, to: copy)
            try PackageStamp.synchronize(temporary)
            guard let before, let after = try PackageStamp.look(old),
                after.isSameContent(as: before)
            else { throw FileFailure(call: "copy", code: EBUSY, path: old) }
            guard try FileSystem.renameIfFree(temporary, to: new) else { throw taken(new) }
        } catch {
            try? FileManager.default.removeItem(at: copy)
            throw error
        }
        try FileSystem.synchronizeFolder(new.folder)
        try FileManager.default.removeItem(at: from)
    }

    private func taken(_ path: [UInt8]) -> FileFailure {
        FileFailure(call: "rename", code: EEXIST, path: path)
    }
}
