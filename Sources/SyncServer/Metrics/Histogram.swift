import Synchronization

/// Counts of durations by upper bound, as Prometheus wants them.
final class Histogram: Sendable {
    private struct Counts {
        var buckets: [UInt64]
        var count: UInt64 = 0
        var microseconds: UInt64 = 0
    }

    /// Upper bounds in microseconds.
    private static let bounds: [UInt64] = [
        100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000,
    ]

    private let counts = Mutex(Counts(buckets: Array(repeating: 0, count: bounds.count)))

    func record(microseconds: UInt64) {
        counts.withLock { counts in
            counts.count += 1
            counts.microseconds += microseconds
            for (index, bound) in Histogram.bounds.enumerated() where microseconds <= bound {
                counts.buckets[index] += 1
            }
        }
    }

    /// The lines of one metric, in seconds.
    func lines(_ name: String) -> String {
        let counts = counts.withLock { $0 }
        var text = ""
        for (bound, count) in zip(Histogram.bounds, counts.buckets) {
            text += "\(name)_bucket{le=\"\(Double(bound) / 1_000_000)\"} \(count)\n"
        }
        text += "\(name)_bucket{le=\"+Inf\"} \(counts.count)\n"
        text += "\(name)_sum \(Double(counts.microseconds) / 1_000_000)\n"
        text += "\(name)_count \(counts.count)\n"
        return text
    }
}
