package import DeviceSocket
package import SyncStore
import SyncWire

/// An identity in a file of its own beside the state, written whole and durably.
package struct IdentityFile {
    private let file: SmallFile

    /// What `join` or `leave` has written for whoever has the home to take up, so that joining
    /// needs neither a running daemon nor its absence.
    package static func pending(in home: DeviceHome) -> IdentityFile {
        IdentityFile(file: SmallFile(path: home.state + Array("/identity.next".utf8)))
    }

    /// What the state says, for the day on which it is damaged.
    static func copy(in home: DeviceHome) -> IdentityFile {
        IdentityFile(file: SmallFile(path: home.state + Array("/identity".utf8)))
    }

    package func write(_ identity: DeviceIdentity) throws(SmallFileFailure) {
        try file.write(identity.encoded(), mode: 0o600)
    }

    /// Nil if there is none.
    package func read() -> DeviceIdentity? {
        file.read().flatMap { try? DeviceIdentity(decoding: $0) }
    }

    package func remove() { file.remove() }
}
