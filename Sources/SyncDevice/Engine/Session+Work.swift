import SyncCore
import SyncStore

/// Reading, installing, fetching.
extension Session {
    /// Files longer than this are read on a thread of their own.
    private static var shortFile: UInt64 { 1_048_576 }

    func read(_ request: ReadRequest) {
        if let entry = disk.look(request.slot, at: request.path)?.entry,
            entry.stamp.size > Session.shortFile
        {
            disk.readingThread.read(request)
            return
        }
        let item = replica.item(at: request.slot)
        let wasUnread = item.map { disk.watcher.pauseReading($0) } ?? false
        feed(.read(request, disk.reader.read(request)))
        if wasUnread, let item { disk.watcher.watchReading(item, at: request.path) }
    }

    func install(_ jobs: [InstallJob]) {
        var batch: [Installation] = []
        var watched: [JobID: ItemID] = [:]
        for job in jobs {
            guard let content = content(for: job.task) else {
                feed(.installed(job.id, .contentMissing))
                continue
            }
            if disk.watcher.forgetReading(job.item) { watched[job.id] = job.item }
            batch.append(Installation(job, content))
        }
        let outcomes = disk.installer.perform(batch)
        for (installation, outcome) in zip(batch, outcomes) {
            let job = installation.job
            // What was not replaced goes on being watched.
            if let item = watched[job.id], let path = replica.path(of: item), outcome.isNothing {
                disk.watcher.watchReading(item, at: path)
            }
            feed(.installed(job.id, outcome))
        }
    }

    private func content(for task: InstallJob.Task) -> Installation.Content? {
        switch task {
        case .placeFile(_, let source, _, _), .placeLink(_, let source, _, _):
            switch source {
            case .inline(let bytes): .bytes(bytes)
            case .fetched(let version): downloads.take(version)
            }
        case .makeFolder, .setMode, .remove, .move, .park, .unpark: Installation.Content.none
        }
    }

    /// From the device's own contents if they are there, else from the server.
    func fetch(_ request: FetchRequest) {
        if request.chunks.isEmpty, let bytes = ownContent(of: request.version) {
            downloads.add(bytes, for: request)
        } else {
            downloads.start(request)
        }
    }

    /// The content of a version that this device holds outside of the tree.
    func ownContent(of version: VersionID) -> [UInt8]? {
        if case .inline(let bytes)? = replica.unsentContent(of: version) { return bytes }
        // A store that cannot be read is as good as none: the server has the content.
        return (try? store.content(version)) ?? nil
    }

    func releaseUpload(_ entry: UInt64) {
        guard let chunks = uploading.removeValue(forKey: entry) else { return }
        let needed = Set(uploading.values.flatMap { $0.map(\.id) })
        uploads.release(entry, stillNeeded: { needed.contains($0) }, chunks)
    }
}

extension JobOutcome {
    /// The disk was left as it was.
    fileprivate var isNothing: Bool {
        if case .done = self { return false }
        return true
    }
}
