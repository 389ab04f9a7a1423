import SyncCore

/// Wall clocks that are wrong, and jump.
extension Simulation {
    /// Nanoseconds since 1970 by a device's clock.
    func clock(of index: Int) -> Int64 {
        SimulatedDevice.epoch + devices[index].clockError + now
    }

    func moment(of index: Int) -> Moment {
        Moment(
            steady: Instant(nanoseconds: now),
            wall: WallTime(milliseconds: clock(of: index) / 1_000_000))
    }

    var serverClock: WallTime {
        WallTime(milliseconds: (SimulatedDevice.epoch + server.clockError + now) / 1_000_000)
    }

    mutating func jumpClock(of index: Int, _ choice: inout RandomSource) {
        counts[.clockJump] += 1
        devices[index].clockError = Plan.wrongTime(&choice)
        devices[index].hasClockJumped = true
        devices[index].disk.set(clock: clock(of: index))
    }

    mutating func jumpServerClock(_ choice: inout RandomSource) {
        counts[.serverClockJump] += 1
        server.clockError = Plan.wrongTime(&choice)
        server.hasClockJumped = true
    }
}

extension Plan {
    /// What a clock is wrong by, in nanoseconds: by minutes, or by up to ten years.
    static func wrongTime(_ random: inout RandomSource) -> Int64 {
        let second: Int64 = 1_000_000_000
        switch random.below(4) {
        case 0: return random.within(-10 * second...10 * second)
        case 1: return random.within(-300 * second...300 * second)
        case 2: return 0
        default: return random.within(-3650 * 86_400 * second...3650 * 86_400 * second)
        }
    }
}
