import DeviceSocket
import Foundation
import Glibc
import SyncCore
import SyncWire

/// Swaps a new content into a file's place and destroys nothing that nobody else has.
///
/// What comes out of the swap must be the content that the program knew, or a version that the
/// device has; otherwise it goes back.
struct FileReplacement {
    let url: URL
    /// What the program last read or wrote there.
    let known: FileStamp?
    let session: DeviceSession

    /// Writes the new content to a temporary file by the closure, and gives the file's stamp.
    func perform(_ write: (URL) throws -> Void) throws -> FileStamp {
        do {
            let given = url.pathBytes
            // A link stays one: what it leads to is replaced.
            let path = FileSystem.resolved(given) ?? given
            let temporary = try temporaryPath(for: path)
            let stamp: FileStamp
            do {
                try write(fileURL(temporary, isFolder: false))
                stamp = try makeDurable(temporary, mode: try FileSystem.look(path)?.mode)
            } catch {
                remove(temporary)
                throw error
            }
            try install(Staged(path: temporary, stamp: stamp), at: path)
            return stamp
        } catch let failure as FileFailure {
            throw failure.cocoa(isWriting: true)
        }
    }

    /// The new content, until it is in its place.
    private struct Staged {
        let path: [UInt8]
        let stamp: FileStamp

        /// Whether it is still what stands at its path, and not what it was swapped with.
        var isThere: Bool {
            guard let now = try? FileSystem.look(path) else { return false }
            return now.device == stamp.device && now.inode == stamp.inode
        }
    }

    /// In the device's own folder, where nobody sees what a killed program leaves behind; beside
    /// the file if it lies on another file system or in no container.
    private func temporaryPath(for path: [UInt8]) throws(FileFailure) -> [UInt8] {
        let name = UUID().uuidString
        if let home = session.home, session.path(of: fileURL(path, isFolder: false)) != nil {
            let folder = home.state.appending("saving")
            try FileSystem.makePrivateFolders(folder)
            let (here, there) = (try FileSystem.look(folder), try FileSystem.look(path.folder))
            if let here, let there, here.device == there.device { return folder.appending(name) }
        }
        return path.folder.appending(".\(name).nosync")
    }

    private func install(_ own: Staged, at path: [UInt8]) throws(FileFailure) {
        do throws(FileFailure) {
            for _ in 0..<mostAttempts where try attempt(own, at: path) {
                return try FileSystem.synchronizeFolder(path.folder)
            }
            throw changedElsewhere(path)
        } catch {
            if own.isThere { remove(own.path) }
            throw error
        }
    }

    /// False if somebody was faster; then everything is as they left it.
    private func attempt(_ own: Staged, at path: [UInt8]) throws(FileFailure) -> Bool {
        guard let before = try PackageStamp.look(path) else {
            return try FileSystem.renameIfFree(own.path, to: path)
        }
        guard before.kind == own.stamp.kind, isKnown(before) || hasVersion(of: before, path) else {
            throw changedElsewhere(path)
        }
        do throws(FileFailure) {
            guard try FileSystem.exchange(own.path, path) else { return false }
        } catch {
            guard error.isUnsupported, before.kind == .file else { throw error }
            return try replaceUnlessChanged(own, path, before)
        }
        if let out = try PackageStamp.look(own.path), out.isSameContent(as: before) {
            remove(own.path)
            return true
        }
        try putBack(own, path)
        return false
    }

    /// For file systems that swap no names: between the look and the renaming is a moment.
    private func replaceUnlessChanged(
        _ own: Staged, _ path: [UInt8], _ before: FileStamp
    ) throws(FileFailure) -> Bool {
        guard let now = try FileSystem.look(path), now.isSameContent(as: before) else {
            return false
        }
        try FileSystem.rename(own.path, to: path)
        return true
    }

    /// What came out and is nobody's to destroy takes its place again.
    ///
    /// If that was taken meanwhile too, it gets a name beside it.
    private func putBack(_ own: Staged, _ path: [UInt8]) throws(FileFailure) {
        if try !FileSystem.exchange(own.path, path) {
            // What was swapped in is gone, and with it the new content: the save has failed.
            if try FileSystem.renameIfFree(own.path, to: path) { throw changedElsewhere(path) }
        }
        guard !own.isThere else { return }
        for number in 2... where try FileSystem.renameIfFree(own.path, to: path.numbered(number)) {
            break
        }
        throw changedElsewhere(path)
    }

    private func makeDurable(
        _ path: [UInt8], mode: UInt16?
    ) throws(FileFailure) -> FileStamp {
        if let mode {
            let descriptor = try FileSystem.open(path, O_RDONLY)
            defer { FileSystem.close(descriptor) }
            try FileSystem.setMode(mode, of: descriptor, path)
        }
        try PackageStamp.synchronize(path)
        guard let stamp = try PackageStamp.look(path) else {
            throw FileFailure(call: "open", code: ENOENT, path: path)
        }
        return stamp
    }

    private func remove(_ path: [UInt8]) {
        if (try? FileSystem.look(path))??.kind == .folder {
            try? FileManager.default.removeItem(at: fileURL(path, isFolder: true))
        } else {
            FileSystem.remove(path)
        }
    }

    private func isKnown(_ stamp: FileStamp) -> Bool {
        known.map(stamp.isSameContent) ?? false
    }

    /// Whether the device has the content as a version; it may need a moment to see it.
    private func hasVersion(of stamp: FileStamp, _ place: [UInt8]) -> Bool {
        guard let path = session.path(of: url) else { return false }
        guard stamp.kind == .file else { return hasEverything(stamp, place) }
        for _ in 0..<mostLooks {
            let rows = try? session.ask { client throws(DeviceClientError) in
                try client.items(path: path, .itself)
            }
            guard let rows else { return false }
            if let row = rows.first, stamp.hasContent(of: row) { return true }
            usleep(pauseBetweenLooks)
        }
        return false
    }

    /// A package's row does not tell one content from another: only a daemon that has sent all of
    /// the disk has it.
    private func hasEverything(_ stamp: FileStamp, _ place: [UInt8]) -> Bool {
        let report = try? session.ask { client throws(DeviceClientError) in
            try client.wait(milliseconds: 10_000)
        }
        guard let report, report.isInSync else { return false }
        return (try? PackageStamp.look(place))??.isSameContent(as: stamp) ?? false
    }

    private func changedElsewhere(_ path: [UInt8]) -> FileFailure {
        FileFailure(call: "save", code: EEXIST, path: path)
    }
}

private let mostAttempts = 5
private let mostLooks = 40
/// In microseconds.
private let pauseBetweenLooks: UInt32 = 50_000

extension [UInt8] {
    /// The path with a number in front of the name's extension.
    fileprivate func numbered(_ number: Int) -> [UInt8] {
        let start = (lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
        let dot = self[start...].dropFirst().lastIndex(of: UInt8(ascii: ".")) ?? endIndex
        return self[..<dot] + Array(" \(number)".utf8) + self[dot...]
    }
}

extension FileStamp {
    /// Whether the file has the content of the version that the daemon shows.
    func hasContent(of row: ItemRow) -> Bool {
        guard row.size == size, row.modified == modified else { return false }
        return row.state == .current || row.state == .uploading
    }
}
