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
    let folders: DeviceFolders
    /// Whether what stands at a name is one document; the replica says it.
    var isPackage: (Slot, DiskEntry) -> Bool = { _, _ in false }
    /// Packages in which something may have happened unseen.
    private var stirred: [FileIdentity] = []
    /// What was found changed and may not survive a power cut.
    var unsynced = ChangedFolders()
    var hasUnsyncedReads = false

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
                guard case .staged(let staged) = moment else { return }
                switch job.task {
                case .placeFile: watcher.watchReading(job.item, staged)
                case .placePackage: watcher.watchReading(job.item, ofPackage: staged)
                default: break
                }
            })
        readingThread = ReadingThread(reader: reader, watcher: watcher, waker: waker)
        readingThread.start()
        downloads = DownloadFolder(folders)
        assembling = AssemblyThread(folder: downloads, own: chunks, waker: waker)
        assembling.start()
    }

    /// Judges what a crash has left in the device's own folders.
    func recover(
        unsent: Set<ChunkID>, wanted: () -> Set<VersionID>, place: (ItemID) -> LocalPath?
    ) throws(DiskError) -> [Installer.Recovered] {
        try chunks.removeUnfinished()
        for chunk in try chunks.list() where !unsent.contains(chunk) { try chunks.remove(chunk) }
        try downloads.removeAll(except: wanted)
        return try installer.recover(place: place)
    }

    /// Whether a program has the file open for writing; false also where that cannot be known.
    func hasWriter(_ path: LocalPath) -> Bool {
        guard let spot = try? folders.spot(of: path) else { return false }
        return (try? installer.hasWriter(spot)) ?? false
    }

    /// A package with all that is in it, and watched.
    ///
    /// One that cannot be looked into is a package all the same: to read it will say why.
    private func whole(_ sighting: Sighting, at path: LocalPath) -> Sighting {
        guard let entry = sighting.entry, isPackage(sighting.slot, entry) else { return sighting }
        let identity = entry.stamp.identity
        let wasWatched = watcher.isWatching(package: identity)
        do throws(DiskError) {
            let walk = try PackageWalk(folders.spot(of: path)) { (open) throws(DiskError) in
                // What happened in a folder that was made since is not known.
                let isNew = try watcher.watch(open, inPackage: identity)
                if isNew, wasWatched { stirred.append(identity) }
            }
            guard walk.stamp.identity == identity else { return unknown(sighting, entry.stamp) }
            return Sighting(
                slot: sighting.slot, entry: DiskEntry(kind: .package, stamp: walk.stamp))
        } catch {
            return unknown(sighting, entry.stamp)
        }
    }

    private func unknown(_ sighting: Sighting, _ stamp: FileStamp) -> Sighting {
        let stamp = FileStamp(
            identity: stamp.identity, size: 0, mode: stamp.mode, modified: stamp.modified,
            changed: stamp.changed, links: stamp.links, isRacy: true)
        return Sighting(slot: sighting.slot, entry: DiskEntry(kind: .package, stamp: stamp))
    }

    func takeStirred() -> [FileIdentity] {
        defer { stirred = [] }
        return stirred
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
            guard let sighting = try view.look(slot, at: path, in: folder) else { return nil }
            return whole(sighting, at: path)
        } catch {
            return nil
        }
    }

    /// Whether anything has the path, in a package or not.
    func isThere(_ path: LocalPath) -> Bool {
        do throws(DiskError) {
            return try FileSystemCalls.lookIfThere(folders.spot(of: path)) != nil
        } catch {
            return false
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
            return .listed(
                folder: folder,
                entries: entries.map { sighting in
                    guard sighting.entry?.kind == .folder else { return sighting }
                    return whole(sighting, at: LocalPath(names: path.names + [sighting.slot.name]))
                })
        } catch {
            return .unlisted(folder: folder, error.failure)
        }
    }
}
