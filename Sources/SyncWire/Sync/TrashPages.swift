package import SyncCore

/// What is in the trash, gathered page after page; it bounds what a server can have a device hold.
package struct TrashPages: Sendable {
    package enum Progress: Hashable, Sendable {
        /// The next page is to be asked for.
        case more(after: ItemID)
        /// All that is there, each item once.
        case complete([TrashedItem])
        /// No trash that a server of ours would tell of.
        case refused
    }

    private var rows: [TrashedItem] = []
    private var items: Set<ItemID> = []
    private var last: ItemID?
    private var pages = 0

    package init() {}

    package mutating func take(_ page: TrashList) -> Progress {
        pages += 1
        for row in page.rows where items.insert(row.state.id).inserted { rows.append(row) }
        guard rows.count <= Self.mostRows else { return .refused }
        guard let next = page.next else { return .complete(rows) }
        // Pages come in the order of the ids, and end.
        if let last, next <= last { return .refused }
        guard pages < Self.mostPages else { return .refused }
        last = next
        return .more(after: next)
    }

    private static var mostRows: Int { 1_000_000 }
    /// Pages may be empty: of most items that were ever deleted nothing is kept.
    private static var mostPages: Int { 50_000 }
}
