package import SyncCore
package import SyncWire

/// One account's log and state, as the server's rules read it and as devices are served from it.
///
/// One thread at a time uses it. Changes are made within a transaction; reads see them at once.
package protocol AccountStore: AnyObject, SnapshotReader where Failure == StoreError {
    // MARK: Transactions

    /// A store of many accounts has one transaction at a time, which all of them share.
    func begin() throws(StoreError)
    /// Durable when it returns; when it throws, nothing of the transaction holds.
    func commit() throws(StoreError)
    /// Undoes the transaction; without one it does nothing.
    func rollback()

    // MARK: Writing

    /// Writes what was decided, in order; if it throws, the transaction must be rolled back.
    func apply(_ changes: [AccountChange]) throws(StoreError)
    /// The chunk's bytes are stored and checked; also takes a mark for collection away.
    func addChunk(_ id: ChunkID, size: UInt32) throws(StoreError)
    /// From now on the chunk counts as missing, so that its bytes may be removed later.
    func markChunk(_ id: ChunkID) throws(StoreError)

    // MARK: Serving

    /// The entries after a number, in order, to about `limit` bytes but at least one.
    ///
    /// Inline content is left out of the entries that `device` authored: it has it.
    func entries(
        after number: UInt64, limit: Int, to device: DeviceID?
    ) throws(StoreError) -> [LogEntry]
    /// A version with its content.
    func storedVersion(_ id: VersionID) throws(StoreError) -> VersionMessage?
    /// An item's versions, oldest first, without inline content.
    func versions(of item: ItemID) throws(StoreError) -> [VersionMessage]
    /// Items that are in no folder, after an id, in the order of their ids.
    func displaced(after last: ItemID?, limit: Int) throws(StoreError) -> [TrashedItem]
}

extension AccountStore {
    /// What a device that has the log up to a position is to be told.
    package func log(
        after position: Position, limit: Int, to device: DeviceID? = nil
    ) throws(StoreError) -> PullAnswer {
        guard try digest(at: position.number) == position.digest else { return .historyUnknown }
        let entries = try entries(after: position.number, limit: limit, to: device)
        return .entries(after: position, entries, head: try self.position())
    }

    /// A page of what can be brought back, and of what has no place.
    package func trash(
        after last: ItemID?, limit: Int, at collection: UInt64
    ) throws(StoreError) -> TrashList {
        let restorable = try restorable(at: collection)
        let page = try displaced(after: last, limit: limit)
        let rows = page.filter { $0.state.standing == .unplaced || $0.state.changed > restorable }
        return TrashList(rows, next: page.count < limit ? nil : page.last?.state.id)
    }

    /// Those that are not stored, in their order.
    package func missing(among chunks: [ChunkID]) throws(StoreError) -> [ChunkID] {
        var missing: [ChunkID] = []
        for chunk in chunks where try !hasChunk(chunk) { missing.append(chunk) }
        return missing
    }
}
