/// A moment of this process's steady clock, in nanoseconds: only differences mean anything.
package struct Instant: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static func < (one: Instant, other: Instant) -> Bool {
        one.nanoseconds < other.nanoseconds
    }

    package func advanced(milliseconds: Int64) -> Instant {
        Instant(nanoseconds: nanoseconds + milliseconds * 1_000_000)
    }

    /// Whole milliseconds since an earlier moment.
    package func milliseconds(since earlier: Instant) -> Int64 {
        (nanoseconds - earlier.nanoseconds) / 1_000_000
    }
}

/// A moment of a wall clock, in milliseconds since 1970: for people, and never for order.
package struct WallTime: Hashable, Comparable, Sendable {
    package var milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package static func < (one: WallTime, other: WallTime) -> Bool {
        one.milliseconds < other.milliseconds
    }
}

/// A file's time as the kernel gives it; negative seconds are before 1970.
package struct FileTime: Hashable, Sendable {
    package var seconds: Int64
    /// 0 to 999,999,999, also before 1970.
    package var nanoseconds: UInt32

    package init(seconds: Int64, nanoseconds: UInt32) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }
}

extension FileTime: Comparable {
    package static func < (a: FileTime, b: FileTime) -> Bool {
        (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
    }
}

/// Now, by both clocks: the steady one to wait by, the wall clock to tell people and to age by.
package struct Moment: Hashable, Sendable {
    package var steady: Instant
    package var wall: WallTime

    package init(steady: Instant, wall: WallTime) {
        self.steady = steady
        self.wall = wall
    }
}
