import CLinux
import Glibc
import Synchronization

/// What other threads ask of a loop.
enum LoopCommand: Sendable {
    /// Take over a connection that was accepted.
    case adopt(descriptor: Int32, peer: PeerAddress)
    case respond(ConnectionKey, HTTPResponse)
    case openStream(ConnectionKey, HTTPHeaders, PushStream)
    /// Send what was offered to a stream.
    case flush(PushStream)
    /// End by a time of the monotonic clock, in milliseconds.
    case shutDown(deadline: UInt64)
}

/// Where any thread leaves commands for a loop, which is woken once for any number of them.
final class LoopInbox: Sendable {
    private struct State {
        var commands: [LoopCommand] = []
        var owner: pthread_t?
        var isWoken = false
    }

    /// Readable while commands wait.
    let wakeDescriptor: Int32
    private let state = Mutex(State())

    init() throws(SystemError) {
        wakeDescriptor = clinux_eventfd_create()
        guard wakeDescriptor >= 0 else { throw .last("eventfd") }
    }

    deinit {
        close(wakeDescriptor)
    }

    /// Makes the calling thread the one that takes the commands.
    func becomeOwner() {
        state.withLock { $0.owner = pthread_self() }
    }

    func post(_ command: LoopCommand) {
        post(CollectionOfOne(command))
    }

    /// Leaves several commands with one wake.
    func post(_ commands: some Collection<LoopCommand>) {
        let mustWake = state.withLock { state in
            state.commands += commands
            // The loop itself looks here before it sleeps.
            guard !state.isWoken, state.owner != pthread_self() else { return false }
            state.isWoken = true
            return true
        }
        if mustWake {
            clinux_eventfd_signal(wakeDescriptor)
        }
    }

    /// Makes the descriptor unreadable again; called by the owner before it takes the commands.
    ///
    /// Never after: a thread may leave a command, and only then wake, when it was taken already.
    func clearWake() {
        clinux_eventfd_clear(wakeDescriptor)
    }

    /// Takes all commands; called by the owner.
    func take() -> [LoopCommand] {
        state.withLock { state in
            defer {
                state.commands = []
                state.isWoken = false
            }
            return state.commands
        }
    }
}
