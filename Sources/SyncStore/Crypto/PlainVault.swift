package import SyncCore

extension Vault {
    /// The vault while encryption is off: names are compared as keyed hashes, bytes lie open.
    ///
    /// The key of the tags is derived from the account's identity key, so that all its devices
    /// give a name the same tag.
    package static func plain(identityKey: [UInt8]) -> Vault {
        let tags = KeyedHash(
            key: KeyedHash(key: identityKey).hash(Array("ubiquity name tag".utf8)).bytes)
        return Vault(
            hash: { SHA256.hash($0) },
            identityKey: identityKey,
            tag: { Tag(tags.hash($0)) },
            seal: { $0 },
            open: { $0 })
    }
}
