/// The operations on their way to the server, in the order of their making.
struct Outbox: Sendable {
    private(set) var entries: [UInt64: OutboxEntry]
    private var order: [UInt64]
    /// Those that were never sent, in their order; removed ones are skipped.
    private var unsent: EntryLine
    /// Those that may have been sent and were not answered, in the order of their numbers.
    private var sent: EntryLine
    private var byItem: [ItemID: [UInt64]] = [:]
    private var byNumber: [UInt64: UInt64] = [:]
    private var byAcceptance: [UInt64: [UInt64]] = [:]

    init(_ entries: [UInt64: OutboxEntry]) {
        self.entries = entries
        order = entries.keys.sorted()
        unsent = EntryLine(order.filter { entries[$0]?.number == nil })
        sent = EntryLine(
            order.filter { entries[$0]?.number != nil && entries[$0]?.accepted == nil }
                .sorted { (entries[$0]?.number ?? 0) < (entries[$1]?.number ?? 0) })
        for id in order {
            guard let entry = entries[id] else { continue }
            if let item = entry.body.item { byItem[item, default: []].append(id) }
            index(id, entry)
        }
    }

    private mutating func index(_ id: UInt64, _ entry: OutboxEntry) {
        if let accepted = entry.accepted {
            byAcceptance[accepted, default: []].append(id)
        } else if let number = entry.number {
            byNumber[number] = id
        }
    }

    private mutating func unindex(_ id: UInt64, _ entry: OutboxEntry) {
        if let accepted = entry.accepted { byAcceptance[accepted]?.removeAll { $0 == id } }
        if let number = entry.number, byNumber[number] == id { byNumber[number] = nil }
    }

    /// The entry under a number of the incarnation, not answered yet.
    func id(number: UInt64) -> UInt64? { byNumber[number] }

    /// The entries that the log holds at a number.
    func ids(accepted number: UInt64) -> [UInt64] { byAcceptance[number] ?? [] }

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    subscript(id: UInt64) -> OutboxEntry? { entries[id] }

    mutating func append(_ entry: OutboxEntry, id: UInt64) {
        precondition(id > order.last ?? 0, "entries are made in the order of their numbers")
        entries[id] = entry
        order.append(id)
        unsent.append(id)
        if let item = entry.body.item { byItem[item, default: []].append(id) }
    }

    /// An entry that goes before others that were made earlier; it was never sent.
    mutating func insert(_ entry: OutboxEntry, id: UInt64) {
        precondition(entries[id] == nil, "an entry's number is given once")
        entries[id] = entry
        order.insert(id, at: order.firstIndex { $0 > id } ?? order.count)
        unsent.insert(id)
        guard let item = entry.body.item else { return }
        let others = byItem[item] ?? []
        byItem[item, default: []].insert(id, at: others.firstIndex { $0 > id } ?? others.count)
    }

    /// Replaces an entry, and keeps the lists of what is sent and unsent.
    mutating func update(_ id: UInt64, _ entry: OutboxEntry) {
        let before = entries[id]
        if let before { unindex(id, before) }
        entries[id] = entry
        index(id, entry)
        if let before, before.body.item != entry.body.item { move(id, from: before, to: entry) }
        let wasWaiting = before?.number != nil && before?.accepted == nil
        let isWaiting = entry.number != nil && entry.accepted == nil
        if isWaiting, !wasWaiting { sent.append(id) }
        if wasWaiting, !isWaiting { sent.remove(id) }
        if before?.number == nil, entry.number != nil { unsent.remove(id) }
        if before?.number != nil, entry.number == nil {
            // It goes again, before what was made after it.
            unsent.insert(id)
        }
    }

    /// It is about another item: the one that its own was taken into.
    private mutating func move(_ id: UInt64, from before: OutboxEntry, to entry: OutboxEntry) {
        forgetItem(of: before, id)
        guard let item = entry.body.item else { return }
        let others = byItem[item] ?? []
        byItem[item, default: []].insert(id, at: others.firstIndex { $0 > id } ?? others.count)
    }

    private mutating func forgetItem(of entry: OutboxEntry, _ id: UInt64) {
        guard let item = entry.body.item else { return }
        byItem[item]?.removeAll { $0 == id }
        if byItem[item]?.isEmpty == true { byItem[item] = nil }
    }

    mutating func remove(_ id: UInt64) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        unindex(id, entry)
        if entry.number == nil { unsent.remove(id) }
        sent.remove(id)
        forgetItem(of: entry, id)
        if order.count > 2 * entries.count + 16 { order.removeAll { entries[$0] == nil } }
    }

    /// In the order of their making.
    var all: [(id: UInt64, entry: OutboxEntry)] { pairs(order) }

    /// Those that may have been sent and were not answered, in the order of their numbers.
    var unanswered: [(id: UInt64, entry: OutboxEntry)] { pairs(sent.ids) }

    /// The first of them whose numbers follow each other: where one is missing, the log has brought
    /// it meanwhile, and a request has no gap.
    var firstUnanswered: [(id: UInt64, entry: OutboxEntry)] {
        let all = unanswered
        var count = min(1, all.count)
        while count < all.count, let last = all[count - 1].entry.number,
            all[count].entry.number == last + 1
        {
            count += 1
        }
        return Array(all.prefix(count))
    }

    /// Ids of those that are so, in the order of their making.
    func ids(where isSo: (OutboxEntry) -> Bool) -> [UInt64] {
        order.filter { entries[$0].map(isSo) ?? false }
    }

    /// Whether an operation waits for the outcome of a choice.
    func rests(on choice: VersionID) -> Bool { entries.values.contains { $0.restsOn == choice } }

    /// Ids of those that were never sent, in the order of their making.
    var unsentIDs: ArraySlice<UInt64> { unsent.ids }

    /// The newest operation on an item.
    func newest(on item: ItemID) -> (id: UInt64, entry: OutboxEntry)? {
        byItem[item]?.last.flatMap { id in entries[id].map { (id, $0) } }
    }

    /// The operations on an item, in the order of their making.
    func all(on item: ItemID) -> [(id: UInt64, entry: OutboxEntry)] { pairs(byItem[item] ?? []) }

    private func pairs(_ ids: some Sequence<UInt64>) -> [(id: UInt64, entry: OutboxEntry)] {
        ids.compactMap { id in entries[id].map { (id, $0) } }
    }
}

/// A choice among heads that the server did not take, as another had come first.
struct RefusedChoice: Sendable {
    let item: ItemID
    /// The heads that it was made among.
    let parents: [VersionID]
    let at: Instant

    /// The log has had the time to say what the heads are instead.
    func isOld(_ now: Instant) -> Bool { now.milliseconds(since: at) >= 60_000 }
}

extension Operation.Body {
    /// The item that it is about; nil for a key-value.
    package var item: ItemID? {
        switch self {
        case .create(let item, _, _, _): item
        case .edit(let item, _): item
        case .move(let item, _): item
        case .removeFolder(let removal): removal.folder
        case .restoreFolder(let restoration): restoration.folder
        case .write: nil
        }
    }

    /// The version that it brings.
    package var version: Version? {
        switch self {
        case .create(_, _, _, let version): version
        case .edit(_, let version): version
        case .removeFolder(let removal): removal.version
        case .restoreFolder(let restoration): restoration.version
        case .move, .write: nil
        }
    }

    /// Whether somebody's typing goes with it.
    var bringsContent: Bool {
        switch self {
        case .create(_, _, _, let version), .edit(_, let version): version.nature == .edit
        case .move, .removeFolder, .restoreFolder, .write: false
        }
    }

    /// What it adds to a request, in bytes, and the content that goes ahead of it in chunks.
    var weight: UInt64 {
        switch self {
        case .create(_, _, _, let version), .edit(_, let version): version.content.storedSize
        case .removeFolder(let removal): UInt64(removal.beyond.count) * 16
        case .restoreFolder(let restoration): UInt64(restoration.swept.count) * 16
        case .write(let write): UInt64(write.value?.count ?? 0)
        case .move: 0
        }
    }

    /// The chunks that must be at the server before it is sent.
    var chunks: [ChunkReference] {
        guard case .chunks(let chunks)? = version?.content else { return [] }
        return chunks
    }
}
