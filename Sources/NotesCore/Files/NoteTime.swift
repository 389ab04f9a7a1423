/// A moment as a file has it; negative seconds are before 1970.
package struct NoteTime: Hashable, Comparable, Sendable {
    package var seconds: Int64
    /// 0 to 999,999,999, also before 1970.
    package var nanoseconds: UInt32

    package init(seconds: Int64, nanoseconds: UInt32) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    package static func < (one: NoteTime, other: NoteTime) -> Bool {
        (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
    }
}
