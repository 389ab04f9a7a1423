import Dispatch
import SyncCore
import SyncStore
import SyncTransport

/// The thread that counts the server's running time, and once a day lets the old go.
final class Upkeep: Sendable {
    private let isOver = DispatchSemaphore(value: 0)
    private let thread: WorkThread

    /// How often the running time is counted, in milliseconds: what a crash loses of it at most.
    private static let interval = 60_000

    init(
        connection: ReadConnection, collector: Collector
    ) throws(SystemError) {
        thread = try WorkThread { [isOver] in
            var clock: CollectionClock?
            repeat {
                clock = Upkeep.turn(clock, connection, collector)
            } while isOver.wait(timeout: .now() + .milliseconds(Upkeep.interval)) == .timedOut
            // What ran, and what was said, since the last turn.
            if var clock {
                clock.read(Moment(steady: Clocks.steady(), wall: Clocks.wall()))
                _ = collector.note(clock)
            }
        }
    }

    deinit { isOver.signal() }

    func close() {
        isOver.signal()
        thread.join()
    }

    /// Counts, and collects if a day is over; what cannot be done now is done the next time.
    private static func turn(
        _ before: CollectionClock?, _ connection: ReadConnection, _ collector: Collector
    ) -> CollectionClock? {
        guard var clock = before ?? (try? connection.database.collectionClock()) else {
            return nil
        }
        clock.read(Moment(steady: Clocks.steady(), wall: Clocks.wall()))
        guard collector.note(clock), let due = clock.due else { return clock }
        do throws(CollectionFailure) {
            try collector.collect(due, connection)
            clock.made()
            _ = collector.note(clock)
        } catch {
            ServerLog.write("the daily collection was put off: \(error.reason)")
        }
        return clock
    }
}
