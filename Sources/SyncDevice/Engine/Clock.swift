import Glibc
import SyncCore

/// The machine's clocks.
enum Clock {
    /// The steady clock goes on while the machine sleeps.
    static func now() -> Moment {
        Moment(
            steady: Instant(nanoseconds: read(CLOCK_BOOTTIME)),
            wall: WallTime(milliseconds: read(CLOCK_REALTIME) / 1_000_000))
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
