import SyncCore
import SyncStore
import SyncWire

/// Reading, installing, fetching.
extension Session {
    /// Files longer than this are read on a thread of their own.
    private static var shortFile: UInt64 { 262_144 }

    /// Files longer than this are sent from where they lie, if they can be sent at once; one that
    /// has changed before it was sent is copied aside the next time, so that it gets there however
    /// often it changes.
    private static var copiedFile: UInt64 { 16 * 1_048_576 }

    func read(_ request: ReadRequest, syncs: Bool) {
        if request.kind == .package {
            disk.noteReads()
            return readLong(request, size: Session.packageSize)
        }
        let folder = replica.identity(of: request.slot.folder)
        if let entry = disk.look(request.slot, at: request.path, in: folder)?.entry,
            entry.stamp.size > Session.shortFile
        {
            return readLong(request, size: entry.stamp.size)
        }
        if !syncs { disk.noteReads() }
        let read = disk.reader.begin(
            request, watched(at: request.slot), disk.watcher, syncs: syncs)
        report(found: events(of: request, read.finish(), wasBeingRead: read.wasBeingRead))
    }

    /// A package's stamp has no size: its turn comes as that of a file of this size.
    private static var packageSize: UInt64 { 1_048_576 }

    private func readLong(_ request: ReadRequest, size: UInt64) {
        longReads[request.slot, default: 0] += 1
        let hasChanged = replica.item(at: request.slot).map { changing.contains($0) } ?? false
        disk.readingThread.read(
            ReadingThread.Task(
                request: request, size: size, watched: watched(at: request.slot),
                known: knownChunks(of: request, size: size),
                copies: hasChanged || size <= Session.copiedFile || link.condition != .open))
    }

    private func watched(at slot: Slot) -> WatchedReading? {
        guard let item = replica.item(at: slot), disk.watcher.isWatchingReading(item),
            let shown = replica.shown(of: item)
        else { return nil }
        return WatchedReading(item: item, installed: shown.stamp)
    }

    private func events(
        of request: ReadRequest, _ outcome: ReadOutcome, wasBeingRead: Bool
    ) -> [ReplicaEvent] {
        let read = ReplicaEvent.read(request, outcome)
        guard wasBeingRead, let item = replica.item(at: request.slot) else { return [read] }
        return [.opened(item), read]
    }

    /// Watches the file that was installed, and not another one that has its name by now.
    func watchReading(_ item: ItemID, at path: LocalPath) {
        guard let slot = replica.slot(of: item), let shown = replica.shown(of: item),
            let entry = disk.look(slot, at: path, in: replica.identity(of: slot.folder))?.entry,
            entry.stamp.identity == shown.stamp.identity
        else { return }
        guard entry.kind == .package else { return disk.watcher.watchReading(item, at: path) }
        disk.watcher.watchReading(item, ofPackage: entry.stamp.identity) {
            _ = disk.look(slot, at: path, in: replica.identity(of: slot.folder))
        }
    }

    /// What the reading thread has read.
    func takeReadResults() {
        let results = disk.readingThread.takeResults()
        if !results.isEmpty {
            report(
                found: results.flatMap {
                    events(of: $0.request, $0.outcome, wasBeingRead: $0.wasBeingRead)
                })
        }
        for result in results {
            // It may have kept chunks of what is no version.
            switch result.outcome {
            case .content(let content): hold(result.uncopied, content.digest)
            case .gone, .busy, .failed: hasReleased = true
            }
            let slot = result.request.slot
            let left = (longReads[slot] ?? 1) - 1
            longReads[slot] = left > 0 ? left : nil
        }
    }

    func install(_ jobs: [InstallJob]) {
        var batch: [Installation] = []
        var watched: [JobID: ItemID] = [:]
        for job in jobs {
            guard let content = content(for: job.task) else {
                feed(.installed(job.id, .contentMissing))
                continue
            }
            guard job.task.paths.allSatisfy({ leads($0) }) else {
                // A folder on the way was renamed a moment ago.
                feed(.installed(job.id, .busy))
                continue
            }
            if job.task.endsFile, disk.watcher.forgetReading(job.item) {
                watched[job.id] = job.item
            }
            batch.append(Installation(job, content))
        }
        let outcomes = disk.installer.perform(batch)
        for (installation, outcome) in zip(batch, outcomes) {
            let job = installation.job
            // What was not replaced goes on being watched.
            if let item = watched[job.id], let path = replica.path(of: item), outcome.isNothing {
                watchReading(item, at: path)
            }
            feed(.installed(job.id, outcome))
        }
    }

    private func leads(_ path: LocalPath) -> Bool {
        guard let slot = replica.slot(of: path) else { return false }
        return disk.view.leads(path, to: replica.identity(of: slot.folder))
    }

    private func content(for task: InstallJob.Task) -> Installation.Content? {
        switch task {
        case .placeFile(_, let source, _, _), .placeLink(_, let source, _, _),
            .placePackage(_, let source, _, _):
            switch source {
            case .inline(let bytes): .bytes(bytes)
            case .fetched(let version): downloads.content(of: version)
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

    func recallAncestry(after number: UInt64) {
        do throws(StoreError) {
            feed(.ancestry(try store.ancestries(after: number)))
        } catch {
            failure = error
        }
    }

    func inquireHistory(of item: ItemID) {
        link.versions(of: item) { [weak self] messages in
            self?.feed(.history(item, messages?.map(\.version)))
        }
    }

    /// Puts a content that the replica has made where uploads find it.
    func keep(_ bytes: [UInt8], of item: ItemID) {
        let content: StoredContent?
        do throws(DiskError) {
            content =
                try replica.isPackage(item)
                ? disk.chunks.keep(
                    bytes, sections: PackageList(front: bytes)?.sections,
                    known: replica.chunksAtServer(of: item))
                : disk.chunks.keep(bytes)
        } catch {
            content = nil
        }
        feed(.kept(item, SHA256.hash(bytes), content))
    }

    /// The content of a version that this device holds outside of the tree.
    func ownContent(of version: VersionID) -> [UInt8]? {
        if case .inline(let bytes)? = replica.unsentContent(of: version) { return bytes }
        // A store that cannot be read is as good as none: the server has the content.
        return (try? store.content(version)) ?? nil
    }
}

extension JobOutcome {
    /// The disk was left as it was.
    fileprivate var isNothing: Bool {
        if case .done = self { return false }
        return true
    }
}
