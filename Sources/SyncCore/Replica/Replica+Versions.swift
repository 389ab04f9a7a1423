/// What is kept of an item's versions.
extension Replica {
    mutating func remember(_ version: Version, _ facts: VersionFacts, of id: ItemID) {
        var chunks: [ChunkReference] = []
        if case .chunks(let list) = version.content { chunks = list }
        nodes[id]?.record.versions.append(
            KnownVersion(
                id: version.id, parents: version.parents, facts: facts, chunks: chunks,
                author: device, moment: now.wall))
    }

    /// How many versions are kept for what later ones were made from.
    private static var lineageLength: Int { 16 }

    /// Keeps what the trees speak of; and while they differ, what lies between them, for a merge.
    mutating func prune(_ id: ItemID) {
        guard let record = nodes[id]?.record else { return }
        var spare = 0
        for version in record.versions where !record.speaks(of: version.id) {
            spare += 1
            if hidden.remove(version.id) != nil { changes.append(.content(version.id, nil)) }
        }
        guard spare > 0 else { return }
        spare -= isAtRest(id) ? 0 : Replica.lineageLength
        guard spare > 0 else { return }
        nodes[id]?.record.versions.removeAll { version in
            guard spare > 0, !record.speaks(of: version.id) else { return false }
            spare -= 1
            return true
        }
    }

    /// One version is everything: in the account, on the disk, and read.
    private func isAtRest(_ id: ItemID) -> Bool {
        guard let node = nodes[id], node.pending == 0 else { return false }
        guard let remote = node.record.remote, remote.heads.count <= 1 else { return false }
        guard let base = node.record.base else { return true }
        return base.version == remote.heads.first?.version && base.lastRead == base.version
    }
}
