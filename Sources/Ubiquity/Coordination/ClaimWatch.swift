import Foundation
import Glibc
import Synchronization

/// Lets a program rest until a claim that is in its way ends, however it does.
///
/// The kernel tells when a claim's file is removed or closed. A watch is not to be had everywhere
/// and may come a moment before the lock is given up, so the claim is looked at now and then too.
final class ClaimWatch {
    private let news = DispatchSemaphore(value: 0)
    private var watch: ClaimEvents.Watch?
    private var pause = longestPause

    deinit { end() }

    /// From now on this claim is waited for, which may have ended before.
    func follow(_ place: [UInt8]) {
        end()
        watch = ClaimEvents.shared.watch(place, news)
        pause = watch == nil ? shortestPause : longestPause
    }

    private func end() {
        if let watch { ClaimEvents.shared.end(watch, news) }
    }

    /// Returns when the claim may have ended; throws when the patience does.
    func rest(_ patience: Patience, _ wish: FileClaim.Wish) throws {
        try patience.check(wish)
        let end = ContinuousClock.now + .milliseconds(pause)
        while true {
            let rest = (min(end, patience.deadline) - .now).milliseconds
            let slice = DispatchTimeInterval.milliseconds(max(0, min(rest + 1, longestSlice)))
            if news.wait(timeout: .now() + slice) == .success {
                pause = shortestPause
                return
            }
            try patience.check(wish)
            guard rest > 0 else { break }
        }
        pause = min(pause * 2, watch == nil ? longestPauseUnwatched : longestPause)
    }
}

// All in milliseconds.
private let shortestPause = 1
private let longestPause = 1000
private let longestPauseUnwatched = 10
/// So soon a cancelled call ends.
private let longestSlice = 50

extension Duration {
    fileprivate var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}

/// What the kernel tells of claims, for all who wait in this program: a person's programs may have
/// some hundred such sources in all, and the daemon needs one too.
private final class ClaimEvents: Sendable {
    static let shared = ClaimEvents()

    private let descriptor = inotify_init1(Int32(IN_CLOEXEC))
    private let state = Mutex<[Int32: [DispatchSemaphore]]>([:])

    struct Watch {
        let number: Int32
    }

    private init() {
        guard descriptor >= 0 else { return }
        Thread.detachNewThread { [self] in
            while listen() {}
        }
    }

    /// Nil if it cannot be watched, or is gone.
    func watch(_ place: [UInt8], _ news: DispatchSemaphore) -> Watch? {
        guard descriptor >= 0 else { return nil }
        let path = place.map { CChar(bitPattern: $0) } + [0]
        let events = UInt32(IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF)
        return state.withLock { waiting in
            let number = unsafe inotify_add_watch(descriptor, path, events)
            guard number >= 0 else { return nil }
            waiting[number, default: []].append(news)
            return Watch(number: number)
        }
    }

    func end(_ watch: Watch, _ news: DispatchSemaphore) {
        state.withLock { waiting in
            guard let index = waiting[watch.number]?.firstIndex(where: { $0 === news }) else {
                return
            }
            waiting[watch.number]?.remove(at: index)
            guard waiting[watch.number]?.isEmpty == true else { return }
            waiting[watch.number] = nil
            inotify_rm_watch(descriptor, watch.number)
        }
    }

    private func listen() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return errno == EINTR }
        let size = MemoryLayout<inotify_event>.size
        var start = 0
        while start + size <= count {
            let event = unsafe buffer.withUnsafeBytes {
                unsafe $0.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
            }
            start += size + Int(event.len)
            state.withLock { waiting in
                for news in waiting[event.wd] ?? [] { news.signal() }
                // The kernel has ended it: the file is gone.
                if event.mask & UInt32(IN_IGNORED) != 0 { waiting[event.wd] = nil }
            }
        }
        return true
    }
}
