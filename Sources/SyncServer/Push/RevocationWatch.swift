import Dispatch
import SyncCore
import SyncTransport

/// Ends push streams whose token another process has revoked, such as `account remove`.
///
/// Requests need no watch: each looks its token up. A stream asks nothing after it has opened.
final class RevocationWatch: Sendable {
    private let isOver = DispatchSemaphore(value: 0)
    private let thread: WorkThread

    /// How long a revoked stream may live on.
    private static let interval = DispatchTimeInterval.milliseconds(500)

    init(hub: PushHub, readers: WorkerPool<ReadConnection>) throws(SystemError) {
        let isOver = isOver
        thread = try WorkThread {
            while isOver.wait(timeout: .now() + RevocationWatch.interval) == .timedOut {
                let subscribers = hub.subscribers
                if subscribers.isEmpty { continue }
                _ = readers.run { RevocationWatch.sweep(subscribers, hub, $0) }
            }
        }
    }

    deinit { isOver.signal() }

    func close() {
        isOver.signal()
        thread.join()
    }

    private static func sweep(
        _ subscribers: [PushHub.Subscriber], _ hub: PushHub, _ connection: ReadConnection
    ) {
        for token in Set(subscribers.map(\.token)) {
            do throws(APIError) {
                _ = try connection.session(token)
            } catch {
                if error.status == APIError.revoked.status { hub.revoke(token) }
            }
        }
    }
}
