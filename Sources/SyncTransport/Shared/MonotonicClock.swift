import Glibc

/// Milliseconds of clocks that never go back.
enum MonotonicClock {
    /// Stands still while the machine sleeps: for deadlines of work in hand.
    static func milliseconds() -> UInt64 {
        read(CLOCK_MONOTONIC)
    }

    /// Goes on while the machine sleeps: for noticing that a peer has been silent too long.
    static func millisecondsWithSleep() -> UInt64 {
        read(CLOCK_BOOTTIME)
    }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000
    }
}
