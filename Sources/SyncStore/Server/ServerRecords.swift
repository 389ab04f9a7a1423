package import SyncCore

/// An account as whoever administers the server knows it.
package struct AccountRecord: Hashable, Sendable {
    package var id: AccountID
    package var name: String
    /// The password's hash with its salt and cost, as text.
    package var password: String
    /// The account's key for ids and tags, 32 bytes; devices get it when they join.
    package var identityKey: [UInt8]
    package var created: WallTime

    package init(
        id: AccountID, name: String, password: String, identityKey: [UInt8],
        created: WallTime = WallTime(milliseconds: 0)
    ) {
        self.id = id
        self.name = name
        self.password = password
        self.identityKey = identityKey
        self.created = created
    }
}

/// A device of an account, revoked or not.
package struct DeviceRecord: Hashable, Sendable {
    package var id: DeviceID
    package var name: String
    package var created: WallTime
    /// As far as it was noted with ``ServerDatabase/noteContact(_:of:at:)``.
    package var lastContact: WallTime
    package var isRevoked: Bool

    package init(
        id: DeviceID, name: String, created: WallTime, lastContact: WallTime, isRevoked: Bool
    ) {
        self.id = id
        self.name = name
        self.created = created
        self.lastContact = lastContact
        self.isRevoked = isRevoked
    }
}

/// Whose token a request carries.
package struct Session: Hashable, Sendable {
    package var account: AccountID
    package var accountName: String
    package var device: DeviceID
    package var deviceName: String
    package var lastContact: WallTime
    package var isRevoked: Bool

    package init(
        account: AccountID, accountName: String, device: DeviceID, deviceName: String,
        lastContact: WallTime, isRevoked: Bool
    ) {
        self.account = account
        self.accountName = accountName
        self.device = device
        self.deviceName = deviceName
        self.lastContact = lastContact
        self.isRevoked = isRevoked
    }
}
