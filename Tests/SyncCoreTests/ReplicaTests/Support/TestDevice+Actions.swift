import SyncCore
import SyncStore

extension TestDevice {
    func perform(_ action: ReplicaAction) {
        switch action {
        case .persist(let changes): persist(changes)
        case .list(let folder, let path): list(folder, path)
        case .unwatch(let folder):
            for (inode, item) in disk.watched where item == folder { disk.watched[inode] = nil }
        case .look(let slot, let path):
            looks += 1
            beforeLook?()
            let entry = disk.place(of: path.names).flatMap { disk.entry(at: $0) }
            report(.seen([Sighting(slot: slot, entry: entry)]))
        case .read(let request):
            let outcome = outcome(of: request)
            onRead?()
            onRead = nil
            report(.read(request, outcome))
        case .watchReading(let item, let path):
            if let inode = disk.inode(at: path.names) { disk.watchedReaders[inode] = item }
        case .forgetReaders(let item): disk.forgetReaders(of: item)
        case .install(let job):
            if let happens = beforeInstall {
                beforeInstall = nil
                happens()
            }
            report(.installed(job.id, carryOut(job)))
        case .fetch(let request): fetch(request)
        case .inquire(let item, let version):
            incoming.append(
                .described(item, version, cannotFetch ? nil : cloud.version(version)))
        case .inquireHistory(let item):
            let history = isOnline && !cannotFetch ? cloud.history(of: item) : nil
            incoming.append(.history(item, history))
        case .inquireSnapshot(let landmarks):
            incoming.append(.snapshot(isOnline ? cloud.snapshot(having: landmarks) : nil))
        case .recallAncestry(let number):
            report(.ancestry((try? store.ancestries(after: number)) ?? []))
        case .load(let item, let version): report(.loaded(item, version, fetched[version]))
        case .keep(let item, let bytes):
            report(.kept(item, testVault.hash(bytes), keep(bytes)))
        case .releaseFetched(let version):
            fetched[version] = nil
            released.append(version)
        case .upload(let entry, let chunks): upload(entry, chunks)
        case .releaseUpload: break
        case .send(let incarnation, let operations, _): request = (incarnation, operations)
        case .pull(let position):
            pulls += 1
            incoming.append(cloud.log(after: position, to: id))
        case .wake(let instant): wakeAt = instant
        case .notify(let notice): notices.append(notice)
        }
    }

    private func persist(_ changes: [ReplicaChange]) {
        for case .node(let id, _) in changes { index?.set(id, replica?.keys(of: id)) }
        do { try store.commit(changes) } catch { preconditionFailure("memory cannot fail") }
    }

    /// The kernel's queue was full: what it held is lost, and each folder is listed where it was.
    func overflow() {
        disk.notices = []
        for (inode, folder) in disk.watched.sorted(by: { $0.key < $1.key }) {
            guard let path = replica?.path(of: folder) else { continue }
            if disk.inode(at: path.names) != inode { disk.watched[inode] = nil }
            list(folder, path)
        }
        run()
    }

    private func list(_ folder: ItemID, _ path: LocalPath) {
        guard let inode = disk.inode(at: path.names), disk.files[inode]?.kind == .folder else {
            return report(.unlisted(folder: folder, .missing))
        }
        disk.watched[inode] = folder
        let names = (disk.files[inode]?.entries ?? [:]).keys.sorted()
        report(
            .listed(
                folder: folder,
                entries: names.map { name in
                    Sighting(
                        slot: Slot(folder: folder, name: name),
                        entry: disk.entry(at: .init(folder: inode, name: name)))
                }))
    }

    private func outcome(of request: ReadRequest) -> ReadOutcome {
        guard let inode = disk.inode(at: request.path.names), let file = disk.files[inode],
            file.kind == request.kind, let stamp = disk.stamp(of: inode)
        else { return .gone }
        if busy.contains(inode), !request.isForOpenFile { return .busy }
        let prefix = request.prefix.flatMap { count in
            count <= UInt64(file.bytes.count)
                ? testVault.hash(Array(file.bytes.prefix(Int(count)))) : nil
        }
        return .content(
            ReadContent(
                stamp: stamp, digest: testVault.hash(file.bytes), prefixDigest: prefix,
                content: keep(file.bytes)))
    }

    /// Small content travels inline; more than 100 bytes are chunks of 60.
    private func keep(_ bytes: [UInt8]) -> StoredContent {
        guard bytes.count > 100 else { return .inline(bytes) }
        var references: [ChunkReference] = []
        for start in stride(from: 0, to: bytes.count, by: 60) {
            let chunk = Array(bytes[start..<min(start + 60, bytes.count)])
            chunks[testVault.hash(chunk)] = chunk
            references.append(
                ChunkReference(id: testVault.hash(chunk), size: UInt32(chunk.count)))
        }
        return .chunks(references)
    }

    private func fetch(_ request: FetchRequest) {
        if holdsFetches { return heldFetches.append(request) }
        guard
            let bytes = fetched[request.version] ?? ownContent(of: request)
                ?? cloudContent(of: request)
        else {
            return report(.fetched(request.item, request.version, .unavailable))
        }
        let isSound = testVault.hash(bytes) == request.facts.digest
        if isSound { fetched[request.version] = bytes }
        report(.fetched(request.item, request.version, isSound ? .arrived : .damaged))
    }

    private func ownContent(of request: FetchRequest) -> [UInt8]? {
        if let bytes = store.committed.contents[request.version] { return bytes }
        return request.chunks.isEmpty ? nil : joined(request.chunks, from: chunks)
    }

    private func cloudContent(of request: FetchRequest) -> [UInt8]? {
        guard isOnline, !cannotFetch else { return nil }
        if !request.chunks.isEmpty { return joined(request.chunks, from: cloud.chunks) }
        guard case .inline(let bytes)? = cloud.version(request.version)?.content else {
            return nil
        }
        return bytes
    }

    private func upload(_ entry: UInt64, _ references: [ChunkReference]) {
        guard !holdsUploads else {
            heldUploads.append((entry, references))
            return
        }
        for reference in references {
            guard let bytes = chunks[reference.id] ?? fetchedChunk(reference.id) else { continue }
            cloud.keep(bytes)
        }
        incoming.append(.uploaded(entry: entry, succeeded: true))
    }

    /// A chunk of what was brought and is not installed.
    private func fetchedChunk(_ id: ChunkID) -> [UInt8]? {
        for bytes in fetched.values {
            for start in stride(from: 0, to: bytes.count, by: 60) {
                let chunk = Array(bytes[start..<min(start + 60, bytes.count)])
                if testVault.hash(chunk) == id { return chunk }
            }
        }
        return nil
    }

    func finishFetches() {
        holdsFetches = false
        for request in heldFetches { fetch(request) }
        heldFetches = []
        run()
    }

    func finishUploads() {
        holdsUploads = false
        for (entry, chunks) in heldUploads { upload(entry, chunks) }
        heldUploads = []
    }

    // MARK: The request

    /// Brings the request to the server and its answer back; true if there was one.
    func exchange() -> Bool {
        guard isOnline, let (incarnation, operations) = request else { return false }
        request = nil
        let answer = cloud.decide(operations, of: incarnation, by: id)
        incoming.append(losesAnswers ? .sendFailed : .answered(answer))
        return true
    }
}

func joined(_ references: [ChunkReference], from chunks: [ChunkID: [UInt8]]) -> [UInt8]? {
    var bytes: [UInt8] = []
    for reference in references {
        guard let chunk = chunks[reference.id] else { return nil }
        bytes += chunk
    }
    return bytes
}
