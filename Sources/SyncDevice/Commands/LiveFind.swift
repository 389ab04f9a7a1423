import DeviceSocket
import SyncCore
import SyncWire
import Synchronization

/// What `find --live` prints: first what there is, then a line for each change.
final class LiveFind: Sendable {
    private let search: FoundSearch
    private let isJSON: Bool
    private let state = Mutex(State())

    private struct State {
        /// What has come of the listing.
        var listing: [ItemRow] = []
        /// What was printed last of each item.
        var shown: [ItemID: ItemRow] = [:]
    }

    private enum Change: String {
        case found
        case added
        case changed
        case removed
    }

    init(_ search: FoundSearch, isJSON: Bool) {
        self.search = search
        self.isJSON = isJSON
    }

    /// Goes on until the device or the output ends, and says why.
    func run(_ client: DeviceClient) throws(CommandFailure) -> CommandFailure {
        try CommandWatch(name: "find", client: client).run([
            (
                .find(search.search),
                { @Sendable (update) throws(CommandFailure) in try self.take(update) }
            )
        ])
    }

    private func take(_ update: DeviceUpdate) throws(CommandFailure) {
        switch update {
        case .part(.items(let rows)): state.withLock { $0.listing += rows }
        case .reply(.found(let found)): try list(found)
        case .event(.found(let changes)): try take(changes)
        case .part, .reply, .event, .end: break
        }
    }

    private func list(_ found: FoundItems) throws(CommandFailure) {
        let listing = state.withLock { state in
            defer { state.listing = [] }
            return state.listing
        }
        for row in search.matching(listing + found.rows) { try show(.found, row) }
        guard isJSON else { return }
        try CommandOutput.say(
            .object([("change", .text("listed")), ("visited", .integer(found.visited))]))
    }

    private func take(_ changes: FoundChanges) throws(CommandFailure) {
        for item in changes.removed { try leave(item.item) }
        for row in changes.left { try leave(row.item) }
        for row in search.matching(changes.added + changes.changed) {
            let before = state.withLock { $0.shown[row.item] }
            if let before, before.path == row.path {
                if isJSON || !before.hasContent(of: row) { try show(.changed, row) }
            } else {
                // With another name it is another line.
                if before != nil { try leave(row.item) }
                try show(.added, row)
            }
        }
        // What of these does not match any more, the daemon could not tell.
        for row in changes.changed where !search.matches(row) { try leave(row.item) }
    }

    private func show(_ change: Change, _ row: ItemRow) throws(CommandFailure) {
        state.withLock { $0.shown[row.item] = row }
        let home = search.home
        if isJSON {
            try CommandOutput.say(.change(change.rawValue, row, in: home))
        } else {
            let word = change == .found ? "" : "\(change.rawValue)\t"
            try CommandOutput.say(word, name: home.absolute(row.path))
        }
    }

    private func leave(_ item: ItemID) throws(CommandFailure) {
        guard let row = state.withLock({ $0.shown.removeValue(forKey: item) }) else { return }
        let absolute = search.home.absolute(row.path)
        if isJSON {
            try CommandOutput.say(
                .object(
                    [("change", .text(Change.removed.rawValue))] + JSONValue.path(absolute)
                        + [("item", .text(item.text))]))
        } else {
            try CommandOutput.say("\(Change.removed.rawValue)\t", name: absolute)
        }
    }
}

extension ItemRow {
    /// A line that has only the path does not tell how far an upload is.
    fileprivate func hasContent(of other: ItemRow) -> Bool {
        version == other.version && size == other.size && modified == other.modified
            && hasConflicts == other.hasConflicts
    }
}

extension JSONValue {
    static func found(_ found: FoundItems, in home: CommandHome) -> JSONValue {
        .object([
            ("items", .list(found.rows.map { item($0, in: home) })),
            ("visited", .integer(found.visited)),
        ])
    }

    fileprivate static func change(
        _ change: String, _ row: ItemRow, in home: CommandHome
    ) -> JSONValue {
        guard case .object(let members) = item(row, in: home) else { return .null }
        return .object([("change", .text(change))] + members)
    }
}
