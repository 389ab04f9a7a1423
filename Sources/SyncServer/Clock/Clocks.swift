import Glibc
import SyncCore

/// The machine's clocks.
enum Clocks {
    /// Milliseconds since 1970.
    static func wall() -> WallTime {
        let time = read(CLOCK_REALTIME)
        return WallTime(
            milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Never goes back.
    static func steady() -> Instant {
        let time = read(CLOCK_MONOTONIC)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return time
    }
}
