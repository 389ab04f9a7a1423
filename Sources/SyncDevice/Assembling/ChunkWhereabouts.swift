import SyncCore

/// Which items have which chunks, by a sample of them: enough to find a file that has much in
/// common with another, at a sixteenth of the memory.
struct ChunkWhereabouts {
    private var items: [ChunkID: ItemID] = [:]

    /// Notes how an item's file is cut; what it had before stays, and is found to be wrong when it
    /// is looked for.
    mutating func note(_ item: ItemID, _ chunks: [ChunkReference]) {
        guard let first = chunks.first, items.count < Self.most else { return }
        items[first.id] = item
        for chunk in chunks where Self.isInSample(chunk.id) { items[chunk.id] = item }
    }

    /// Items that seem to have chunks of the content, those with the most of them first.
    func items(having chunks: [ChunkReference]) -> [ItemID] {
        var hits: [ItemID: Int] = [:]
        if let first = chunks.first, let item = items[first.id] { hits[item, default: 0] += 1 }
        for chunk in chunks where Self.isInSample(chunk.id) {
            if let item = items[chunk.id] { hits[item, default: 0] += 1 }
        }
        let ordered = hits.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return ordered.prefix(Self.mostFound).map { $0.key }
    }

    private static func isInSample(_ id: ChunkID) -> Bool { id.words.0 & 15 == 0 }

    private static var most: Int { 500_000 }
    private static var mostFound: Int { 4 }
}
