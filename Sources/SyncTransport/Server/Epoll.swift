import CLinux
import Glibc

/// The kernel's list of descriptors to watch; level-triggered.
@safe final class Epoll {
    /// What to wait for, or what has come.
    struct Events: OptionSet, Sendable {
        let rawValue: UInt32

        static let readable = Events(rawValue: clinux_epoll_readable)
        static let writable = Events(rawValue: clinux_epoll_writable)
        /// The connection is broken or closed on both sides; always reported.
        static let broken = Events(rawValue: clinux_epoll_broken)
    }

    private static let batch = 256
    private let descriptor: Int32
    private let keys: UnsafeMutablePointer<UInt64>
    private let events: UnsafeMutablePointer<UInt32>

    init() throws(SystemError) {
        descriptor = clinux_epoll_create()
        unsafe keys = .allocate(capacity: Epoll.batch)
        unsafe events = .allocate(capacity: Epoll.batch)
        guard descriptor >= 0 else { throw .last("epoll_create1") }
    }

    deinit {
        close(descriptor)
        unsafe keys.deallocate()
        unsafe events.deallocate()
    }

    func add(_ key: ConnectionKey, _ events: Events) throws(SystemError) {
        let result = clinux_epoll_add(descriptor, key.descriptor, events.rawValue, key.packed)
        guard result == 0 else { throw .last("epoll_ctl") }
    }

    /// Changes what is waited for; the descriptor must have been added.
    func change(_ key: ConnectionKey, _ events: Events) {
        let result = clinux_epoll_change(descriptor, key.descriptor, events.rawValue, key.packed)
        precondition(result == 0, "a descriptor was changed that is not watched")
    }

    /// Waits and gives what has come; without a time it waits as long as it takes.
    func wait(milliseconds: UInt64?) -> [(key: ConnectionKey, events: Events)] {
        let timeout = milliseconds.map { Int32(clamping: $0) } ?? -1
        let count = unsafe clinux_epoll_wait(
            descriptor, keys, events, Int32(Epoll.batch), timeout)
        // Below zero a signal came: the loop looks at its clock and waits again.
        return (0..<Int(max(0, count))).map { index in
            unsafe (ConnectionKey(packed: keys[index]), Events(rawValue: events[index]))
        }
    }
}
