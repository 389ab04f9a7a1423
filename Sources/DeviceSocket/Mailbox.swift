import Dispatch
import Synchronization

/// What came for one call, until its caller takes it.
final class Mailbox: Sendable {
    private let deliveries = Mutex<[ClientConnection.Delivery]>([])
    private let arrived = DispatchSemaphore(value: 0)

    func put(_ delivery: ClientConnection.Delivery) {
        deliveries.withLock { $0.append(delivery) }
        arrived.signal()
    }

    /// Nil at the deadline.
    func take(until deadline: ContinuousClock.Instant) -> ClientConnection.Delivery? {
        let time = max(deadline - .now, .zero)
        let nanoseconds = min(time / .nanoseconds(1), 1e18)
        guard arrived.wait(timeout: .now() + .nanoseconds(Int(nanoseconds))) == .success else {
            return nil
        }
        return deliveries.withLock { $0.removeFirst() }
    }
}
