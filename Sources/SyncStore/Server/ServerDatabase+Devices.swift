package import SyncCore

/// Which devices an account has; the calls that write belong within a transaction.
extension ServerDatabase {
    /// Whose token has this hash, be it revoked or not.
    package func session(_ tokenHash: Digest) throws(StoreError) -> Session? {
        try connection.one(ServerSQL.session, [.digest(tokenHash)]) { row throws(StoreError) in
            Session(
                account: try row.id(0), accountName: row.text(1), device: try row.id(2),
                deviceName: row.text(3), lastContact: row.moment(4),
                isRevoked: row.integer(5) != 0)
        }
    }

    /// In the order in which they joined.
    package func devices(of account: AccountID) throws(StoreError) -> [DeviceRecord] {
        try connection.all(ServerSQL.devices, [.id(account)]) { row throws(StoreError) in
            DeviceRecord(
                id: try row.id(0), name: row.text(1), created: row.moment(2),
                lastContact: row.moment(3), isRevoked: row.integer(4) != 0)
        }
    }

    /// Only the token's hash is kept, so that a stolen file lets nobody in.
    package func addDevice(
        _ device: DeviceID, of account: AccountID, name: String, token hash: Digest, now: WallTime
    ) throws(StoreError) {
        let added = try connection.run(
            ServerSQL.addDevice, .id(account), .id(device), .text(name), .digest(hash),
            .moment(now))
        guard added == 1 else { throw .corrupt("account \(account.text) is not there any more") }
    }

    package func hasDevice(
        _ device: DeviceID, of account: AccountID
    ) throws(StoreError) -> Bool {
        try token(of: device, of: account) != nil
    }

    /// The hash of a device's token; nil if the account has no such device.
    package func token(
        of device: DeviceID, of account: AccountID
    ) throws(StoreError) -> Digest? {
        try connection.one(ServerSQL.deviceToken, [.id(account), .id(device)]) {
            row throws(StoreError) in
            try row.digest(0)
        }
    }

    /// The hashes of all tokens that open nothing any more.
    package func revokedTokens() throws(StoreError) -> [Digest] {
        try connection.all(ServerSQL.revokedTokens, []) { row throws(StoreError) in
            try row.digest(0)
        }
    }

    package func revoke(token hash: Digest) throws(StoreError) {
        try connection.run(ServerSQL.revokeToken, .digest(hash))
    }

    package func rename(
        _ device: DeviceID, of account: AccountID, to name: String
    ) throws(StoreError) {
        try connection.run(ServerSQL.renameDevice, .id(account), .id(device), .text(name))
    }

    /// Once committed, the device's token opens nothing; for ever.
    package func revoke(_ device: DeviceID, of account: AccountID) throws(StoreError) {
        try connection.run(ServerSQL.revoke, .id(account), .id(device))
    }

    /// The moment never goes back: a clock that did must not make old writes look new.
    ///
    /// What the device has installed may: it may have been restored from an image.
    package func noteContact(
        _ device: DeviceID, of account: AccountID, at moment: WallTime, installed: UInt64? = nil
    ) throws(StoreError) {
        try connection.run(
            ServerSQL.noteContact, .id(account), .id(device), .moment(moment), .number(installed))
    }
}
