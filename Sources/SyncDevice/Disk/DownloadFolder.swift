import Glibc
import SyncCore

/// Contents that are on their way here, each under the id of its version, as far as they have come.
///
/// They stay there until they are installed or nobody wants them, whoever ends meanwhile.
final class DownloadFolder: Sendable {
    private let folders: DeviceFolders

    init(_ folders: DeviceFolders) { self.folders = folders }

    func spot(of version: VersionID) -> Spot { Spot(folders.downloads, version.text) }

    /// A version that is not there is no error.
    func remove(_ version: VersionID) {
        try? FileSystemCalls.removeFile(spot(of: version))
    }

    /// For the start: what nobody will go on with is removed.
    func removeAll(except wanted: () -> Set<VersionID>) throws(DiskError) {
        let names = try FileSystemCalls.names(in: folders.downloads)
        guard !names.isEmpty else { return }
        let wanted = wanted()
        for name in names {
            if let version = VersionID(text: name.text), wanted.contains(version) { continue }
            try FileSystemCalls.removeFile(Spot(folders.downloads, name))
        }
    }

    /// Opens what has come of a version to take chunks from it.
    func openIfThere(_ version: VersionID) -> QuietFile? {
        do throws(DiskError) {
            return try QuietFile(spot(of: version), nil)
        } catch {
            return nil
        }
    }

    /// The room of the disk that contents come to.
    func room() throws(DiskError) -> DiskRoom { try FileSystemCalls.room(of: folders.downloads) }

    /// Opens what has come of a version to go on with it, or begins it.
    ///
    /// Throws `EWOULDBLOCK` while another is at it, such as the thread of a session that ends.
    func open(_ version: VersionID) throws(DiskError) -> Descriptor {
        let file = try openOwn(spot(of: version))
        try FileSystemCalls.check("flock") { flock(file.number, LOCK_EX | LOCK_NB) }
        return file
    }

    private func openOwn(_ spot: Spot) throws(DiskError) -> Descriptor {
        do {
            return try FileSystemCalls.openOwn(spot)
        } catch {
            // It was complete once, and has the mode that it was to be installed with.
            guard error.code == EACCES else { throw error }
            try FileSystemCalls.setMode(FileSystemCalls.openEntry(spot), 0o600)
            return try FileSystemCalls.openOwn(spot)
        }
    }
}
