import SyncCore
package import SyncWire

/// A device that is spoken to in bytes, as JavaScript does it.
package struct BrowserDevice: Sendable {
    private var replica: Replica

    /// Takes a ``ReplicaOrigin``; gives the device and the bytes of its first ``ReplicaOutput``.
    package static func start(
        from bytes: [UInt8]
    ) throws(WireError) -> (device: BrowserDevice, output: [UInt8]) {
        let origin = try ReplicaOrigin(message: bytes)
        var image = ReplicaImage()
        for row in origin.rows { image.apply(row) }
        var device = BrowserDevice(
            replica: Replica(
                image: image, device: origin.device, vault: .plain(identityKey: origin.identityKey),
                entropy: origin.entropy, now: origin.moment))
        let actions = device.replica.start(at: origin.moment)
        return (device, ReplicaOutput(actions).message())
    }

    /// Takes a ``ReplicaInput`` and gives a ``ReplicaOutput``.
    package mutating func receive(_ bytes: [UInt8]) throws(WireError) -> [UInt8] {
        let input = try ReplicaInput(message: bytes)
        return ReplicaOutput(replica.receive(input.event, at: input.moment)).message()
    }
}

extension Vault {
    /// As on every other device of the account while encryption is off.
    fileprivate static func plain(identityKey: [UInt8]) -> Vault {
        let tags = KeyedHash(
            key: KeyedHash(key: identityKey).hash(Array("ubiquity name tag".utf8)).bytes)
        return Vault(
            hash: { SHA256.hash($0) }, identityKey: identityKey, tag: { Tag(tags.hash($0)) },
            seal: { $0 }, open: { $0 })
    }
}
