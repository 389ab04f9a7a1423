/// Deadlines in coarse steps: setting one and passing an empty step cost the same for any number.
///
/// A deadline beyond the wheel's reach fires early; who set it looks at the time and sets it again.
struct TimerWheel {
    struct Entry: Equatable {
        let key: ConnectionKey
        let tick: UInt64
    }

    static let tickMilliseconds: UInt64 = 50
    private static let slotCount = 1024

    private var slots = [[Entry]](repeating: [], count: slotCount)
    private var count = 0
    /// All entries before this tick have fired.
    private var next: UInt64

    /// Starts at a time in milliseconds.
    init(now: UInt64) {
        next = now / TimerWheel.tickMilliseconds
    }

    /// Sets an entry for a time in milliseconds and gives the tick at which it fires.
    mutating func insert(_ key: ConnectionKey, at time: UInt64) -> UInt64 {
        let wanted = TimerWheel.tick(at: time)
        let tick = min(max(wanted, next), next + UInt64(TimerWheel.slotCount) - 1)
        slots[TimerWheel.slot(tick)].append(Entry(key: key, tick: tick))
        count += 1
        return tick
    }

    /// Removes and gives the entries that are due.
    mutating func advance(to time: UInt64) -> [Entry] {
        let last = time / TimerWheel.tickMilliseconds
        guard last >= next else { return [] }
        var due: [Entry] = []
        for tick in next...min(last, next + UInt64(TimerWheel.slotCount) - 1) {
            due += slots[TimerWheel.slot(tick)]
            slots[TimerWheel.slot(tick)].removeAll()
        }
        count -= due.count
        next = last + 1
        return due
    }

    /// The time until the next entry fires, nil if there is none.
    func millisecondsToNext(from time: UInt64) -> UInt64? {
        guard count > 0 else { return nil }
        for tick in next..<(next + UInt64(TimerWheel.slotCount))
        where !slots[TimerWheel.slot(tick)].isEmpty {
            let moment = tick * TimerWheel.tickMilliseconds
            return moment > time ? moment - time : 0
        }
        return nil
    }

    /// The first tick that is not before a time.
    static func tick(at time: UInt64) -> UInt64 {
        (time + tickMilliseconds - 1) / tickMilliseconds
    }

    private static func slot(_ tick: UInt64) -> Int {
        Int(tick % UInt64(slotCount))
    }
}
