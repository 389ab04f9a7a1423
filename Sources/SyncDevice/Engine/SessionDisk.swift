import DeviceSocket
import SyncCore
import SyncTransport

/// The disk half of a session.
final class SessionDisk {
    let view: DiskView
    let watcher: Watcher
    let installer: Installer
    let reader: ContentReader
    let readingThread: ReadingThread
    let chunks: ChunkFolder
    let downloads: DownloadFolder
    let assembling: AssemblyThread
    private let folders: DeviceFolders
    private var lost: [ReplicaEvent] = []

    init(home: DeviceHome, waker: HTTPClientWaker) throws(DiskError) {
        folders = try DeviceFolders(home: home.path)
        try folders.makeContainers()
        view = DiskView(folders)
        let watcher = try Watcher(folders)
        self.watcher = watcher
        chunks = ChunkFolder(folders)
        reader = ContentReader(folders, chunks: chunks)
        installer = Installer(
            folders, isIgnored: { IgnoredNames.contains($0) },
            observe: { job, moment in
                guard case .staged(let file) = moment, case .placeFile = job.task else { return }
                watcher.watchReading(job.item, file)
            })
        readingThread = ReadingThread(reader: reader, watcher: watcher, waker: waker)
        readingThread.start()
        downloads = DownloadFolder(folders)
        assembling = AssemblyThread(folder: downloads, own: chunks, waker: waker)
        assembling.start()
    }

    /// Judges what a crash has left in the device's own folders; gives where it put files back.
    func recover(
        unsent: Set<ChunkID>, wanted: () -> Set<VersionID>, place: (ItemID) -> LocalPath?
    ) throws(DiskError) -> [LocalPath] {
        try chunks.removeUnfinished()
        for chunk in try chunks.list() where !unsent.contains(chunk) { try chunks.remove(chunk) }
        try downloads.removeAll(except: wanted)
        return try installer.recover(place: place).compactMap { recovered in
            if case .putBack(let item) = recovered { place(item) } else { nil }
        }
    }

    /// The number that the kernel gives the home's file system now.
    var deviceNumber: UInt64 { folders.deviceNumber }

    func end() {
        readingThread.end()
        assembling.end()
    }

    /// Nil if nothing can be said now.
    func look(_ slot: Slot, at path: LocalPath, in folder: FileIdentity?) -> Sighting? {
        do throws(DiskError) {
            return try view.look(slot, at: path, in: folder)
        } catch {
            return nil
        }
    }

    /// Watches first, so that nothing happens between.
    func list(
        _ folder: ItemID, at path: LocalPath, being identity: FileIdentity?
    ) -> ReplicaEvent {
        do throws(DiskError) {
            try watcher.watch(folder, at: path)
            guard let entries = try view.list(folder, at: path, being: identity) else {
                watcher.unwatch(folder)
                return .unlisted(folder: folder, .missing)
            }
            return .listed(folder: folder, entries: entries)
        } catch {
            return .unlisted(folder: folder, error.failure)
        }
    }
}
