/// The functions that stand between what a device knows and what the server sees.
///
/// They are handed in, so that the core needs no library and encryption is a switch: names are
/// compared as keyed hashes, facts and names are sealed bytes. The key of the ids is the account's
/// for ever, so that switching encryption on changes no id.
package struct Vault: Sendable {
    /// SHA-256.
    package let hash: HashFunction
    /// The account's key for the ids of versions, items and places.
    package let identityKey: [UInt8]
    /// The keyed hash of a name in a folder, or of a key in a store.
    package let tag: @Sendable ([UInt8]) -> Tag
    package let seal: @Sendable ([UInt8]) -> [UInt8]
    /// Nil if the bytes were not sealed with this account's key.
    package let open: @Sendable ([UInt8]) -> [UInt8]?

    package init(
        hash: @escaping HashFunction, identityKey: [UInt8],
        tag: @escaping @Sendable ([UInt8]) -> Tag,
        seal: @escaping @Sendable ([UInt8]) -> [UInt8],
        open: @escaping @Sendable ([UInt8]) -> [UInt8]?
    ) {
        self.hash = hash
        self.identityKey = identityKey
        self.tag = tag
        self.seal = seal
        self.open = open
    }
}
