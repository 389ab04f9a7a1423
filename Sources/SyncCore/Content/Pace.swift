/// How many bytes a second may go one way: what goes takes its share of the time that follows.
///
/// Short things go at once, and long ones wait for the time that they all have taken; time in which
/// nothing went is not made up for.
package struct Pace: Sendable {
    /// Bytes a second; 0 for as many as there is room for.
    package var rate: UInt64
    private var freeFrom = Instant(nanoseconds: 0)

    package init(rate: UInt64 = 0) { self.rate = rate }

    /// Whether a long content may go on.
    package func isFree(at now: Instant) -> Bool { rate == 0 || freeFrom <= now }

    /// When a long content may go on, if it may not now.
    package func due(after now: Instant) -> Instant? { isFree(at: now) ? nil : freeFrom }

    package mutating func take(_ bytes: Int, at now: Instant) {
        guard rate > 0, bytes > 0 else { return }
        let duration = UInt64(min(bytes, Self.mostBytes)) * 1_000_000_000 / rate
        let longest = UInt64(Int64.max / 4)
        freeFrom = Instant(
            nanoseconds: max(freeFrom, now).nanoseconds + Int64(min(duration, longest)))
    }

    /// What one request may carry, so that it takes no longer than half a second: a note waits for
    /// at most one.
    package func most(_ bytes: UInt64) -> UInt64 {
        rate == 0 ? bytes : min(bytes, max(Self.leastRequest, rate / 2))
    }

    /// Slower than this nothing would come to an end before it is given up.
    package static var leastRate: UInt64 { 16_384 }
    private static var leastRequest: UInt64 { 16_384 }
    private static var mostBytes: Int { 1 << 33 }
}
