package import SyncCore

/// A device's durable state.
///
/// One thread at a time uses it. Each call that writes is one transaction: once it returns, a crash
/// or a power cut does not undo it, and if it throws, nothing of it holds.
package protocol DeviceStore: AnyObject {
    /// All that a replica needs to go on.
    func load() throws(StoreError) -> ReplicaImage
    /// Applies the changes in order, all or none.
    func commit(_ changes: [ReplicaChange]) throws(StoreError)
    /// What ``ReplicaChange/content(_:_:)`` kept.
    func content(_ version: VersionID) throws(StoreError) -> [UInt8]?

    /// The ancestries that were kept and are of entries after the number, in any order.
    func ancestries(after number: UInt64) throws(StoreError) -> [Ancestry]

    func identity() throws(StoreError) -> DeviceIdentity?
    /// With `clearing` all that a replica knows is forgotten with the same commit: the folder
    /// belongs to another account from now on.
    func setIdentity(_ identity: DeviceIdentity, clearing: Bool) throws(StoreError)

    /// A small value that only the shell understands.
    func setting(_ name: String) throws(StoreError) -> [UInt8]?
    /// Nil removes.
    func setSetting(_ name: String, _ value: [UInt8]?) throws(StoreError)
}
