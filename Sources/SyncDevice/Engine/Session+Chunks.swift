import SyncCore
import SyncStore

/// Long contents: what of them is on this device already.
extension Session {
    /// Lets downloads and uploads find chunks in the files of the tree.
    func connectChunks() {
        downloads.sources = { [weak self] in self?.sources(for: $0) ?? [] }
        downloads.endSources = { [weak self] in self?.endSources(of: $0) }
        uploads.fileChunk = { [weak self] in self?.chunk($1, inFileOf: $0) }
    }

    /// The file that is to be replaced, and others that seem to have chunks of the content.
    private func sources(for request: FetchRequest) -> [ChunkSource] {
        var items = whereabouts.items(having: request.chunks).filter { $0 != request.item }
        items.insert(request.item, at: 0)
        var paused: [ItemID] = []
        let sources = items.compactMap { item -> ChunkSource? in
            guard let cut = replica.cutFile(of: item) else { return nil }
            if pauseReading(item, at: cut.path) { paused.append(item) }
            return disk.reader.source(
                cut.path, isPackage: replica.isPackage(item), chunks: cut.chunks)
        }
        if !paused.isEmpty { pausedSources[request.version] = paused }
        return sources
    }

    /// Our own reading is not somebody's.
    ///
    /// Of several contents that take from one file the last to end watches it again.
    private func pauseReading(_ item: ItemID, at path: LocalPath) -> Bool {
        let isWatched = disk.watcher.pauseReading(item)
        guard isWatched || sourcePauses[item] != nil else { return false }
        sourcePauses[item, default: ReadingPause(path: path, count: 0)].count += 1
        return true
    }

    private func endSources(of version: VersionID) {
        for item in pausedSources.removeValue(forKey: version) ?? [] {
            sourcePauses[item]?.count -= 1
            guard let pause = sourcePauses[item], pause.count == 0 else { continue }
            sourcePauses[item] = nil
            watchReading(item, at: pause.path)
        }
    }

    /// A chunk of what an operation brings that lies nowhere but in the file.
    private func chunk(_ chunk: ChunkReference, inFileOf entry: UInt64) -> [UInt8]? {
        guard replica.isOnDisk(entry: entry), let item = replica.item(ofEntry: entry),
            let cut = replica.cutFile(of: item)
        else { return nil }
        var offset: UInt64 = 0
        for other in cut.chunks {
            if other.id == chunk.id { break }
            offset += UInt64(other.size)
        }
        let isPaused = disk.watcher.pauseReading(item)
        let source = disk.reader.source(
            cut.path, isPackage: replica.isPackage(item), chunks: cut.chunks)
        let bytes = try? source?.read(at: offset, count: Int(chunk.size))
        if isPaused { watchReading(item, at: cut.path) }
        guard let bytes, SHA256.hash(bytes) == chunk.id else { return nil }
        return bytes
    }

    /// The chunks of a file that need not be kept when it is read.
    func knownChunks(of request: ReadRequest, size: UInt64) -> Set<ChunkID> {
        if let item = replica.item(at: request.slot) { return replica.chunksAtServer(of: item) }
        // A package's stamp has no size.
        if request.kind == .package { return [] }
        return replica.chunksAtServer(beside: request.slot, size: size)
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
        let needed = replica.unsentChunks
        let unneeded = ((try? disk.chunks.list()) ?? []).filter { !needed.contains($0) }
        // What stays behind is removed by the next start.
        for chunk in unneeded.prefix(Session.releasedAtOnce) { try? disk.chunks.remove(chunk) }
        hasReleased = unneeded.count > Session.releasedAtOnce
    }

    private static var releasedAtOnce: Int { 256 }
}

/// A file that is watched for readers, while we read it ourselves.
struct ReadingPause {
    let path: LocalPath
    /// How many contents take from the file.
    var count: Int
}
