import CLinux
import Glibc

/// The kernel's list of descriptors to watch; level-triggered.
@safe final class Epoll {
    /// What to wait for, or what has come.
    struct Events: OptionSet, Sendable {
        let rawValue: UInt32

        static let readable = Events(rawValue: EPOLLIN.rawValue)
        static let writable = Events(rawValue: EPOLLOUT.rawValue)
        /// The connection is broken or closed on both sides; always reported.
        static let broken = Events(rawValue: EPOLLERR.rawValue | EPOLLHUP.rawValue)
    }

    private static let batch = 256
    private let descriptor: Int32
    private let buffer: UnsafeMutablePointer<epoll_event>

    init() throws(SystemError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        unsafe buffer = .allocate(capacity: Epoll.batch)
        unsafe buffer.initialize(repeating: epoll_event(), count: Epoll.batch)
        guard descriptor >= 0 else { throw .last("epoll_create1") }
    }

    deinit {
        close(descriptor)
        unsafe buffer.deallocate()
    }

    func add(_ key: ConnectionKey, _ events: Events) throws(SystemError) {
        guard control(EPOLL_CTL_ADD, key, events) == 0 else { throw .last("epoll_ctl") }
    }

    /// Changes what is waited for; the descriptor must have been added.
    func change(_ key: ConnectionKey, _ events: Events) {
        let result = control(EPOLL_CTL_MOD, key, events)
        precondition(result == 0, "a descriptor was changed that is not watched")
    }

    /// Stops watching; closing the descriptor does too.
    func remove(_ key: ConnectionKey) {
        _ = control(EPOLL_CTL_DEL, key, [])
    }

    /// Waits and gives what has come; without a time it waits as long as it takes.
    func wait(milliseconds: UInt64?) -> [(key: ConnectionKey, events: Events)] {
        let timeout = milliseconds.map { Int32(clamping: $0) } ?? -1
        let count = unsafe epoll_wait(descriptor, buffer, Int32(Epoll.batch), timeout)
        // A signal came: the loop looks at its clock and waits again.
        guard count > 0 else { return [] }
        return (0..<Int(count)).map { index in
            let event = unsafe buffer[index]
            return unsafe (ConnectionKey(packed: event.data.u64), Events(rawValue: event.events))
        }
    }

    private func control(_ operation: Int32, _ key: ConnectionKey, _ events: Events) -> Int32 {
        var event = unsafe epoll_event()
        unsafe event.events = events.rawValue
        unsafe event.data.u64 = key.packed
        return unsafe epoll_ctl(descriptor, operation, key.descriptor, &event)
    }
}
