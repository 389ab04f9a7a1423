package import SyncCore
package import SyncWire

extension SQLiteAccountStore {
    package func entries(
        after number: UInt64, limit: Int, to device: DeviceID?
    ) throws(StoreError) -> [LogEntry] {
        var entries: [LogEntry] = []
        var size = 0
        // A device may name any number; the log has none above 2^63.
        let values: [SQLiteValue] = [try key(), .integer(Int64(clamping: number))]
        try connection.each(AccountSQL.entries, values) { row throws(StoreError) in
            let (entry, count) = try entry(row, to: device)
            guard entries.isEmpty || size + count <= limit else { return false }
            size += count
            entries.append(entry)
            return size < limit
        }
        return entries
    }

    package func digest(at number: UInt64) throws(StoreError) -> Digest? {
        guard number > 0 else { return .zero }
        let values: [SQLiteValue] = [try key(), .number(number)]
        return try connection.one(AccountSQL.digest, values) { row throws(StoreError) in
            try row.digest(0)
        }
    }

    package func states() throws(StoreError) -> [ItemState] {
        try connection.all(AccountSQL.items, [key()]) { row throws(StoreError) in
            try ItemState(stored: row.blob(0))
        }
    }

    package func allAliases() throws(StoreError) -> [ItemAlias] {
        try connection.all(AccountSQL.aliases, [key()]) { row throws(StoreError) in
            ItemAlias(item: try row.id(0), holder: try row.id(1))
        }
    }

    package func allRegisters() throws(StoreError) -> [RegisterState] {
        try connection.all(AccountSQL.registers, [key()]) { row throws(StoreError) in
            try row.register()
        }
    }

    package func storedVersion(_ id: VersionID) throws(StoreError) -> VersionMessage? {
        try connection.one(AccountSQL.storedVersion, [key(), .id(id)]) { row throws(StoreError) in
            try row.versionMessage()
        }
    }

    package func versions(of item: ItemID) throws(StoreError) -> [VersionMessage] {
        try connection.all(AccountSQL.versionsOfItem, [key(), .id(item)]) {
            row throws(StoreError) in
            try row.versionMessage()
        }
    }

    /// An entry with what its effects name, and about how many bytes that is.
    private func entry(
        _ row: SQLiteRow, to device: DeviceID?
    ) throws(StoreError) -> (LogEntry, Int) {
        let author: DeviceID = try row.id(2)
        let bytes = row.blob(6)
        let stored = try StoredEffects(stored: bytes)
        var size = bytes.count + entryOverhead
        var effects: [Effect] = []
        for effect in stored.effects {
            let whole = try join(effect, withContent: author != device)
            size += whole.contentSize
            effects.append(whole)
        }
        let entry = LogEntry(
            position: Position(number: row.number(0), digest: try row.digest(1)), author: author,
            incarnation: Incarnation(row.number(3)), operation: row.number(4),
            moment: row.moment(5), effects: effects)
        return (entry, size)
    }

    private func join(
        _ effect: StoredEffects.Stored, withContent: Bool
    ) throws(StoreError) -> Effect {
        switch effect {
        case .whole(let effect): return effect
        case .introduction(.item(let state, _), let id):
            return .item(state, introducing: try version(id, withContent: withContent))
        case .introduction: throw .corrupt("an entry introduces a version without an item")
        case .write(let id): return .register(try state(of: id))
        }
    }

    private func version(_ id: VersionID, withContent: Bool) throws(StoreError) -> Version {
        let values: [SQLiteValue] = [try key(), .id(id), .integer(withContent ? 1 : 0)]
        let found = try connection.one(AccountSQL.version, values) { row throws(StoreError) in
            try row.version()
        }
        guard let found else { throw .corrupt("version \(id.text) of the log is not there") }
        return found
    }

    private func state(of write: WriteID) throws(StoreError) -> RegisterState {
        let values: [SQLiteValue] = [try key(), .id(write)]
        let found = try connection.one(AccountSQL.write, values) { row throws(StoreError) in
            try row.register()
        }
        guard let found else { throw .corrupt("write \(write.text) of the log is not there") }
        return found
    }
}

/// About what an entry takes beside its effects.
let entryOverhead = 96

extension Effect {
    /// About the bytes of what is stored beside an entry's own row.
    var contentSize: Int {
        switch self {
        case .item(_, let version?):
            version.facts.count + version.parents.count * 16 + Int(version.content.messageSize)
        case .register(let state): state.name.count + (state.value?.count ?? 0)
        case .item, .alias, .folderRemoved: 0
        }
    }
}

extension StoredContent {
    fileprivate var messageSize: Int {
        switch self {
        case .none: 0
        case .inline(let bytes): bytes.count
        case .chunks(let chunks): chunks.count * 36
        }
    }
}
