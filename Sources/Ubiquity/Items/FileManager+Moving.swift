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
        let before: FileStamp
        let copied: FileStamp
        do {
            guard let found = try PackageStamp.look(old) else {
                throw FileFailure(call: "rename", code: ENOENT, path: old)
            }
            before = found
            try FileManager.default.copyItem(at: from, to: copy)
            try PackageStamp.synchronize(temporary)
            guard let made = try PackageStamp.look(temporary) else { throw changed(temporary) }
            copied = made
            guard try PackageStamp.look(old)?.isSameContent(as: before) == true else {
                throw changed(old)
            }
            guard try FileSystem.renameIfFree(temporary, to: new) else { throw taken(new) }
        } catch {
            try? FileManager.default.removeItem(at: copy)
            throw error
        }
        try FileSystem.synchronizeFolder(new.folder)
        try removeOld(old, before, copy: new, copied)
    }

    /// Out of everybody's reach first, then it is looked at: what was saved since it was copied is
    /// nowhere else, and goes back.
    private func removeOld(
        _ old: [UInt8], _ before: FileStamp, copy new: [UInt8], _ copied: FileStamp
    ) throws {
        let aside = old.folder.appending(".\(UUID().uuidString).nosync")
        guard try FileSystem.renameIfFree(old, to: aside) else { throw changed(old) }
        if (try? isStill(before, aside)) == true {
            return try FileManager.default.removeItem(at: fileURL(aside, isFolder: false))
        }
        // If its name was taken meanwhile, it stays under the other.
        guard try FileSystem.renameIfFree(aside, to: old) else { throw changed(aside) }
        if try PackageStamp.look(new)?.isSameContent(as: copied) == true {
            try FileManager.default.removeItem(at: fileURL(new, isFolder: false))
        }
        throw changed(old)
    }

    private func isStill(_ stamp: FileStamp, _ path: [UInt8]) throws(FileFailure) -> Bool {
        if try FileSystem.hasWriter(path) { return false }
        return try PackageStamp.look(path)?.isSameContent(as: stamp) == true
    }

    private func changed(_ path: [UInt8]) -> FileFailure {
        FileFailure(call: "copy", code: EBUSY, path: path)
    }

    private func taken(_ path: [UInt8]) -> FileFailure {
        FileFailure(call: "rename", code: EEXIST, path: path)
    }
}
