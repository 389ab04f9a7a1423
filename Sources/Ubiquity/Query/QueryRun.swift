import Dispatch
import Foundation
import SyncCore
import SyncWire

/// One run of a query, from its start to the next: what came, and what the program sees of it.
struct QueryRun: @unchecked Sendable {
    private(set) var phase = Phase.idle
    private(set) var results = QueryResults()
    /// How many times the updates are disabled.
    var holds = 0
    /// Tells this run's news from those of runs before.
    private var number: UInt64 = 0
    private var conditions: QueryResults.Conditions?
    private var listenings: [ItemFeed.Listening] = []
    /// The containers whose listing has not come.
    private var awaited: Set<String> = []
    private var listed: [ItemRow] = []
    private var changed: [ItemID: ItemRow] = [:]
    private var removed: Set<ItemID> = []
    private var isScheduled = false
    private var lastDelivery: DispatchTime?

    enum Phase {
        case idle
        case gathering
        case live
        case stopped
    }

    /// What the program is to be told of.
    enum Delivery {
        case gathered
        case changes(QueryResults.Changes)
    }

    /// The run's number; nil if one is under way.
    mutating func begin(_ conditions: QueryResults.Conditions) -> UInt64? {
        guard phase != .gathering, phase != .live else { return nil }
        self = QueryRun(phase: .gathering, holds: holds, number: number + 1)
        self.conditions = conditions
        awaited = Set(conditions.scope.containers)
        return number
    }

    init() {}

    private init(phase: Phase, holds: Int, number: UInt64) {
        self.phase = phase
        self.holds = holds
        self.number = number
    }

    mutating func keep(_ listening: ItemFeed.Listening, _ number: UInt64) {
        guard self.number == number, phase == .gathering || phase == .live else {
            return listening.cancel()
        }
        listenings.append(listening)
    }

    mutating func end() {
        for listening in listenings { listening.cancel() }
        listenings = []
        if phase != .idle { phase = .stopped }
        changed = [:]
        removed = []
        listed = []
    }

    /// False if there is nothing to deliver for it.
    mutating func take(
        _ update: ItemFeed.Update, from container: String, _ number: UInt64
    ) -> Bool {
        guard self.number == number, phase == .gathering || phase == .live else { return false }
        switch update {
        case .listing(let rows):
            listed += rows
            awaited.remove(container)
            return awaited.isEmpty
        case .changes(let rows, let gone):
            for item in gone {
                changed[item.item] = nil
                removed.insert(item.item)
            }
            for row in rows {
                removed.remove(row.item)
                changed[row.item] = row
            }
            return phase == .live
        }
    }

    /// The seconds until the delivery; nil if there is one under way, or nothing to deliver.
    mutating func schedule(_ interval: TimeInterval) -> TimeInterval? {
        guard !isScheduled, holds == 0, hasNews else { return nil }
        isScheduled = true
        guard phase == .live, let lastDelivery else { return 0 }
        let passed = DispatchTime.now().uptimeNanoseconds - lastDelivery.uptimeNanoseconds
        return max(0, interval - Double(passed) / 1_000_000_000)
    }

    private var hasNews: Bool {
        switch phase {
        case .gathering: awaited.isEmpty
        case .live: !changed.isEmpty || !removed.isEmpty
        case .idle, .stopped: false
        }
    }

    /// Makes what came visible; nil if there is nothing to tell.
    mutating func deliver() -> Delivery? {
        isScheduled = false
        guard let conditions, holds == 0, hasNews else { return nil }
        if phase == .gathering {
            results.gather(listed, conditions)
            listed = []
            phase = .live
            return .gathered
        }
        let changes = results.apply(changed: changed, removed: removed, conditions)
        (changed, removed) = ([:], [])
        guard !changes.isEmpty else { return nil }
        lastDelivery = .now()
        return .changes(changes)
    }
}
