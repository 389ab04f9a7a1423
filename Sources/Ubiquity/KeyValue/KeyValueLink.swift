import DeviceSocket
import Dispatch
import Foundation
import SyncWire
import Synchronization

/// Keeps a program's view of one key-value store and the daemon's in step.
///
/// A write shows at once and goes to the daemon in order, on a queue; without a daemon it is kept
/// in a file and goes when there is one.
final class KeyValueLink: Sendable {
    /// Called on the queue, in order; never for the program's own writes that were accepted.
    typealias Notify = @Sendable ([[UInt8]], ValueChangeReason) -> Void

    private let session: DeviceSession
    private let store: [UInt8]
    private let files: KeyValueFiles?
    private let notify: Notify
    /// Everything that waits for the daemon or the disk happens here.
    private let queue = DispatchQueue(label: "key-values")
    private let mirror: Mutex<KeyValueMirror>
    private let progress: Mutex<Progress>
    private let watch = Mutex<LastingWatch?>(nil)

    private struct Progress {
        /// Whether the program has seen the store before, at this or an earlier start.
        var hasSeen: Bool
        var partial: [KeyValueRow] = []
    }

    init(session: DeviceSession, store: String, program: String, notify: @escaping Notify) {
        self.session = session
        self.store = Array(store.utf8)
        self.notify = notify
        files = session.home.map { KeyValueFiles(home: $0, store: store, program: program) }
        let seen = files?.seenValues()
        progress = Mutex(Progress(hasSeen: seen != nil))
        mirror = Mutex(
            KeyValueMirror(values: seen ?? [:], kept: files?.waitingWrites() ?? [:]))
    }

    func begin() {
        session.watchAccount()
        let watch = LastingWatch(session, .watchValues(store: store)) { [weak self] update in
            self?.queue.async { self?.take(update) }
        }
        self.watch.withLock { $0 = watch }
        watch.begin()
    }

    func end() { watch.withLock { $0 }?.cancel() }

    // MARK: The program's side

    func value(_ key: [UInt8]) -> [UInt8]? { mirror.withLock { $0[key] } }

    var all: [[UInt8]: [UInt8]] { mirror.withLock { $0.all } }

    func set(_ value: [UInt8]?, for key: [UInt8]) {
        guard mirror.withLock({ $0.set(value, for: key) }) else { return }
        queue.async { self.sendAll() }
    }

    /// Waits until all earlier writes are durable, at the daemon or in the file; false if they are
    /// not within the time.
    func flush(seconds: Int) -> Bool {
        let isDone = DispatchSemaphore(value: 0)
        queue.async {
            self.sendAll()
            isDone.signal()
        }
        guard isDone.wait(timeout: .now() + .seconds(seconds)) == .success else { return false }
        return mirror.withLock { $0.next == nil }
    }

    // MARK: Own writes

    private func sendAll() {
        while let (key, write) = mirror.withLock({ $0.next }) {
            guard send(key, write) || keep(key, write) else { return }
        }
    }

    /// False if the daemon could not be asked.
    private func send(_ key: [UInt8], _ write: KeyValueMirror.Pending) -> Bool {
        do throws(DeviceClientError) {
            try set(key, write.value)
            mirror.withLock { $0.acknowledge(key, write) }
            return true
        } catch {
            guard error.refusesValue else { return false }
            mirror.withLock { $0.refuse(key, write) }
            notify([key], .quotaViolationChange)
            return true
        }
    }

    private func set(_ key: [UInt8], _ value: [UInt8]?) throws(DeviceClientError) {
        try session.ask { client throws(DeviceClientError) in
            try client.setValue(store: store, key: key, value: value)
        }
    }

    /// False if there is no place to keep it: it stays in memory, and is tried again.
    private func keep(_ key: [UInt8], _ write: KeyValueMirror.Pending) -> Bool {
        guard let files else { return false }
        do throws(FileFailure) {
            try files.addWaiting(key, write.value)
            mirror.withLock { $0.keep(key, write) }
            return true
        } catch {
            return false
        }
    }

    /// Brings the writes of a time without a daemon, this program's and others'.
    private func sendKept() {
        try? files?.bringWaiting { writes in
            var rest = writes
            for (key, value) in writes {
                do throws(DeviceClientError) {
                    try set(key, value)
                } catch {
                    guard error.refusesValue else { break }
                    notify([key], .quotaViolationChange)
                }
                rest[key] = nil
            }
            if rest.isEmpty { mirror.withLock { $0.dropKept(writes) } }
            return rest
        }
    }

    // MARK: The daemon's side

    private func take(_ update: DeviceUpdate) {
        switch update {
        case .part(.values(let rows)): progress.withLock { $0.partial += rows }
        case .reply(.values(let rows)):
            let listing = progress.withLock { progress in
                defer { progress.partial = [] }
                return progress.partial + rows
            }
            takeListing(listing)
        case .event(.values(_, let keys, let reason)): take(keys, reason)
        case .end: progress.withLock { $0.partial = [] }
        default: break
        }
    }

    private func takeListing(_ listing: [KeyValueRow]) {
        let changed = mirror.withLock { $0.take(listing: listing) }
        let isFirst = progress.withLock { progress in
            defer { progress.hasSeen = true }
            return !progress.hasSeen
        }
        sendKept()
        sendAll()
        tell(changed, isFirst ? .initialSyncChange : .serverChange)
    }

    private func take(_ keys: [[UInt8]], _ reason: ValueChangeReason) {
        sendAll()
        if reason == .accountChange { return takeAccount(keys) }
        var news: [[UInt8]: [UInt8]?] = [:]
        for key in keys {
            do throws(DeviceClientError) {
                let value = try session.ask { client throws(DeviceClientError) in
                    try client.value(store: store, key: key)
                }
                news[key] = .some(value)
            } catch {
                // A daemon that is gone tells all of it when it is back.
                continue
            }
        }
        let changed = mirror.withLock { $0.take(news) }
        tell(reason == .quotaViolationChange ? keys : changed, reason)
    }

    /// Everything is another account's now.
    private func takeAccount(_ keys: [[UInt8]]) {
        let listing = try? session.ask { client throws(DeviceClientError) in
            try client.values(store: store)
        }
        let changed = mirror.withLock { $0.take(listing: listing ?? []) }
        tell(Array(Set(keys).union(changed)), .accountChange)
    }

    private func tell(_ keys: [[UInt8]], _ reason: ValueChangeReason) {
        if !keys.isEmpty { notify(keys, reason) }
        let values = mirror.withLock { $0.values }
        try? files?.writeSeen(values)
    }
}

extension DeviceClientError {
    /// Asking again would not help: the value or its key is not taken.
    fileprivate var refusesValue: Bool {
        switch self {
        case .refused(let failure): failure.code == .overLimit || failure.code == .invalid
        case .tooLarge: true
        default: false
        }
    }
}
