import Dispatch
import SyncCore
import SyncTransport

/// Ends push streams whose token another process has revoked, such as `account remove`.
///
/// Requests need no watch: each looks its token up. A stream asks nothing after it has opened.
final class RevocationWatch: Sendable {
    private let isOver = DispatchSemaphore(value: 0)
    private let thread: WorkThread

    /// How often the mark is looked at, in milliseconds.
    private static let interval = 500
    /// After how many looks the tokens are checked whatever the mark says.
    private static let looksToCheck = 120

    init(
        mark: RevocationMark, hub: PushHub, readers: WorkerPool<ReadConnection>
    ) throws(SystemError) {
        thread = try WorkThread { [isOver] in
            var looks = RevocationWatch.Looks(mark: mark)
            let interval = DispatchTimeInterval.milliseconds(RevocationWatch.interval)
            while isOver.wait(timeout: .now() + interval) == .timedOut {
                guard looks.findChange() else { continue }
                let subscribers = hub.subscribers
                let isTaken = readers.run { RevocationWatch.check(subscribers, hub, $0) }
                // Too much waits for the readers: the next look tries again.
                if !isTaken { looks.isDue = true }
            }
        }
    }

    deinit { isOver.signal() }

    func close() {
        isOver.signal()
        thread.join()
    }

    /// Says at each look whether the tokens are to be checked.
    private struct Looks {
        let mark: RevocationMark
        private var seen: Int64
        private var count = 0
        var isDue = false

        init(mark: RevocationMark) {
            self.mark = mark
            seen = mark.moment
        }

        mutating func findChange() -> Bool {
            let moment = mark.moment
            count += 1
            guard isDue || moment != seen || count == RevocationWatch.looksToCheck else {
                return false
            }
            seen = moment
            count = 0
            isDue = false
            return true
        }
    }

    private static func check(
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
