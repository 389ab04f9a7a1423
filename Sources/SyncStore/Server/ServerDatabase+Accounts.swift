package import SyncCore

/// Who has an account; the calls that write belong within a transaction.
extension ServerDatabase {
    package func account(named name: String) throws(StoreError) -> AccountRecord? {
        try connection.one(ServerSQL.accountNamed, [.text(name)]) { row throws(StoreError) in
            try AccountRecord(row)
        }
    }

    package func accountRecord(_ id: AccountID) throws(StoreError) -> AccountRecord? {
        try connection.one(ServerSQL.accountByID, [.id(id)]) { row throws(StoreError) in
            try AccountRecord(row)
        }
    }

    /// In the order of their bytes.
    package func accountNames() throws(StoreError) -> [String] {
        try connection.all(ServerSQL.accountNames, []) { $0.text(0) }
    }

    /// Fails if an account has the name: look first, within the same transaction.
    package func addAccount(_ account: AccountRecord) throws(StoreError) {
        try connection.run(
            ServerSQL.addAccount, .id(account.id), .text(account.name), .text(account.password),
            .blob(account.identityKey), .moment(account.created))
    }

    package func setPassword(_ hash: String, of account: AccountID) throws(StoreError) {
        try connection.run(ServerSQL.setPassword, .id(account), .text(hash))
    }

    /// The most bytes that the account may store; nil for no limit.
    package func quota(of account: AccountID) throws(StoreError) -> UInt64? {
        let key = try self.account(account).key()
        let quota = try connection.one(ServerSQL.quota, [key]) { row in
            row.isNull(0) ? nil : row.number(0)
        }
        return quota ?? nil
    }

    package func setQuota(_ bytes: UInt64?, of account: AccountID) throws(StoreError) {
        try connection.run(ServerSQL.setQuota, .id(account), .number(bytes))
    }

    /// Removes the account with everything in it but the chunks' files, which others may share.
    package func removeAccount(_ account: AccountID) throws(StoreError) {
        let key = try self.account(account).key()
        for statement in ServerSQL.removeAccount { try connection.run(statement, key) }
    }
}

extension AccountRecord {
    fileprivate init(_ row: SQLiteRow) throws(StoreError) {
        self.init(
            id: try row.id(0), name: row.text(1), password: row.text(2), identityKey: row.blob(3),
            created: row.moment(4))
    }
}
