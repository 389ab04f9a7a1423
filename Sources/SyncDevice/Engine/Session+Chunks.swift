import SyncCore
import SyncStore

/// Long contents: what of them is on this device already.
extension Session {
    /// Lets downloads and uploads find chunks in the files of the tree.
    func connectChunks() {
        downloads.sources = { [weak self] in self?.sources(for: $0) ?? [] }
        uploads.fileChunks = { [weak self] in self?.chunks($1, inFileOf: $0) }
    }

    /// The file that is to be replaced, and others that seem to have chunks of the content.
    ///
    /// Our own reading of them is not somebody's.
    private func sources(for request: FetchRequest) -> [ChunkSource] {
        var items = whereabouts.items(having: request.chunks).filter { $0 != request.item }
        items.insert(request.item, at: 0)
        return items.compactMap { source(onDisk: $0) }
    }

    /// The item's file or package, as it was cut.
    private func source(onDisk item: ItemID) -> ChunkSource? {
        guard let cut = replica.cutFile(of: item) else { return nil }
        guard !replica.isPackage(item) else {
            return disk.reader.openPackage(cut.path, chunks: cut.chunks, disk.watcher)
        }
        return disk.reader.open(cut.path, disk.watcher)
            .map { ChunkSource(file: $0, chunks: cut.chunks) }
    }

    /// Chunks of what an operation brings that lie nowhere but in the file, or in what was brought
    /// here of a version that a restored server has lost; nil if one is not there any more.
    private func chunks(
        _ wanted: Set<ChunkID>, inFileOf entry: UInt64
    ) -> [ChunkID: [UInt8]]? {
        guard let source = source(ofEntry: entry) else { return lost(entry) }
        defer { source.close() }
        var found: [ChunkID: [UInt8]] = [:]
        var offset: UInt64 = 0
        for chunk in source.chunks where found.count < wanted.count {
            if wanted.contains(chunk.id), found[chunk.id] == nil {
                guard let bytes = source.read(at: offset, count: Int(chunk.size)),
                    SHA256.hash(bytes) == chunk.id
                else { return lost(entry) }
                found[chunk.id] = bytes
            }
            offset += UInt64(chunk.size)
        }
        return found.count == wanted.count ? found : lost(entry)
    }

    private func lost(_ entry: UInt64) -> [ChunkID: [UInt8]]? {
        if let item = replica.item(ofEntry: entry) { changing.insert(item) }
        return nil
    }

    /// To be closed at once.
    private func source(ofEntry entry: UInt64) -> ChunkSource? {
        guard let version = replica.version(ofEntry: entry) else { return nil }
        if replica.isOnDisk(entry: entry), let item = replica.item(ofEntry: entry),
            let source = sourceUnwatched(item) ?? source(onDisk: item)
        {
            return source
        }
        if let digest = replica.digest(ofEntry: entry), let held = uncopied[digest],
            let file = try? FileSystemCalls.openContent(of: held)
        {
            return ChunkSource(plain: file, chunks: version.chunks)
        }
        return disk.downloads.openIfThere(version.id)
            .map { ChunkSource(file: $0, chunks: version.chunks) }
    }

    /// A file that is not watched for readers can be read as it is.
    private func sourceUnwatched(_ item: ItemID) -> ChunkSource? {
        guard !replica.isPackage(item), !disk.watcher.isWatchingReading(item),
            let cut = replica.cutFile(of: item), let file = disk.reader.openUnwatched(cut.path)
        else { return nil }
        return ChunkSource(plain: file, chunks: cut.chunks)
    }

    /// Keeps what stands for a file that was read and not copied, until it is sent: it may be
    /// removed, or another one may take its name.
    func hold(_ file: Descriptor?, _ digest: Digest) {
        guard let file, uncopied.count < Session.mostUncopied else { return }
        uncopied[digest] = file
        hasReleased = true
    }

    /// The chunks of a file that need not be kept when it is read.
    func knownChunks(of request: ReadRequest, size: UInt64) -> Set<ChunkID> {
        if let item = replica.item(at: request.slot) { return replica.chunksAtServer(of: item) }
        // Beside a package there is none that it may have been made from.
        if request.kind == .package { return [] }
        return replica.chunksAtServer(beside: request.slot, size: size)
    }

    /// Bytes a second to the server and from it; 0 for no limit.
    func limit(up: UInt64, down: UInt64) {
        link.up.rate = up
        link.down.rate = down
        replica.limitRequests(to: link.up.most(.max))
    }

    /// When a limit lets what waits for it go on.
    var transferDue: Instant? {
        let now = Clock.now().steady
        return [uploads.due(after: now), downloads.due(after: now)].compactMap { $0 }.min()
    }

    func upload(_ entry: UInt64, _ chunks: [ChunkReference]) {
        let known = replica.item(ofEntry: entry).map { replica.chunksAtServer(of: $0) } ?? []
        uploads.start(entry, chunks, known: known)
    }

    /// Remembers which chunks are in which file.
    func noteWhereabouts(_ changes: [ReplicaChange]) {
        for case .node(let item, let record?) in changes {
            whereabouts.note(item, record.shownChunks)
        }
    }

    /// Forgets chunks that no operation needs, once nothing is on its way that may name them; some
    /// at a time, because a note waits meanwhile.
    ///
    /// A newer version of a file has chunks of the older one.
    func releaseChunks() {
        guard hasReleased, !hasWork, longReads.isEmpty else { return }
        if !uncopied.isEmpty {
            let digests = replica.unsentDigests
            uncopied = uncopied.filter { digests.contains($0.key) }
        }
        let needed = replica.unsentChunks
        let unneeded = ((try? disk.chunks.list()) ?? []).filter { !needed.contains($0) }
        // What stays behind is removed by the next start.
        for chunk in unneeded.prefix(Session.releasedAtOnce) { try? disk.chunks.remove(chunk) }
        hasReleased = unneeded.count > Session.releasedAtOnce
    }

    private static var releasedAtOnce: Int { 256 }
    private static var mostUncopied: Int { 128 }
}
