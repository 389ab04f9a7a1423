package import SyncCore
package import SyncWire

/// What grows old: it is noted when it is replaced, and dropped by a collection.
extension SQLiteAccountStore {
    package func kept(_ id: VersionID) throws(StoreError) -> Version? {
        try connection.one(CollectionSQL.kept, [key(), .id(id)]) { row throws(StoreError) in
            try row.version()
        }
    }

    package func number(at collection: UInt64) throws(StoreError) -> UInt64 {
        let values: [SQLiteValue] = [try key(), .number(collection)]
        return try connection.one(CollectionSQL.numberAt, values) { $0.number(0) } ?? 0
    }

    package func replaced(
        after last: Replaced<VersionID>?, through number: UInt64, limit: Int
    ) throws(StoreError) -> [Replaced<VersionID>] {
        let values: [SQLiteValue] = [
            try key(), .number(last?.number ?? 0), last.map { .id($0.id) } ?? .blob([]),
            .integer(Int64(clamping: number)), .integer(Int64(limit)),
        ]
        return try connection.all(CollectionSQL.replaced, values) { row throws(StoreError) in
            Replaced(try row.id(0), by: row.number(1))
        }
    }

    package func replacedWrites(
        through number: UInt64, limit: Int
    ) throws(StoreError) -> [Replaced<WriteID>] {
        let values: [SQLiteValue] = [
            try key(), .integer(Int64(clamping: number)), .integer(Int64(limit)),
        ]
        return try connection.all(CollectionSQL.replacedWrites, values) { row throws(StoreError) in
            Replaced(try row.id(0), by: row.number(1))
        }
    }

    package func unreferencedChunks(
        before collection: UInt64, limit: Int
    ) throws(StoreError) -> [ChunkID] {
        let values: [SQLiteValue] = [
            try key(), .integer(Int64(clamping: collection)), .integer(Int64(limit)),
        ]
        return try connection.all(CollectionSQL.unusedChunks, values) { row throws(StoreError) in
            try row.digest(0)
        }
    }

    package func deviceReports() throws(StoreError) -> [DeviceReport] {
        try connection.all(CollectionSQL.deviceReports, [key()]) { row in
            DeviceReport(number: row.number(0), heard: row.number(1))
        }
    }

    package func displaced(
        after last: ItemID?, limit: Int
    ) throws(StoreError) -> [TrashedItem] {
        let values: [SQLiteValue] = [
            try key(), last.map { .id($0) } ?? .blob([]), .integer(Int64(limit)),
        ]
        let states = try connection.all(CollectionSQL.displacedItems, values) {
            row throws(StoreError) in
            try ItemState(stored: row.blob(0))
        }
        var items: [TrashedItem] = []
        for state in states { items.append(try trashed(state)) }
        return items
    }

    private func trashed(_ state: ItemState) throws(StoreError) -> TrashedItem {
        let values: [SQLiteValue] = [try key(), .number(state.changed)]
        let item = try connection.one(CollectionSQL.authorship, values) { row throws(StoreError) in
            TrashedItem(state: state, author: try row.id(0), moment: row.moment(1))
        }
        guard let item else { throw .corrupt("entry \(state.changed) of the log is not there") }
        return item
    }

    // MARK: Writing

    func age(_ change: AccountChange) throws(StoreError) {
        switch change {
        case .replaced(let version, let number):
            try connection.run(
                CollectionSQL.setReplaced, key(), .id(version), .number(number))
        case .writeReplaced(let write, let number):
            try connection.run(
                CollectionSQL.setWriteReplaced, key(), .id(write), .number(number))
        case .collection(let collection, let number):
            try connection.run(
                CollectionSQL.addCollection, key(), .number(collection), .number(number))
        case .collected(let version): try collect(version)
        case .valueCollected(let write):
            try connection.run(CollectionSQL.dropValue, key(), .id(write))
        case .chunkMarked(let chunk): try markChunk(chunk)
        default: preconditionFailure("it is no change of age")
        }
    }

    private func collect(_ id: VersionID) throws(StoreError) {
        guard let version = try kept(id) else { return }
        try connection.run(CollectionSQL.dropContent, key(), .id(id))
        guard version.hasContent else { return }
        if case .chunks(let chunks) = version.content {
            for chunk in chunks {
                try connection.run(CollectionSQL.releaseChunk, key(), .digest(chunk.id))
            }
        }
        try connection.run(
            AccountSQL.addToSum, key(), .blob([]), .integer(-1),
            .integer(-Int64(clamping: version.content.storedSize)))
    }

    /// Counts what a content refers to, so that it is not collected.
    func use(_ content: StoredContent) throws(StoreError) {
        guard case .chunks(let chunks) = content else { return }
        for chunk in chunks {
            try connection.run(CollectionSQL.useChunk, key(), .digest(chunk.id))
        }
    }
}
