import Dispatch
import Glibc
import SyncTransport
import Synchronization

/// A thread of its own for work that blocks: the database, files, passwords.
struct WorkThread: Sendable {
    private let ended = DispatchGroup()

    /// Starts a thread that runs the work and ends.
    init(_ work: @escaping @Sendable () -> Void) throws(SystemError) {
        ended.enter()
        let body = Body(work: work, ended: ended)
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(body)
        let code = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            unsafe context.release()
            ended.leave()
            throw SystemError("pthread_create", code)
        }
        pthread_detach(thread)
    }

    /// Waits until the work has ended.
    func join() { ended.wait() }

    private final class Body: Sendable {
        private let work: Mutex<(@Sendable () -> Void)?>
        private let ended: DispatchGroup

        init(work: @escaping @Sendable () -> Void, ended: DispatchGroup) {
            self.work = Mutex(work)
            self.ended = ended
        }

        func run() {
            work.withLock { $0.take() }?()
            // What the work held, such as a database, is closed by now: whoever joins may rely on
            // it.
            ended.leave()
        }
    }
}
