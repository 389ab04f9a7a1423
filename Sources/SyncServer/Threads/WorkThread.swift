import Dispatch
import Glibc

/// A thread of its own for work that blocks: the database, files, passwords.
struct WorkThread: Sendable {
    private let ended = DispatchGroup()

    /// Starts a thread that runs the work and ends.
    init(_ work: @escaping @Sendable () -> Void) {
        let body = Body(work: work, ended: ended)
        ended.enter()
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(body)
        let status = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        // Without its threads the server cannot do anything: it is a start that failed.
        precondition(status == 0, "a thread could not be started: error \(status)")
        pthread_detach(thread)
    }

    /// Waits until the work has ended.
    func join() { ended.wait() }

    private final class Body: Sendable {
        let work: @Sendable () -> Void
        let ended: DispatchGroup

        init(work: @escaping @Sendable () -> Void, ended: DispatchGroup) {
            self.work = work
            self.ended = ended
        }

        func run() {
            work()
            ended.leave()
        }
    }
}
