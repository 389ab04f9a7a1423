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
    func chunks(
        _ wanted: Set<ChunkID>, inFileOf entry: UInt64
    ) -> [ChunkID: [UInt8]]? {
        guard let version = replica.version(ofEntry: entry),
            let item = replica.item(ofEntry: entry)
        else { return nil }
        // What stands for the file that was read has its bytes also when another has its name.
        if let found = held(for: entry, item, version.chunks)?.taking(wanted) { return found }
        if replica.isOnDisk(entry: entry),
            let found = (sourceUnwatched(item) ?? source(onDisk: item))?.taking(wanted)
        {
            return found
        }
        let brought = disk.downloads.openIfThere(version.id)
            .map { ChunkSource(file: $0, chunks: version.chunks) }
        if let found = brought?.taking(wanted) { return found }
        changing.insert(item)
        return nil
    }

    /// Nil also where somebody's reading is watched for, as ours would be taken for that.
    private func held(
        for entry: UInt64, _ item: ItemID, _ chunks: [ChunkReference]
    ) -> ChunkSource? {
        guard let digest = replica.digest(ofEntry: entry), let held = uncopied[digest],
            !disk.watcher.isWatchingReading(item),
            let file = try? FileSystemCalls.openContent(of: held.file)
        else { return nil }
        return ChunkSource(plain: file, chunks: chunks)
    }

    /// A file that is not watched for readers can be read as it is.
    private func sourceUnwatched(_ item: ItemID) -> ChunkSource? {
        guard !replica.isPackage(item), !disk.watcher.isWatchingReading(item),
            let cut = replica.cutFile(of: item), let file = disk.reader.openUnwatched(cut.path)
        else { return nil }
        return ChunkSource(plain: file, chunks: cut.chunks)
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
}
