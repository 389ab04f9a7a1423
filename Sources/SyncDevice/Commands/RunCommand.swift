import CLinux
import Dispatch
import Glibc
import SyncTransport
import Synchronization

/// `ubiquity device run`: the daemon, in the foreground, until a signal ends it.
struct RunCommand: Command {
    static let words = ["device", "run"]
    static let usage = "ubiquity device run"
    static let summary =
        "Syncs until it is ended; run it in the background or as a service."

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        try CommandArguments(arguments).refuseWords(after: 0)
    }

    func run() throws(CommandFailure) -> Int32 {
        let home = try CommandHome()
        let signals = EndSignals()
        clinux_map_long_blocks()
        let daemon: Daemon
        do throws(DaemonStartFailure) {
            daemon = try Daemon(home: home.home)
        } catch {
            throw .failed(error.description)
        }
        let end = EndFlag()
        DispatchQueue(label: "signals").async { [waker = daemon.waker] in
            signals.wait()
            end.raise()
            waker.wake()
        }
        daemon.run(
            until: { end.isRaised },
            whenReady: { try? CommandOutput.say("Ubiquity runs on \(home.name)") })
        return 0
    }
}

/// Whether the daemon shall end.
private final class EndFlag: Sendable {
    private let flag = Atomic(false)

    var isRaised: Bool { flag.load(ordering: .acquiring) }

    func raise() { flag.store(true, ordering: .releasing) }
}

/// SIGTERM and SIGINT, kept from ending the process until they are waited for.
///
/// SIGPIPE is ignored: a program or a terminal that is gone must not end the daemon.
@safe private struct EndSignals: Sendable {
    private var set = sigset_t()

    /// Must be made before any thread is started: threads inherit what is blocked.
    init() {
        signal(SIGPIPE, SIG_IGN)
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, SIGTERM)
        unsafe sigaddset(&set, SIGINT)
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for one of them; the next one ends the process at once.
    func wait() {
        var set = set
        var signal: Int32 = 0
        unsafe sigwait(&set, &signal)
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
}
