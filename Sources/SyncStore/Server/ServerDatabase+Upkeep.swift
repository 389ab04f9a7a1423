package import SyncCore
internal import SyncWire

/// What a server does once a day, and what it needs to know for that; the calls that write belong
/// within a transaction.
extension ServerDatabase {
    package func collectionClock() throws(StoreError) -> CollectionClock {
        try connection.one(CollectionSQL.upkeep, []) { row in
            CollectionClock(collections: row.number(0), ran: row.number(1))
        } ?? CollectionClock()
    }

    package func set(_ clock: CollectionClock) throws(StoreError) {
        try connection.run(
            CollectionSQL.setUpkeep, .number(clock.collections), .number(clock.ran))
    }

    /// In the order of their making.
    package func accountIDs() throws(StoreError) -> [AccountID] {
        try connection.all(CollectionSQL.accounts, []) { row throws(StoreError) in try row.id(0) }
    }

    /// Chunks that some account has marked: their bytes go once no account has them.
    package func markedChunks(limit: Int) throws(StoreError) -> [ChunkID] {
        try connection.all(CollectionSQL.markedChunks, [.integer(Int64(limit))]) {
            row throws(StoreError) in
            try row.digest(0)
        }
    }

    /// Whether any account has the chunk.
    package func hasChunkAnywhere(_ id: ChunkID) throws(StoreError) -> Bool {
        try connection.one(CollectionSQL.isStoredAnywhere, [.digest(id)]) { _ in true } ?? false
    }

    /// Removes the rows in which the chunk is marked; one that was brought again stays.
    package func forgetMarkedChunk(_ id: ChunkID) throws(StoreError) {
        try connection.run(CollectionSQL.forgetChunk, .digest(id))
    }

    /// Works out once what rows of the first version do not say: what refers to a chunk, and that a
    /// content was replaced, by the newest entry at the latest.
    func countReferences() throws(StoreError) {
        let isCounted = try connection.one(CollectionSQL.isCounted, []) { $0.integer(0) != 0 }
        guard isCounted == false else { return }
        try connection.transaction { () throws(StoreError) in
            // Another process may have done it since.
            let isCounted = try connection.one(CollectionSQL.isCounted, []) { $0.integer(0) != 0 }
            guard isCounted == false else { return }
            try connection.run(CollectionSQL.replaceOldWrites)
            try countVersions(try heads())
            try connection.run(CollectionSQL.setCounted)
        }
    }

    private struct AccountVersion: Hashable {
        let account: Int64
        let version: VersionID
    }

    private func heads() throws(StoreError) -> Set<AccountVersion> {
        var heads: Set<AccountVersion> = []
        try connection.each(CollectionSQL.itemStates, []) { row throws(StoreError) in
            for head in try ItemState(stored: row.blob(1)).heads {
                heads.insert(AccountVersion(account: row.integer(0), version: head.version))
            }
            return true
        }
        return heads
    }

    private func countVersions(_ heads: Set<AccountVersion>) throws(StoreError) {
        var replaced: [AccountVersion] = []
        var uses: [(account: Int64, chunk: ChunkID)] = []
        try connection.each(CollectionSQL.uncountedVersions, []) { row throws(StoreError) in
            let version = AccountVersion(account: row.integer(0), version: try row.id(1))
            if !heads.contains(version) { replaced.append(version) }
            if row.integer(3) == ContentForm.chunks.rawValue,
                case .chunks(let chunks) = try StoredContent(stored: row.blob(4))
            {
                uses += chunks.map { (version.account, $0.id) }
            }
            return true
        }
        for version in replaced {
            try connection.run(
                CollectionSQL.replaceOldVersion, .integer(version.account), .id(version.version))
        }
        for use in uses {
            try connection.run(
                CollectionSQL.useChunk, .integer(use.account), .digest(use.chunk))
        }
    }
}
