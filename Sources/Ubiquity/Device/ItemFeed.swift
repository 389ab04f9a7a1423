import DeviceSocket
import Dispatch
import SyncCore
import SyncWire
import Synchronization

/// The items of one container, or those of them that a condition is true of, for everybody in this
/// program who wants to know them.
///
/// The daemon is asked once for all; it is asked while somebody listens. An item that the condition
/// is no longer true of is told as a change, after which it is not told of.
final class ItemFeed: Sendable {
    /// What a listener hears: first the listing, then changes, in order.
    enum Update: Sendable {
        case listing([ItemRow])
        case changes(changed: [ItemRow], removed: [RemovedItem])
    }

    private let session: DeviceSession
    private let container: String
    /// Listeners are called on it.
    private let queue = DispatchQueue(label: "items")
    private let state = Mutex(State())

    fileprivate struct State {
        var watch: LastingWatch?
        var lastToken: UInt64 = 0
        var listeners: [UInt64: @Sendable (Update) -> Void] = [:]
        /// Nil until the daemon has told all of it once.
        var rows: [ItemID: ItemRow]?
        /// What has come of a listing whose end has not come.
        var partial: [ItemRow] = []
        /// What the daemon looks for; nil for all items.
        var condition: ItemCondition?
    }

    init(session: DeviceSession, container: String, condition: ItemCondition? = nil) {
        self.session = session
        self.container = container
        state.withLock { $0.condition = condition }
    }

    /// Hears the listing as soon as the daemon has told it, and each change from then on.
    func listen(_ listener: @escaping @Sendable (Update) -> Void) -> Listening {
        let token = state.withLock { state in
            state.lastToken += 1
            return state.lastToken
        }
        queue.async {
            let rows = self.state.withLock { state in
                state.listeners[token] = listener
                if state.watch == nil { state.watch = self.makeWatch(state.condition) }
                return state.rows
            }
            if let rows { listener(.listing(Array(rows.values))) }
        }
        return Listening(feed: self, token: token)
    }

    /// Who listens, until it is cancelled or forgotten.
    final class Listening: Sendable {
        private let feed: ItemFeed
        private let token: UInt64

        init(feed: ItemFeed, token: UInt64) {
            self.feed = feed
            self.token = token
        }

        deinit { cancel() }

        /// One update more may be under way.
        func cancel() { feed.remove(token) }
    }

    private func remove(_ token: UInt64) {
        queue.async {
            let watch = self.state.withLock { state in
                state.listeners[token] = nil
                return state.listeners.isEmpty ? state.end() : nil
            }
            watch?.cancel()
        }
    }

    /// A program may look for what is in its container before it asks for the container itself.
    private func setUp() { _ = try? session.containerFolder(container) }

    /// What was told is void: another account's items are told as changes.
    func askAgain() {
        queue.async {
            let old = self.state.withLock { state in
                guard let old = state.watch else { return nil as LastingWatch? }
                state.partial = []
                state.watch = self.makeWatch(state.condition)
                return old
            }
            old?.cancel()
        }
    }

    private func makeWatch(_ condition: ItemCondition?) -> LastingWatch {
        let path = Array(container.utf8)
        let call: DeviceCall
        if let condition {
            call = .find(
                ItemSearch(
                    path: path, condition: condition.predicate.formatText,
                    containers: session.home?.containers ?? [], isLive: true))
        } else {
            call = .watchItems(path: path)
        }
        let watch = LastingWatch(session, call) { [weak self] update in
            self?.queue.async { self?.take(update) }
        }
        watch.begin()
        return watch
    }

    /// False if there is none.
    private func giveUpCondition() -> Bool {
        state.withLock { state in
            defer { state.condition = nil }
            return state.condition != nil
        }
    }

    private func take(_ update: DeviceUpdate) {
        if case .end(.refused(let failure)) = update {
            if failure.code == .notFound { setUp() }
            // The daemon is of an earlier version: it tells of all, and the program chooses.
            if failure.code == .unsupported || failure.code == .invalid, giveUpCondition() {
                return askAgain()
            }
        }
        let (news, listeners) = state.withLock { state in
            (state.take(update), state.listeners.values.map(\.self))
        }
        guard let news else { return }
        for listener in listeners { listener(news) }
    }
}

extension ItemFeed.State {
    /// What the listeners are to be told of it.
    mutating func take(_ update: DeviceUpdate) -> ItemFeed.Update? {
        switch update {
        case .part(.items(let some)):
            partial += some
            return nil
        case .reply(.items(let rest)):
            defer { partial = [] }
            return takeListing(partial + rest)
        case .reply(.found(let found)):
            defer { partial = [] }
            return takeListing(partial + found.rows)
        case .event(.items(let changed, let removed)):
            // Before its listing a watch has no events.
            guard rows != nil else { return nil }
            for item in removed { rows?[item.item] = nil }
            for row in changed { rows?[row.item] = row }
            return .changes(changed: changed, removed: removed)
        case .event(.found(let changes)):
            guard rows != nil else { return nil }
            for item in changes.removed { rows?[item.item] = nil }
            for row in changes.left { rows?[row.item] = nil }
            for row in changes.added + changes.changed { rows?[row.item] = row }
            return .changes(
                changed: changes.added + changes.changed + changes.left, removed: changes.removed)
        case .end:
            partial = []
            return nil
        default: return nil
        }
    }

    /// The first listing is told as it is; a later one, from a daemon that came back, as changes.
    private mutating func takeListing(_ listing: [ItemRow]) -> ItemFeed.Update? {
        let now = Dictionary(listing.map { ($0.item, $0) }) { $1 }
        defer { rows = now }
        guard let before = rows else { return .listing(listing) }
        let changed = listing.filter { before[$0.item] != $0 }
        let removed = before.values.filter { now[$0.item] == nil }
            .map { RemovedItem(item: $0.item, path: $0.path) }
        guard !changed.isEmpty || !removed.isEmpty else { return nil }
        return .changes(changed: changed, removed: removed)
    }

    /// The watch to be cancelled: nobody listens any more.
    mutating func end() -> LastingWatch? {
        defer {
            watch = nil
            rows = nil
            partial = []
        }
        return watch
    }
}
