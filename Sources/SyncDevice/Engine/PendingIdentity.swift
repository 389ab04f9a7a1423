package import DeviceSocket
package import SyncStore
import SyncWire

/// An identity that `join` or `leave` has written for whoever has the home to take up.
///
/// It is a file beside the state, written whole and durably, so that joining needs neither a
/// running daemon nor its absence.
package struct PendingIdentity {
    private let file: SmallFile

    package init(home: DeviceHome) {
        file = SmallFile(path: home.state + Array("/identity.next".utf8))
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
