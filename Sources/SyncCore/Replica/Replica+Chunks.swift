/// Where chunks are to be had, for whoever moves them; what is said here is checked by hashes.
extension Replica {
    /// How the file on the disk is cut, from the version that it is; nil if it is in no chunks.
    package func cutFile(of given: ItemID) -> (path: LocalPath, chunks: [ChunkReference])? {
        let id = resolve(given)
        guard let base = base(id), !base.isParked, base.placeholder == nil,
            let path = path(of: id), let known = known(base.version, of: id), !known.chunks.isEmpty
        else { return nil }
        return (path, known.chunks)
    }

    /// The chunks of an item's heads, and of the version on this disk, as far as the server has
    /// taken them.
    package func chunksAtServer(of given: ItemID) -> Set<ChunkID> {
        let id = resolve(given)
        guard let record = nodes[id]?.record else { return [] }
        let unsent = Set(outbox.all(on: id).compactMap { $0.entry.body.version?.id })
        var versions = record.remote?.heads.map { $0.version } ?? []
        if let base = record.base { versions.append(base.version) }
        var chunks: Set<ChunkID> = []
        for version in versions where !unsent.contains(version) {
            chunks.formUnion(known(version, of: id)?.chunks.map { $0.id } ?? [])
        }
        return chunks
    }

    /// The chunks that the server has of files beside a name that are about as long as what stands
    /// there now and is no item yet: many programs write anew, and rename what they have written.
    package func chunksAtServer(beside slot: Slot, size: UInt64) -> Set<ChunkID> {
        let siblings = slots[slot.folder] ?? [:]
        guard siblings.count <= 1_000 else { return [] }
        var chunks: Set<ChunkID> = []
        for id in siblings.values.sorted() {
            guard let other = base(id)?.facts.size, other >= size / 4 * 3,
                other <= size + size / 3
            else { continue }
            chunks.formUnion(chunksAtServer(of: id))
            if chunks.count > 65_536 { break }
        }
        return chunks
    }

    /// The item that an operation on its way brings content for.
    package func item(ofEntry entry: UInt64) -> ItemID? {
        outbox[entry]?.body.item.map { resolve($0) }
    }

    /// Whether the file on the disk is the version that the operation brings.
    package func isOnDisk(entry: UInt64) -> Bool {
        guard let id = item(ofEntry: entry), let version = outbox[entry]?.body.version else {
            return false
        }
        return nodes[id]?.record.shown == version.id
    }

    /// The version that an operation brings, and the chunks that it names.
    package func version(ofEntry entry: UInt64) -> (id: VersionID, chunks: [ChunkReference])? {
        outbox[entry].flatMap { entry in entry.body.version.map { ($0.id, entry.body.chunks) } }
    }

    /// The digest of the content that an operation brings.
    package func digest(ofEntry entry: UInt64) -> Digest? {
        outbox[entry].flatMap { digest(of: $0) }
    }

    private func digest(of entry: OutboxEntry) -> Digest? {
        entry.body.version.flatMap { vault.open($0.facts) }
            .flatMap { VersionFacts(bytes: $0)?.digest }
    }

    /// An operation on its way that brings a long content.
    package func entry(bringing digest: Digest) -> UInt64? {
        outbox.all.first { !$0.entry.body.chunks.isEmpty && self.digest(of: $0.entry) == digest }?
            .id
    }

    /// The digests of all long contents that operations on their way bring, and of what was read
    /// for the next ones.
    package var unsentDigests: Set<Digest> {
        var digests = Set(contents.values.map { $0.digest })
        for (_, entry) in outbox.all where !entry.body.chunks.isEmpty {
            if let digest = digest(of: entry) { digests.insert(digest) }
        }
        return digests
    }

    /// Versions that are not on the disk: what was brought of their contents may still be wanted,
    /// to be installed, or to be sent to a server that has lost them.
    package var versionsElsewhere: Set<VersionID> {
        var versions: Set<VersionID> = []
        for node in nodes.values {
            for head in node.record.remote?.heads ?? []
            where head.hasContent && head.version != node.record.satisfied {
                versions.insert(head.version)
            }
            versions.formUnion(node.record.loss?.versions ?? [])
        }
        for (_, entry) in outbox.all where !entry.body.chunks.isEmpty {
            if let version = entry.body.version { versions.insert(version.id) }
        }
        return versions
    }
}

extension NodeRecord {
    /// How the file on the disk is cut; empty if it is in no chunks.
    package var shownChunks: [ChunkReference] {
        guard let shown else { return [] }
        return versions.first { $0.id == shown }?.chunks ?? []
    }
}
