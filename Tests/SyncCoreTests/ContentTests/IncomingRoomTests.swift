import SyncCore
import Testing

/// Whether there is room for what comes.
@Suite struct IncomingRoomTests {
    private let mebibyte: UInt64 = 1_048_576
    private let now = Instant(nanoseconds: 0)
    private let one = VersionID(high: 0, low: 1)
    private let other = VersionID(high: 0, low: 2)

    private func disk(_ free: UInt64, of total: UInt64 = 3_200) -> DiskRoom {
        DiskRoom(free: free * mebibyte, total: total * mebibyte)
    }

    @Test func aDiskIsNotFilledToTheLastByte() {
        var room = IncomingRoom()
        #expect(disk(0).reserve == 100 * mebibyte)
        #expect(disk(0, of: 1_000_000).reserve == 128 * mebibyte)
        #expect(
            room.begin(one, needing: 901 * mebibyte, in: disk(1_000), at: now)
                == .refused(givesBack: false))
        #expect(room.begin(one, needing: 900 * mebibyte, in: disk(1_000), at: now) == .granted)
    }

    @Test func theReserveIsNobodys() {
        #expect(disk(1_000).fits(900 * mebibyte))
        #expect(!disk(1_000).fits(900 * mebibyte + 1))
        #expect(disk(100).fits(0))
        #expect(!disk(99).fits(0))
    }

    @Test func whatOthersHaveYetToWriteCounts() {
        var room = IncomingRoom()
        #expect(room.begin(one, needing: 600 * mebibyte, in: disk(1_000), at: now) == .granted)
        let refused = IncomingRoom.Answer.refused(givesBack: false)
        #expect(room.begin(other, needing: 400 * mebibyte, in: disk(1_000), at: now) == refused)
        room.wrote(one, 500 * mebibyte)
        #expect(room.begin(other, needing: 400 * mebibyte, in: disk(500), at: now) == refused)
        #expect(room.begin(other, needing: 300 * mebibyte, in: disk(500), at: now) == .granted)
        room.end(other, isComplete: false)
        // The same one again takes the place of what it had.
        #expect(room.begin(one, needing: 400 * mebibyte, in: disk(500), at: now) == .granted)
        room.end(one, isComplete: true)
        #expect(room.begin(other, needing: 400 * mebibyte, in: disk(500), at: now) == .granted)
    }

    @Test func whatIsHereAlreadyNeedsNoRoom() {
        var room = IncomingRoom()
        #expect(room.begin(other, needing: 900 * mebibyte, in: disk(1_000), at: now) == .granted)
        #expect(room.begin(one, needing: 0, in: disk(0), at: now) == .granted)
    }

    /// On a disk that others have filled nothing keeps room that it cannot use.
    @Test func aFullDiskGetsItsRoomBack() {
        var room = IncomingRoom()
        #expect(
            room.begin(one, needing: mebibyte, in: disk(99), at: now)
                == .refused(givesBack: true))
        #expect(room.mayGoOn(in: disk(50)))
        #expect(!room.mayGoOn(in: disk(49)))
    }

    /// A limit that the disk does not tell of is not run into again and again.
    @Test func aDiskThatTookLessThanItSaidIsLeftAlone() {
        var room = IncomingRoom()
        let big = 400 * mebibyte
        #expect(room.begin(one, needing: big, in: disk(1_000), at: now) == .granted)
        room.wrote(one, 100 * mebibyte)
        room.ranOut(one, in: disk(1_000), at: now)
        room.end(one, isComplete: false)
        let later = now.advanced(milliseconds: 3_599_999)
        let refused = IncomingRoom.Answer.refused(givesBack: false)
        #expect(room.begin(one, needing: big, in: disk(1_000), at: later) == refused)
        #expect(room.begin(one, needing: big, in: disk(1_299), at: later) == refused)
        #expect(room.begin(other, needing: big, in: disk(1_000), at: later) == .granted)
        room.end(other, isComplete: true)
        #expect(room.begin(one, needing: big, in: disk(1_300), at: later) == .granted)
        let muchLater = now.advanced(milliseconds: 3_600_000)
        #expect(room.begin(one, needing: big, in: disk(1_000), at: muchLater) == .granted)
        room.end(one, isComplete: true)
        #expect(room.begin(one, needing: big, in: disk(1_000), at: later) == .granted)
    }
}
