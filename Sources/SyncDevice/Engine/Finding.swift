import SyncCore
import SyncWire

/// A search under way: its items are looked at some at a time, so that the loop never stands still.
struct Finding {
    let caller: Daemon.Caller
    let search: ItemSearch
    let condition: ItemCondition
    /// The session that it began in.
    let session: ObjectIdentifier
    /// What is still to be looked at; nil once everything was.
    private(set) var candidates: ArraySlice<ItemID>?
    private(set) var visited: UInt64 = 0
    /// What the program knows.
    private var told: [ItemID: ItemRow] = [:]
    /// What changed before everything was looked at.
    private var postponed: Set<ItemID> = []

    /// Nil if the text is not what the daemon decides.
    init?(_ search: ItemSearch, _ caller: Daemon.Caller, _ session: Session) {
        guard search.condition.count <= ItemSearch.mostBytes,
            let predicate = try? PredicateParser.parse(format: search.condition),
            let condition = ItemCondition(predicate)
        else { return nil }
        self.caller = caller
        self.search = search
        self.condition = condition
        self.session = ObjectIdentifier(session)
        session.queries.prepare(session.replica)
        let index = session.queries.index
        candidates = (index?.candidates(predicate.indexConstraints) ?? index?.ids ?? [])[...]
    }

    /// Looks at the next items and gives the rows of those that are found.
    mutating func visit(_ count: Int, _ session: Session) -> [ItemRow] {
        guard let next = candidates?.prefix(count) else { return [] }
        candidates = candidates?.dropFirst(count)
        if candidates?.isEmpty == true { candidates = nil }
        var rows: [ItemRow] = []
        for id in next {
            visited += 1
            guard let row = session.listedRow(id), matches(row) else { continue }
            rows.append(row)
            if search.isLive { told[row.item] = row }
        }
        return rows
    }

    /// What the program is to be told of changed items.
    mutating func take(_ changed: [ItemID], _ session: Session) -> FoundChanges {
        guard search.isLive else { return FoundChanges() }
        guard candidates == nil else {
            postponed.formUnion(changed)
            return FoundChanges()
        }
        var changes = FoundChanges()
        let all = postponed.isEmpty ? changed : postponed.union(changed).sorted()
        postponed = []
        for id in all { take(id, session, &changes) }
        return changes
    }

    private mutating func take(_ id: ItemID, _ session: Session, _ changes: inout FoundChanges) {
        guard let row = session.listedRow(id) else {
            if let before = told.removeValue(forKey: id) {
                changes.removed.append(RemovedItem(item: id, path: before.path))
            }
            return
        }
        let before = told[row.item]
        let isMatch = matches(row)
        told[row.item] = isMatch ? row : nil
        switch (before, isMatch) {
        case (let before?, true): if before != row { changes.changed.append(row) }
        case (.some, false): changes.left.append(row)
        case (nil, true): changes.added.append(row)
        case (nil, false): break
        }
    }

    private func matches(_ row: ItemRow) -> Bool {
        row.path != search.path && row.path.isUnder(search.path)
            && condition.mayHold(for: row.queried(in: search.containers))
    }
}
