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
            defer { remove(temporary) }
            try write(fileURL(temporary, isFolder: false))
            return try install(temporary, at: path)
        } catch let failure as FileFailure {
            throw failure.cocoa(isWriting: true)
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

    private func install(_ temporary: [UInt8], at path: [UInt8]) throws(FileFailure) -> FileStamp {
        for _ in 0..<mostAttempts {
            let before = try PackageStamp.look(path)
            let stamp = try makeDurable(temporary, mode: before?.mode)
            guard let before else {
                guard try FileSystem.renameIfFree(temporary, to: path) else { continue }
                try FileSystem.synchronizeFolder(path.folder)
                return stamp
            }
            guard before.kind == stamp.kind, isKnown(before) || hasVersion(of: before, path) else {
                throw changedElsewhere(path)
            }
            guard try FileSystem.exchange(temporary, path) else { continue }
            if let out = try PackageStamp.look(temporary), out.isSameContent(as: before) {
                try FileSystem.synchronizeFolder(path.folder)
                return stamp
            }
            // Somebody was faster: theirs goes back, and is looked at.
            try putBack(temporary, path)
        }
        throw changedElsewhere(path)
    }

    /// If the name is gone meanwhile, what came out takes it again.
    private func putBack(_ temporary: [UInt8], _ path: [UInt8]) throws(FileFailure) {
        if try FileSystem.exchange(temporary, path) { return }
        _ = try FileSystem.renameIfFree(temporary, to: path)
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

extension FileStamp {
    /// Whether the file has the content of the version that the daemon shows.
    func hasContent(of row: ItemRow) -> Bool {
        guard row.size == size, row.modified == modified else { return false }
        return row.state == .current || row.state == .uploading
    }
}
