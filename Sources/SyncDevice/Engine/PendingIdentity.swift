package import DeviceSocket
import Glibc
package import SyncStore
import SyncWire

/// An identity that `join` or `leave` has written for whoever has the home to take up.
///
/// It is a file beside the state, written whole and durably, so that joining needs neither a
/// running daemon nor its absence.
package struct PendingIdentity {
    private let path: String

    package init(home: DeviceHome) {
        path = String(decoding: home.state, as: UTF8.self) + "/identity.next"
    }

    package func write(_ identity: DeviceIdentity) throws(PendingIdentityFailure) {
        let fresh = path + ".new"
        let file = unsafe open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .last() }
        defer { close(file) }
        let bytes = identity.encoded()
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes[written...].withUnsafeBytes {
                unsafe Glibc.write(file, $0.baseAddress, $0.count)
            }
            guard count > 0 else { throw .last() }
            written += count
        }
        guard fsync(file) == 0, unsafe rename(fresh, path) == 0 else { throw .last() }
    }

    /// Nil if there is none.
    package func read() -> DeviceIdentity? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe Glibc.read(file, $0.baseAddress, $0.count)
        }
        guard count > 0 else { return nil }
        return try? DeviceIdentity(decoding: Array(bytes[..<count]))
    }

    package func remove() { unsafe unlink(path) }
}

/// Why an identity cannot be written.
package struct PendingIdentityFailure: Error, CustomStringConvertible {
    package let description: String

    static func last() -> PendingIdentityFailure {
        PendingIdentityFailure(description: unsafe String(cString: strerror(errno)))
    }
}
