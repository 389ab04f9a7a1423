import SyncCore

/// Files that somebody is writing: they are reported when closed, or after a while.
struct PendingWrites {
    private struct Span {
        let first: Instant
        var last: Instant
    }

    private var spans: [Slot: Span] = [:]

    /// Milliseconds without a write until the file is reported though nobody closed it.
    static var quietPeriod: Int64 { 2_000 }
    /// Milliseconds until a file is reported that is never quiet.
    static var longest: Int64 { 60_000 }

    var slots: [Slot] { spans.keys.sorted() }

    func contains(_ slot: Slot) -> Bool { spans[slot] != nil }

    mutating func note(_ slot: Slot, at now: Instant) {
        spans[slot, default: Span(first: now, last: now)].last = now
    }

    mutating func end(_ slot: Slot) { spans[slot] = nil }

    mutating func takeDue(at now: Instant) -> [Slot] {
        guard !spans.isEmpty else { return [] }
        let slots = spans.filter { Self.due($0.value) <= now }.map(\.key)
        for slot in slots { spans[slot] = nil }
        return slots
    }

    /// When the next is due.
    var next: Instant? { spans.values.map(Self.due).min() }

    private static func due(_ span: Span) -> Instant {
        min(
            span.last.advanced(milliseconds: quietPeriod),
            span.first.advanced(milliseconds: longest))
    }
}
