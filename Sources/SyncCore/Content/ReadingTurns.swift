/// Whose turn it is of the long files that are read: one of each magnitude at a time, by turns, so
/// that none waits for one that is much longer, and little memory does for all.
package struct ReadingTurns: Sendable {
    private var queues: [Queue<UInt64>]
    private var active: [UInt64?]
    /// The magnitude whose turn it was.
    private var last = 0

    package init() {
        queues = Array(repeating: Queue(), count: Self.magnitudes)
        active = Array(repeating: nil, count: Self.magnitudes)
    }

    package var isEmpty: Bool {
        active.allSatisfy { $0 == nil } && queues.allSatisfy { $0.isEmpty }
    }

    package mutating func insert(_ reading: UInt64, bytes: UInt64) {
        queues[Self.magnitude(bytes)].append(reading)
    }

    /// Which is to go on a little; one that has not been named before is to begin.
    package mutating func next() -> UInt64? {
        for step in 1...Self.magnitudes {
            let magnitude = (last + step) % Self.magnitudes
            if active[magnitude] == nil { active[magnitude] = queues[magnitude].takeFirst() }
            guard let reading = active[magnitude] else { continue }
            last = magnitude
            return reading
        }
        return nil
    }

    package mutating func end(_ reading: UInt64) {
        for magnitude in active.indices where active[magnitude] == reading {
            active[magnitude] = nil
        }
    }

    /// Up to 8 MiB, each further one eight times as long.
    private static func magnitude(_ bytes: UInt64) -> Int {
        var magnitude = 0
        var limit: UInt64 = 8 * 1_048_576
        while bytes > limit, magnitude < magnitudes - 1 {
            magnitude += 1
            limit *= 8
        }
        return magnitude
    }

    private static var magnitudes: Int { 6 }
}
