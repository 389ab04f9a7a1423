import Synchronization

/// How many wrong passwords are let through before the next has to wait.
package struct AttemptLimit: Sendable, Hashable {
    /// Wrong attempts in a row that are answered without delay.
    package var burst: Int
    /// Milliseconds after which one more attempt is allowed.
    package var refill: Int64

    package init(burst: Int, refill: Int64) {
        self.burst = burst
        self.refill = refill
    }
}

/// Counts wrong passwords by account or by address; right ones cost nothing.
final class AttemptLimiter: Sendable {
    private struct Bucket {
        /// Wrong attempts that are not yet forgotten, in thousandths.
        var used: Int64
        var updated: Int64
    }

    private let limit: AttemptLimit
    private let buckets = Mutex<[String: Bucket]>([:])

    /// More than this many keys are not remembered at once.
    private static let capacity = 20_000

    init(limit: AttemptLimit) { self.limit = limit }

    /// Whether another attempt may be made.
    func allows(_ key: String, at milliseconds: Int64) -> Bool {
        buckets.withLock { buckets in
            settled(buckets[key], at: milliseconds).used + 1000 <= Int64(limit.burst) * 1000
        }
    }

    /// Counts an attempt that was wrong.
    func recordWrong(_ key: String, at milliseconds: Int64) {
        buckets.withLock { buckets in
            if buckets.count > AttemptLimiter.capacity { forget(in: &buckets, at: milliseconds) }
            var bucket = settled(buckets[key], at: milliseconds)
            bucket.used += 1000
            buckets[key] = bucket
        }
    }

    private func settled(_ bucket: Bucket?, at milliseconds: Int64) -> Bucket {
        guard let bucket else { return Bucket(used: 0, updated: milliseconds) }
        let forgotten = (milliseconds - bucket.updated) * 1000 / limit.refill
        return Bucket(used: max(0, bucket.used - forgotten), updated: milliseconds)
    }

    /// Drops what has been forgotten; if an attack keeps all of it alive, drops everything, since
    /// a full memory would stop the server for everybody.
    private func forget(in buckets: inout [String: Bucket], at milliseconds: Int64) {
        buckets = buckets.filter { settled($0.value, at: milliseconds).used > 0 }
        if buckets.count > AttemptLimiter.capacity { buckets.removeAll() }
    }
}
