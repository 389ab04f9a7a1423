import Glibc

/// A thread that does what another program would.
final class ThreadOfAnEditor: @unchecked Sendable {
    private let body: @Sendable () -> Void
    private var thread = pthread_t()

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func start() {
        let context = Unmanaged.passRetained(self).toOpaque()
        pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<ThreadOfAnEditor>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, context)
    }

    func join() { pthread_join(thread, nil) }
}
