import Synchronization

/// What the server has counted since it started.
package final class Metrics: Sendable {
    /// Answers by the first digit of their status.
    private let answers = Mutex<[Int: UInt64]>([:])
    let bytesReceived = Counter()
    let bytesSent = Counter()
    let operationsAccepted = Counter()
    /// Sent again, and answered as before.
    let operationsRepeated = Counter()
    let operationsRefused = Counter()
    /// Requests that were decided in a commit, so that requests to a commit is the group's size.
    let requestsCommitted = Counter()
    /// Transactions that reached the disk: one fsync each.
    let commits = Counter()
    let commitsFailed = Counter()
    let largestGroup = Counter()
    let pushFrames = Counter()
    let pushStreamsDropped = Counter()
    let passwordsRefused = Counter()
    let commitLatency = Histogram()

    init() {}

    func recordAnswer(status: Int, received: Int, sent: Int) {
        answers.withLock { $0[status / 100, default: 0] += 1 }
        bytesReceived.add(received)
        bytesSent.add(sent)
    }

    /// Prometheus text; the number of open streams is asked of whoever holds them.
    func text(pushStreams: Int) -> String {
        var text = "# TYPE ubiquity_requests_total counter\n"
        for (digit, count) in answers.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            text += "ubiquity_requests_total{status=\"\(digit)xx\"} \(count)\n"
        }
        for (name, counter) in counters {
            text += "# TYPE \(name) counter\n\(name) \(counter.value)\n"
        }
        text += "# TYPE ubiquity_commit_group_largest gauge\n"
        text += "ubiquity_commit_group_largest \(largestGroup.value)\n"
        text += "# TYPE ubiquity_push_streams gauge\nubiquity_push_streams \(pushStreams)\n"
        text += "# TYPE ubiquity_commit_seconds histogram\n"
        return text + commitLatency.lines("ubiquity_commit_seconds")
    }

    private var counters: [(String, Counter)] {
        [
            ("ubiquity_bytes_received_total", bytesReceived),
            ("ubiquity_bytes_sent_total", bytesSent),
            ("ubiquity_operations_accepted_total", operationsAccepted),
            ("ubiquity_operations_repeated_total", operationsRepeated),
            ("ubiquity_operations_refused_total", operationsRefused),
            ("ubiquity_requests_committed_total", requestsCommitted),
            ("ubiquity_commits_total", commits),
            ("ubiquity_commits_failed_total", commitsFailed),
            ("ubiquity_push_frames_total", pushFrames),
            ("ubiquity_push_streams_dropped_total", pushStreamsDropped),
            ("ubiquity_passwords_refused_total", passwordsRefused),
        ]
    }
}

/// A number that only grows.
package final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    package var value: Int { count.load(ordering: .relaxed) }

    func add(_ amount: Int = 1) { count.add(amount, ordering: .relaxed) }

    func raise(to value: Int) { count.max(value, ordering: .relaxed) }
}
