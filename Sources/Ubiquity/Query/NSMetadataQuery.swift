public import Foundation
import SyncCore
import SyncWire
import Synchronization

/// Finds items in iCloud, also those that are not downloaded, and tells of every change.
///
/// Follows Apple's documentation of NSMetadataQuery. A query gathers once and then is live until it
/// is stopped; its results stay readable after that. Results and notifications come on
/// `operationQueue`, or on the main queue. The gathering ends when the device's daemon has told
/// what there is, so never while no daemon runs.
///
/// ```swift
/// let query = NSMetadataQuery()
/// query.searchScopes = [NSMetadataQueryUbiquitousDocumentsScope]
/// query.predicate = NSPredicate(format: "%K LIKE '*.md'", NSMetadataItemFSNameKey)
/// let token = NotificationCenter.default.addObserver(
///     forName: .NSMetadataQueryDidUpdate, object: query, queue: .main
/// ) { _ in print(query.resultCount) }
/// query.start()
/// ```
open class NSMetadataQuery: NSObject, @unchecked Sendable {
    private let session: DeviceSession
    private let settings = Mutex(Settings())
    let run = Mutex(QueryRun())

    private struct Settings: @unchecked Sendable {
        weak var delegate: (any NSMetadataQueryDelegate)?
        var predicate: NSPredicate?
        var sortDescriptors: [NSSortDescriptor] = []
        var searchScopes: [Any] = []
        var searchItems: [Any]?
        var batchingInterval: TimeInterval = 1
        var valueListAttributes: [String] = []
        var groupingAttributes: [String]?
        var operationQueue: OperationQueue?
    }

    /// Makes a query that looks for nothing yet.
    public override init() {
        session = .shared
        super.init()
    }

    init(session: DeviceSession) {
        self.session = session
        super.init()
    }

    deinit { run.withLock { $0.end() } }

    // MARK: What is looked for

    /// Is asked for replacements of results and values.
    open weak var delegate: (any NSMetadataQueryDelegate)? {
        get { settings.withLock { $0.delegate } }
        set { settings.withLock { $0.delegate = newValue } }
    }

    /// What an item must fulfil; a running query starts again with a new one.
    ///
    /// Predicates of any kind will do, blocks too.
    open var predicate: NSPredicate? {
        get { settings.withLock { $0.predicate } }
        set {
            settings.withLock { $0.predicate = newValue }
            restart()
        }
    }

    /// The order of the results; a running query starts again with a new one.
    open var sortDescriptors: [NSSortDescriptor] {
        get { settings.withLock { $0.sortDescriptors } }
        set {
            settings.withLock { $0.sortDescriptors = newValue }
            restart()
        }
    }

    /// Where to look: scope constants, URLs or paths of folders; none means everywhere.
    ///
    /// A running query starts again with new ones.
    open var searchScopes: [Any] {
        get { settings.withLock { Unchecked($0.searchScopes) }.value }
        set {
            let scopes = Unchecked(newValue)
            settings.withLock { $0.searchScopes = scopes.value }
            restart()
        }
    }

    /// The only items to look at, as URLs or `NSMetadataItem`s; nil for all in the scopes.
    ///
    /// A running query starts again with new ones.
    open var searchItems: [Any]? {
        get { settings.withLock { Unchecked($0.searchItems) }.value }
        set {
            let items = Unchecked(newValue)
            settings.withLock { $0.searchItems = items.value }
            restart()
        }
    }

    /// The attributes whose values ``valueLists`` counts.
    open var valueListAttributes: [String] {
        get { settings.withLock { $0.valueListAttributes } }
        set { settings.withLock { $0.valueListAttributes = newValue } }
    }

    /// The attributes that ``groupedResults`` groups by, the outermost first.
    open var groupingAttributes: [String]? {
        get { settings.withLock { $0.groupingAttributes } }
        set { settings.withLock { $0.groupingAttributes = newValue } }
    }

    /// The least time between two updates, in seconds; the first one comes at once.
    open var notificationBatchingInterval: TimeInterval {
        get { settings.withLock { $0.batchingInterval } }
        set { settings.withLock { $0.batchingInterval = newValue } }
    }

    /// Where notifications come and results change; nil stands for the main queue.
    open var operationQueue: OperationQueue? {
        get { settings.withLock { $0.operationQueue } }
        set { settings.withLock { $0.operationQueue = newValue } }
    }

    // MARK: Running

    /// Begins to gather; false without a predicate, or if the query runs already.
    @discardableResult
    open func start() -> Bool {
        let settings = settings.withLock { Unchecked($0) }.value
        guard let predicate = settings.predicate else { return false }
        let scope = QueryScope(
            settings.searchScopes, items: settings.searchItems, session: session)
        let conditions = QueryResults.Conditions(
            predicate: predicate, scope: scope, sort: settings.sortDescriptors, session: session)
        let number = run.withLock { $0.begin(conditions) }
        guard let number else { return false }
        post(.NSMetadataQueryDidStartGathering)
        if scope.containers.isEmpty { deliverSoon() }
        let condition = predicate.tree.map { ItemCondition.part(of: $0) }
        for container in scope.containers { listen(container, condition, number) }
        return true
    }

    /// Ends the query; its results stay as they are.
    open func stop() { run.withLock { $0.end() } }

    /// Whether the query was started and not stopped.
    open var isStarted: Bool { run.withLock { $0.phase == .gathering || $0.phase == .live } }
    /// Whether the first results are still to come.
    open var isGathering: Bool { run.withLock { $0.phase == .gathering } }
    /// Whether the query was stopped, or never started.
    open var isStopped: Bool { !isStarted }

    /// Holds the results as they are until the same number of `enableUpdates()`.
    open func disableUpdates() { run.withLock { $0.holds += 1 } }

    /// Lets the results change again, once for each `disableUpdates()`.
    open func enableUpdates() {
        let isFree = run.withLock { run in
            run.holds = max(0, run.holds - 1)
            return run.holds == 0
        }
        if isFree { deliverSoon() }
    }

    private func restart() {
        guard isStarted else { return }
        stop()
        start()
    }

    /// The daemon decides what it can of the predicate, over its index; the rest is decided here.
    ///
    /// If it can decide nothing, all queries share what it tells of the container.
    private func listen(_ container: String, _ condition: ItemCondition?, _ number: UInt64) {
        let conditional = condition.flatMap { $0.isEmpty ? nil : $0 }
        let feed = conditional.map { session.feed(container, $0) } ?? session.feed(container)
        let listening = feed.listen { [weak self] update in
            self?.take(update, container, number)
        }
        run.withLock { $0.keep(listening, number) }
    }

    private func take(_ update: ItemFeed.Update, _ container: String, _ number: UInt64) {
        let isNew = run.withLock { $0.take(update, from: container, number) }
        if isNew { deliverSoon() }
    }

    // MARK: Delivery

    /// On the query's queue, now or when the batching interval is over.
    private func deliverSoon() {
        let interval = settings.withLock { $0.batchingInterval }
        guard let pause = run.withLock({ $0.schedule(interval) }) else { return }
        guard pause > 0 else { return onQueue { $0.deliver() } }
        DispatchQueue.global().asyncAfter(deadline: .now() + pause) { [weak self] in
            self?.onQueue { $0.deliver() }
        }
    }

    private func onQueue(_ body: @escaping @Sendable (NSMetadataQuery) -> Void) {
        let queue = settings.withLock { $0.operationQueue } ?? .main
        queue.addOperation { [weak self] in
            if let self { body(self) }
        }
    }

    private func deliver() {
        let delivery = run.withLock { Unchecked($0.deliver()) }.value
        switch delivery {
        case nil: break
        case .gathered:
            let found = items.map(replaced)
            if !found.isEmpty {
                NotificationCenter.default.post(
                    name: .NSMetadataQueryGatheringProgress, object: self,
                    userInfo: [NSMetadataQueryUpdateAddedItemsKey: found])
            }
            NotificationCenter.default.post(
                name: .NSMetadataQueryDidFinishGathering, object: self)
            // What has changed meanwhile.
            deliverSoon()
        case .changes(let changes): postUpdate(changes)
        }
    }

    private func post(_ name: NSNotification.Name) {
        onQueue { NotificationCenter.default.post(name: name, object: $0) }
    }

    private func postUpdate(_ changes: QueryResults.Changes) {
        NotificationCenter.default.post(
            name: .NSMetadataQueryDidUpdate, object: self,
            userInfo: [
                NSMetadataQueryUpdateAddedItemsKey: changes.added.map(replaced),
                NSMetadataQueryUpdateChangedItemsKey: changes.changed.map(replaced),
                NSMetadataQueryUpdateRemovedItemsKey: changes.removed.map(replaced),
            ])
    }
}

/// A value of Foundation's that no two threads use at the same time, on its way out of a lock.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
