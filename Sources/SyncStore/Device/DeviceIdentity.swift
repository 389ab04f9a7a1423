package import SyncCore

/// Which device of which account this folder is, and how it speaks to its server.
package struct DeviceIdentity: Hashable, Sendable {
    /// The server's address as it was given to `join`.
    package var server: String
    package var account: AccountID
    package var accountName: String
    package var device: DeviceID
    package var deviceName: String
    /// The account's key for ids and tags, 32 bytes.
    package var identityKey: [UInt8]
    /// Nil once the device has left the account; what it knows stays for when it joins again.
    package var token: String?

    package init(
        server: String, account: AccountID, accountName: String, device: DeviceID,
        deviceName: String, identityKey: [UInt8], token: String?
    ) {
        self.server = server
        self.account = account
        self.accountName = accountName
        self.device = device
        self.deviceName = deviceName
        self.identityKey = identityKey
        self.token = token
    }
}
