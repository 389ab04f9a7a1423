package import SyncCore
internal import SyncWire

/// One account in the server's database; made anew for each request.
package final class SQLiteAccountStore: AccountStore {
    let connection: SQLiteConnection
    let id: AccountID
    /// The account's number in the tables, once it was looked up.
    private var knownKey: Int64?

    init(_ id: AccountID, in connection: SQLiteConnection) {
        self.id = id
        self.connection = connection
    }

    /// The key of an account that is not there: no row has it.
    static var nobody: SQLiteValue { .integer(-1) }

    func key() throws(StoreError) -> SQLiteValue {
        if let knownKey { return .integer(knownKey) }
        let found = try connection.one(ServerSQL.accountKey, [.id(id)]) { $0.integer(0) }
        knownKey = found
        return found.map { .integer($0) } ?? SQLiteAccountStore.nobody
    }

    package func begin() throws(StoreError) { try connection.begin() }
    package func commit() throws(StoreError) { try connection.commit() }

    package func rollback() {
        // It may have been the transaction that made the account.
        knownKey = nil
        connection.rollback()
    }
}

// MARK: - What the rules read

extension SQLiteAccountStore {
    package func position() throws(StoreError) -> Position {
        try connection.one(AccountSQL.position, [key()]) { row throws(StoreError) in
            Position(number: row.number(0), digest: try row.digest(1))
        } ?? .start
    }

    package func item(_ id: ItemID) throws(StoreError) -> ItemState? {
        try connection.one(AccountSQL.item, [key(), .id(id)]) { row throws(StoreError) in
            try ItemState(stored: row.blob(0))
        }
    }

    package func alias(_ id: ItemID) throws(StoreError) -> ItemID? {
        try connection.one(AccountSQL.alias, [key(), .id(id)]) { row throws(StoreError) in
            try row.id(0)
        }
    }

    package func holder(of tag: Tag, in folder: ItemID) throws(StoreError) -> ItemID? {
        let values: [SQLiteValue] = [try key(), .id(folder), .id(tag)]
        return try connection.one(AccountSQL.holder, values) { row throws(StoreError) in
            try row.id(0)
        }
    }

    package func children(of folder: ItemID) throws(StoreError) -> [ItemID] {
        try connection.all(AccountSQL.children, [key(), .id(folder)]) { row throws(StoreError) in
            try row.id(0)
        }
    }

    package func trashed(in folder: ItemID) throws(StoreError) -> [ItemID] {
        let states = try connection.all(AccountSQL.displaced, [key(), .id(folder)]) {
            row throws(StoreError) in
            try ItemState(stored: row.blob(0))
        }
        return states.filter { $0.standing == .trashed }.map { $0.id }
    }

    package func version(_ id: VersionID) throws(StoreError) -> VersionRecord? {
        try connection.one(AccountSQL.versionRecord, [key(), .id(id)]) { row throws(StoreError) in
            VersionRecord(
                item: try row.id(0), parents: try row.ids(1), nature: try row.nature(2),
                number: row.number(3))
        }
    }

    package func incarnation(_ id: Incarnation) throws(StoreError) -> IncarnationRecord? {
        let values: [SQLiteValue] = [try key(), .number(id.value)]
        return try connection.one(AccountSQL.incarnation, values) { row throws(StoreError) in
            IncarnationRecord(device: try row.id(0), last: row.number(1))
        }
    }

    package func answer(
        _ incarnation: Incarnation, _ number: UInt64
    ) throws(StoreError) -> StoredAnswer? {
        let values: [SQLiteValue] = [try key(), .number(incarnation.value), .number(number)]
        return try connection.one(AccountSQL.answer, values) { row throws(StoreError) in
            StoredAnswer(hash: try row.digest(0), outcome: try Outcome(stored: row.blob(1)))
        }
    }

    package func register(_ key: RegisterKey) throws(StoreError) -> RegisterState? {
        let values: [SQLiteValue] = [try self.key(), .id(key.store), .id(key.key)]
        return try connection.one(AccountSQL.register, values) { row throws(StoreError) in
            try row.register()
        }
    }

    package func hasWrite(_ id: WriteID) throws(StoreError) -> Bool {
        try connection.one(AccountSQL.hasWrite, [key(), .id(id)]) { _ in true } ?? false
    }

    package func usage() throws(StoreError) -> Usage {
        var usage = Usage()
        try connection.each(AccountSQL.sums, [key()]) { row throws(StoreError) in
            guard !row.blob(0).isEmpty else {
                usage.stored = row.number(2)
                return true
            }
            guard row.integer(1) > 0 else { return true }
            let store: Tag = try row.id(0)
            usage.keys[store] = row.number(1)
            usage.values[store] = row.number(2)
            return true
        }
        return usage
    }

    package func hasChunk(_ id: ChunkID) throws(StoreError) -> Bool {
        try connection.one(AccountSQL.hasChunk, [key(), .digest(id)]) { _ in true } ?? false
    }
}
