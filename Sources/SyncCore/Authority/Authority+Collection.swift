/// What a step of a collection drops, and where the next one begins.
package struct CollectionStep: Hashable, Sendable {
    package let changes: [AccountChange]
    package let next: Replaced<VersionID>?
    package let isOver: Bool
}

/// The daily collection: contents that nobody can want any more are dropped.
///
/// Heads keep their content for ever, and so does what a registered device may have on its disk;
/// the ids and parents of all versions stay.
extension Authority {
    /// One step of an account's collection; committed, it is followed by the next one, which goes
    /// on from its `next`, until one is the last.
    package func collect<Reader: CollectionReader>(
        _ collection: UInt64, _ retention: Retention, after last: Replaced<VersionID>? = nil,
        limit: Int, reading reader: Reader
    ) throws(Reader.Failure) -> CollectionStep {
        let old = try reader.number(after: retention.replaced, of: collection)
        let restorable = try reader.restorable(at: collection)
        let needed = try firstNeeded(collection, reader)
        let replaced = try reader.replaced(
            after: last, through: min(old, needed), limit: limit)
        var changes: [AccountChange] = []
        for version in replaced {
            let isRestorable = version.number > restorable
            if isRestorable, try isLastOfTrashed(version.id, reader) { continue }
            changes.append(.collected(version.id))
        }
        let writes = try reader.replacedWrites(through: old, limit: limit)
        changes += writes.map { .valueCollected($0.id) }
        // One that was brought a moment ago waits for its operation.
        let chunks = try reader.unreferencedChunks(
            before: collection > 0 ? collection - 1 : 0, limit: limit)
        changes += chunks.map { .chunkMarked($0) }
        let isOver = max(replaced.count, writes.count, chunks.count) < limit
        return CollectionStep(changes: changes, next: replaced.last ?? last, isOver: isOver)
    }

    /// Begins an account's collection: from here on days are counted.
    package func beginCollection<Reader: CollectionReader>(
        _ collection: UInt64, reading reader: Reader
    ) throws(Reader.Failure) -> [AccountChange] {
        let number = try reader.position().number
        // An account in which nothing happens needs no more rows.
        guard try reader.number(at: collection) != number else { return [] }
        return [.collection(collection, at: number)]
    }

    /// The entry up to which no device has a replaced version on its disk.
    private func firstNeeded<Reader: CollectionReader>(
        _ collection: UInt64, _ reader: Reader
    ) throws(Reader.Failure) -> UInt64 {
        var needed = UInt64.max
        for device in try reader.deviceReports()
        where collection < device.heard + Retention.silence {
            needed = min(needed, device.number)
        }
        return needed
    }

    /// Whether an item in the trash would come back with the version.
    private func isLastOfTrashed<Reader: CollectionReader>(
        _ id: VersionID, _ reader: Reader
    ) throws(Reader.Failure) -> Bool {
        guard let item = try reader.version(id)?.item, let state = try reader.item(item),
            state.standing == .trashed
        else { return false }
        for head in state.heads where try reader.version(head.version)?.parents.contains(id) == true
        {
            return true
        }
        return false
    }
}

extension CollectionReader {
    /// The log's number so many collections before one.
    fileprivate func number(
        after collections: UInt64, of collection: UInt64
    ) throws(Failure) -> UInt64 {
        collection > collections ? try number(at: collection - collections) : 0
    }

    /// The entry after which an item must have been deleted to be restored now.
    package func restorable(at collection: UInt64) throws(Failure) -> UInt64 {
        try number(after: Retention.deleted, of: collection)
    }
}
