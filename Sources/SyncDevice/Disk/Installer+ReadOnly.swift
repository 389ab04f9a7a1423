import Glibc
import SyncCore

/// Work in folders that their owner may not write to.
extension Installer {
    /// Changes names in folders; a read-only one is opened for the moment.
    ///
    /// A note in the staging folder says so meanwhile, so that a crash does not leave it open, and
    /// the change is not taken for the person's.
    func writing(
        in places: [Descriptor], _ body: () throws(DiskError) -> Void
    ) throws(DiskError) {
        do {
            return try body()
        } catch {
            guard error.isRefusal else { throw error }
            var opened: [OpenedFolder] = []
            defer { for folder in opened { folder.close() } }
            for place in places {
                let stamp = try FileSystemCalls.look(place).stamp
                guard stamp.mode & 0o300 != 0o300 else { continue }
                opened.append(try openForWriting(place, stamp))
            }
            guard !opened.isEmpty else { throw error }
            try body()
        }
    }

    private func openForWriting(
        _ folder: Descriptor, _ stamp: FileStamp
    ) throws(DiskError) -> OpenedFolder {
        let name = StagingName.opened(nextNumber(), .top, FileMark(stamp))
        let note = Spot(folders.staging, name.text)
        // Without a note, for want of space, the folder may stay open after a crash.
        if let path = FileSystemCalls.path(of: folder) {
            try? FileSystemCalls.makeLink(note, target: path)
        }
        try FileSystemCalls.setMode(folder, stamp.mode | 0o300)
        return OpenedFolder(folder: folder, mode: stamp.mode, note: note)
    }

    /// Gives a folder its mode back that a crash has left open.
    func closeOpened(_ note: Spot, _ mark: FileMark) throws(DiskError) {
        let path = try FileSystemCalls.readLink(note)
        if let folder = try? FileSystemCalls.openHome(path) {
            let stamp = try FileSystemCalls.look(folder).stamp
            if stamp.identity == mark.identity, stamp.mode == mark.mode | 0o300 {
                try FileSystemCalls.setMode(folder, mark.mode)
            }
        }
        try FileSystemCalls.removeFile(note)
    }
}

/// A read-only folder that is open for the moment.
private struct OpenedFolder {
    let folder: Descriptor
    let mode: UInt16
    let note: Spot

    func close() {
        // If it fails, the note stays, for the next start.
        guard (try? FileSystemCalls.setMode(folder, mode)) != nil else { return }
        try? FileSystemCalls.removeFile(note)
    }
}
