import CCurl
import Synchronization

/// Ends a client's wait from any thread; the client itself belongs to one.
@safe package final class HTTPClientWaker: Sendable {
    /// The address of curl's handle; nil once the client is gone.
    private let address: Mutex<UInt?>

    init(_ multi: UnsafeMutableRawPointer) {
        address = Mutex(UInt(bitPattern: multi))
    }

    /// Makes the wait in hand, or the next one, return.
    package func wake() {
        address.withLock { address in
            guard let address else { return }
            unsafe curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: address))
        }
    }

    /// Called before the handle goes away.
    func retire() {
        address.withLock { $0 = nil }
    }
}
