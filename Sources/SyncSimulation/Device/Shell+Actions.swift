import SyncCore
import SyncStore
import SyncWire

/// What the device's program does for the replica.
extension Simulation {
    mutating func perform(_ action: ReplicaAction, on index: Int) {
        if story.isTold { tell(index, "-> \(Telling.told(action))") }
        switch action {
        case .persist(let changes): persist(changes, on: index)
        case .list(let folder, let path): list(folder, path, on: index)
        case .unwatch(let folder): unwatch(folder, on: index)
        case .look(let slot, let path): look(slot, path, on: index)
        case .read(let request): read(request, on: index)
        case .watchReading(let item, let path):
            if let inode = devices[index].disk.inode(at: path.names) {
                devices[index].disk.watchReaders(of: inode, for: item)
            }
        case .forgetReaders(let item): _ = devices[index].disk.forgetReaders(of: item)
        case .install(let job): startJob(job, on: index)
        case .fetch(let request): fetch(request, on: index)
        case .inquire(let item, let version): inquire(item, version, on: index)
        case .inquireHistory(let item): inquireHistory(of: item, on: index)
        case .inquireSnapshot(let landmarks): inquireSnapshot(landmarks, on: index)
        case .recallAncestry(let number): recallAncestry(after: number, on: index)
        case .load(let item, let version):
            report(.loaded(item, version, devices[index].fetched[version]), to: index)
        case .keep(let item, let bytes):
            report(.kept(item, simulatedHash(bytes), store(bytes, on: index)), to: index)
        case .releaseFetched(let version): devices[index].fetched[version] = nil
        case .upload(let entry, let chunks): upload(chunks, of: entry, on: index)
        case .releaseUpload: break
        case .send(let incarnation, let operations, let cursor):
            send(operations, incarnation, after: cursor, on: index)
        case .pull(let position): pull(after: position, on: index)
        case .wake(let instant):
            devices[index].timer += 1
            let time = max(now, instant.nanoseconds)
            let life = devices[index].life
            agenda.add(
                .timer(device: index, life: life, timer: devices[index].timer), at: time)
        case .notify: break
        }
    }

    private mutating func persist(_ changes: [ReplicaChange], on index: Int) {
        for case .register(_, let record?) in changes { noteSaved(record, on: index) }
        witness.note(changes, on: index)
        countLosses(changes, on: index)
        countPlaceholders(changes, on: index)
        do {
            try devices[index].store.commit(changes)
        } catch {
            preconditionFailure("a store in memory failed")
        }
    }

    private mutating func countLosses(_ changes: [ReplicaChange], on index: Int) {
        let before = devices[index].store.committed.replica.nodes
        counts[.lost] += changes.count { change in
            guard case .node(let id, let record?) = change else { return false }
            return record.loss != nil && before[id]?.loss == nil
        }
    }

    /// Another key's value, set a moment later, may not be durable yet.
    private mutating func noteSaved(_ record: RegisterRecord, on index: Int) {
        guard !devices[index].unsavedSettings.isEmpty else { return }
        devices[index].unsavedSettings.removeAll { setting in
            ledger.settings[setting].key == record.key
                && ledger.settings[setting].value == record.pending?.value ?? []
        }
    }

    private mutating func recallAncestry(after number: UInt64, on index: Int) {
        let kept = (try? devices[index].store.ancestries(after: number)) ?? []
        report(.ancestry(kept.sorted { $0.child < $1.child }), to: index)
    }

    // MARK: - Looking

    /// Looks within the folder itself, wherever its path leads by now.
    private mutating func look(_ slot: Slot, _ path: LocalPath, on index: Int) {
        let watched = devices[index].watches.first { $0.value == slot.folder }?.key
        let place =
            watched.map { DiskPlace(folder: $0, name: slot.name) }
            ?? devices[index].disk.place(of: path.names)
        let entry = place.flatMap { devices[index].disk.entry(at: $0) }
        reportFound(.seen([Sighting(slot: slot, entry: entry)]), to: index)
    }

    private mutating func list(_ folder: ItemID, _ path: LocalPath, on index: Int) {
        guard let inode = devices[index].disk.inode(at: path.names),
            devices[index].disk[inode].kind == .folder
        else { return reportFound(.unlisted(folder: folder, .missing), to: index) }
        unwatch(folder, on: index)
        devices[index].watches[inode] = folder
        devices[index].disk.watchedFolders.insert(inode)
        let entries = sightings(in: inode, folder, index)
        reportFound(.listed(folder: folder, entries: entries), to: index)
    }

    private func sightings(
        in inode: InodeNumber, _ folder: ItemID, _ index: Int
    ) -> [Sighting] {
        devices[index].disk[inode].entries.list.map { name, number in
            Sighting(
                slot: Slot(folder: folder, name: name),
                entry: devices[index].disk.entry(of: number))
        }
    }

    private mutating func unwatch(_ folder: ItemID, on index: Int) {
        for inode in devices[index].watches.filter({ $0.value == folder }).keys {
            devices[index].watches[inode] = nil
            devices[index].disk.watchedFolders.remove(inode)
        }
    }

    /// The time has come to read the kernel's queue.
    mutating func readWatcher(_ index: Int) {
        devices[index].isWatcherDue = false
        drainWatcher(index)
    }

    /// Reports what the disk shows, after all that the watcher had to tell until then.
    private mutating func reportFound(_ event: ReplicaEvent, to index: Int) {
        if mutant != .answersOvertakeWatcher { drainWatcher(index) }
        report(event, to: index)
    }

    /// Reads the kernel's queue: names are looked at as they are by now.
    mutating func drainWatcher(_ index: Int) {
        guard devices[index].replica != nil, devices[index].jobs.isEmpty else { return }
        let notices = devices[index].disk.notices
        devices[index].disk.notices = []
        let loss = notices.firstIndex(of: .overflow) ?? notices.endIndex
        hear(notices[..<loss], on: index)
        if loss < notices.endIndex { lookAtAll(notices[loss...], index) }
    }

    private mutating func hear(_ notices: ArraySlice<DiskNotice>, on index: Int) {
        var places: [DiskPlace] = []
        for notice in notices {
            switch notice {
            case .changed(let place): if !places.contains(place) { places.append(place) }
            case .written(let place):
                guard let folder = devices[index].watches[place.folder] else { continue }
                let slot = Slot(folder: folder, name: place.name)
                let entry = devices[index].disk.entry(at: place)
                if let entry, entry.kind == .package {
                    report(.stirred(entry.stamp.identity), to: index)
                    continue
                }
                report(.written(Sighting(slot: slot, entry: entry)), to: index)
            case .opened(let item): report(.opened(item), to: index)
            case .overflow: break
            }
        }
        see(places, on: index)
    }

    private mutating func see(_ places: [DiskPlace], on index: Int) {
        var sightings: [Sighting] = []
        for place in places {
            guard let folder = devices[index].watches[place.folder] else { continue }
            sightings.append(
                Sighting(
                    slot: Slot(folder: folder, name: place.name),
                    entry: devices[index].disk.entry(at: place)))
        }
        if !sightings.isEmpty { report(.seen(sightings), to: index) }
    }

    /// The queue was full, and what came then is lost: every folder is listed again, and only then
    /// is told whose watch for readers has ended: the read may have come after a save.
    private mutating func lookAtAll(_ notices: ArraySlice<DiskNotice>, _ index: Int) {
        for (inode, folder) in devices[index].watches.sorted(by: { $0.key < $1.key }) {
            guard let path = devices[index].replica?.path(of: folder) else { continue }
            guard devices[index].disk.inode(at: path.names) == inode,
                devices[index].disk.isThere(inode, .folder)
            else {
                // It was renamed, or is gone: it is not at the path that was known.
                unwatch(folder, on: index)
                report(.unlisted(folder: folder, .missing), to: index)
                continue
            }
            report(
                .listed(folder: folder, entries: sightings(in: inode, folder, index)), to: index)
        }
        for case .opened(let item) in notices { report(.opened(item), to: index) }
    }

    /// Plans the next reading of the kernel's queue if there is something in it.
    mutating func noticeLater(_ index: Int) {
        guard !devices[index].disk.notices.isEmpty, !devices[index].isWatcherDue else { return }
        guard devices[index].replica != nil else { return }
        devices[index].isWatcherDue = true
        let delay =
            random.happens(perMille: 50)
            ? random.within(5_000_000...300_000_000) : random.within(20_000...2_000_000)
        agenda.add(.watcher(device: index, life: devices[index].life), at: now + delay)
    }

    // MARK: - Reading

    private mutating func read(_ request: ReadRequest, on index: Int) {
        guard let inode = devices[index].disk.inode(at: request.path.names),
            devices[index].disk[inode].kind == request.kind
        else { return reportLater(.read(request, .gone), to: index) }
        guard devices[index].disk[inode].writers == 0 || request.isForOpenFile else {
            return reportLater(.read(request, .busy), to: index)
        }
        let stamp = devices[index].disk.stamp(of: inode)
        agenda.add(
            .readAgain(device: index, life: devices[index].life, request, inode, stamp),
            at: now + diskTime())
    }

    /// The file was read; the stamp must be the one from before.
    mutating func finishReading(
        _ request: ReadRequest, _ inode: InodeNumber, _ before: FileStamp, on index: Int
    ) {
        let file = devices[index].disk.inodes[inode]
        guard !file.isFree, file.birth == before.identity.birth else {
            return reportFound(.read(request, .gone), to: index)
        }
        let after = devices[index].disk.stamp(of: inode)
        guard file.writers == 0 || request.isForOpenFile, after.isSameFile(as: before) else {
            return reportFound(.read(request, .busy), to: index)
        }
        let bytes = file.bytes
        let prefix = request.prefix.flatMap { count in
            count <= UInt64(bytes.count) ? vault.hash(Array(bytes.prefix(Int(count)))) : nil
        }
        let content = ReadContent(
            stamp: before, digest: vault.hash(bytes), prefixDigest: prefix,
            content: store(bytes, on: index))
        reportFound(.read(request, .content(content)), to: index)
    }

    /// Content that travels inline, or as chunks that now lie in the device's own folder.
    private mutating func store(_ bytes: [UInt8], on index: Int) -> StoredContent {
        guard bytes.count > Sizes.inline else { return .inline(bytes) }
        var references: [ChunkReference] = []
        var start = 0
        while start < bytes.count {
            let plain = Array(bytes[start..<min(start + Sizes.chunk, bytes.count)])
            let chunk = cipher?.apply(plain) ?? plain
            let id = vault.hash(chunk)
            devices[index].chunks[id] = chunk
            references.append(ChunkReference(id: id, size: UInt32(chunk.count)))
            start += Sizes.chunk
        }
        return .chunks(references)
    }

    /// Small, so that small documents take the ways of large ones.
    enum Sizes {
        static let inline = 160
        static let chunk = 64
    }

    mutating func reportLater(_ event: ReplicaEvent, to index: Int) {
        agenda.add(
            .report(device: index, life: devices[index].life, event), at: now + diskTime())
    }

    mutating func diskTime() -> Int64 {
        random.happens(perMille: 30)
            ? random.within(2_000_000...400_000_000) : random.within(10_000...1_000_000)
    }
}

extension FileStamp {
    /// Nothing moved between two looks, whatever the clock's tick hides.
    func isSameFile(as other: FileStamp) -> Bool {
        identity == other.identity && size == other.size && mode == other.mode
            && modified == other.modified && changed == other.changed
    }
}
