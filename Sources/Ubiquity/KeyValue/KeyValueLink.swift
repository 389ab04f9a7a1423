import DeviceSocket
import Dispatch
import Foundation
import SyncCore
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
    /// The account whose values the program has seen last, at this or an earlier start; empty after
    /// a sign-out, nil if it has seen none.
    private let seenAccount: Mutex<[UInt8]?>
    /// Whether what was seen is not in its file: a process that is killed is told of it again.
    private let unwritten = Mutex(false)
    private let watch = Mutex<LastingWatch?>(nil)

    init(session: DeviceSession, store: String, program: String, notify: @escaping Notify) {
        self.session = session
        self.store = Array(store.utf8)
        self.notify = notify
        files = session.home.map { KeyValueFiles(home: $0, store: store, program: program) }
        let seen = files?.seenValues()
        seenAccount = Mutex(seen?.account)
        mirror = Mutex(
            KeyValueMirror(values: seen?.values ?? [:], kept: files?.waitingWrites() ?? [:]))
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
            self.writeSeen()
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
        // The watch's own listing may be older than a write that was acknowledged since: what is
        // asked for here, where the writes are sent too, is not.
        case .reply: takeListing()
        case .event(.values(_, let keys, let reason)): take(keys, reason)
        case .end(let error) where error.isSignedOut: takeSignOut()
        default: break
        }
    }

    private func takeListing() {
        // A daemon that is gone again tells all of it when it is back.
        guard let (account, listing) = try? askForAll() else { return }
        let changed = mirror.withLock { $0.take(listing: listing) }
        let before = seenAccount.withLock { seen in
            defer { seen = account }
            return seen
        }
        sendKept()
        sendAll()
        switch before {
        case nil, []: tell(changed, .initialSyncChange)
        case account: tell(changed, .serverChange)
        default: tell(changed, .accountChange)
        }
    }

    /// The store of no account is empty; own writes wait for the next one.
    private func takeSignOut() {
        let before = seenAccount.withLock { seen in
            defer { seen = seen.map { _ in [] } }
            return seen
        }
        guard let before, !before.isEmpty else { return }
        tell(mirror.withLock { $0.take(listing: []) }, .accountChange)
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
        do throws(DeviceClientError) {
            let (account, listing) = try askForAll()
            seenAccount.withLock { $0 = account }
            let changed = mirror.withLock { $0.take(listing: listing) }
            tell(Array(Set(keys).union(changed)), .accountChange)
        } catch {
            if error.isSignedOut { takeSignOut() }
        }
    }

    private func askForAll() throws(DeviceClientError) -> (account: [UInt8], [KeyValueRow]) {
        try session.ask { client throws(DeviceClientError) in
            let account = try client.status().account
            return (account?.id.bytes ?? [], try client.values(store: store))
        }
    }

    private func tell(_ keys: [[UInt8]], _ reason: ValueChangeReason) {
        if !keys.isEmpty { notify(keys, reason) }
        let isFirst = unwritten.withLock { unwritten in
            defer { unwritten = true }
            return !unwritten
        }
        guard isFirst else { return }
        // Many changes are written once.
        queue.asyncAfter(deadline: .now() + pauseBeforeWriting) { [weak self] in
            self?.writeSeen()
        }
    }

    private func writeSeen() {
        let isDue = unwritten.withLock { unwritten in
            defer { unwritten = false }
            return unwritten
        }
        guard isDue, let account = seenAccount.withLock({ $0 }) else { return }
        let values = mirror.withLock { $0.values }
        try? files?.writeSeen(.init(account: account, values: values))
    }
}

private let pauseBeforeWriting = DispatchTimeInterval.milliseconds(200)

extension DeviceClientError {
    fileprivate var isSignedOut: Bool {
        if case .refused(let failure) = self { failure.code == .signedOut } else { false }
    }

    /// Asking again would not help: the value or its key is not taken.
    fileprivate var refusesValue: Bool {
        switch self {
        case .refused(let failure): failure.code == .overLimit || failure.code == .invalid
        case .tooLarge: true
        default: false
        }
    }
}
