package import SyncCore
internal import SyncWire

extension SQLiteAccountStore {
    package func apply(_ changes: [AccountChange]) throws(StoreError) {
        try connection.requireTransaction()
        guard !changes.isEmpty else { return }
        try requireAccount()
        var tally = Tally()
        for change in changes { try apply(change, &tally) }
        try write(tally)
    }

    private func requireAccount() throws(StoreError) {
        guard try key() == SQLiteAccountStore.nobody else { return }
        throw .corrupt("account \(id.text) is not there any more")
    }

    private func apply(_ change: AccountChange, _ tally: inout Tally) throws(StoreError) {
        switch change {
        case .entry(let entry): try add(entry)
        case .item(let state): try set(state)
        case .alias(let item, let holder):
            try connection.run(AccountSQL.setAlias, key(), .id(item), .id(holder))
        case .version(let version, let record):
            try add(version, record)
            tally.count(version)
        case .register(let state): try set(state, &tally)
        case .pastWrite(let write, let number):
            try connection.run(
                AccountSQL.addWrite, key(), .id(write.id), .id(write.register.store),
                .id(write.register.key), .blob(write.name), .blob(write.value), .null,
                .number(number))
            try connection.run(
                CollectionSQL.setWriteReplaced, key(), .id(write.id), .number(number))
        case .answer(let incarnation, let device, let number, let answer):
            try connection.run(
                AccountSQL.addAnswer, key(), .number(incarnation.value), .number(number),
                .digest(answer.hash), .blob(answer.outcome.encoded()))
            tally.last[incarnation] = IncarnationRecord(device: device, last: number)
        case .replaced, .writeReplaced, .collection, .collected, .valueCollected, .chunkMarked:
            try age(change)
        }
    }

    private func add(_ entry: LogEntry) throws(StoreError) {
        try connection.run(
            AccountSQL.addEntry, key(), .number(entry.position.number),
            .digest(entry.position.digest), .id(entry.author), .number(entry.incarnation.value),
            .number(entry.operation), .moment(entry.moment),
            .blob(StoredEffects(entry.effects).encoded()))
    }

    private func set(_ state: ItemState) throws(StoreError) {
        let isPlaced = state.standing == .placed
        let folder = SQLiteValue.id(state.placement.folder)
        let tag: SQLiteValue = isPlaced ? .id(state.placement.tag) : .null
        let blob = SQLiteValue.blob(state.encoded())
        let changed = try connection.run(
            AccountSQL.changeItem, key(), .id(state.id), folder, tag, blob)
        guard changed == 0 else { return }
        try connection.run(AccountSQL.setItem, key(), .id(state.id), folder, tag, blob)
    }

    private func add(_ version: Version, _ record: VersionRecord) throws(StoreError) {
        let content = version.content.columns
        try connection.run(
            AccountSQL.addVersion, key(), .id(version.id), .id(record.item),
            .number(record.number), .integer(Int64(record.nature.rawValue)),
            .blob(record.parents.joined), .blob(version.facts), .integer(content.form.rawValue),
            content.blob)
        try use(version.content)
    }

    private func set(_ state: RegisterState, _ tally: inout Tally) throws(StoreError) {
        tally.count(state, replacing: try register(state.register))
        let (store, name) = (state.register.store, state.register.key)
        try connection.run(
            AccountSQL.addWrite, key(), .id(state.write), .id(store), .id(name),
            .blob(state.name), .blob(state.value), .moment(state.stamp), .null)
        try connection.run(
            AccountSQL.setRegister, key(), .id(store), .id(name), .id(state.write))
    }

    private func write(_ tally: Tally) throws(StoreError) {
        for (incarnation, record) in tally.last {
            try connection.run(
                AccountSQL.setIncarnation, key(), .number(incarnation.value), .id(record.device),
                .number(record.last))
        }
        if tally.versions != 0 {
            try connection.run(
                AccountSQL.addToSum, key(), .blob([]), .integer(tally.versions),
                .integer(tally.stored))
        }
        for (store, sum) in tally.stores {
            try connection.run(
                AccountSQL.addToSum, key(), .id(store), .integer(sum.keys), .integer(sum.bytes))
        }
    }

    package func addChunk(_ id: ChunkID, size: UInt32) throws(StoreError) {
        try connection.requireTransaction()
        try requireAccount()
        try connection.run(AccountSQL.addChunk, key(), .digest(id), .integer(Int64(size)))
    }

    package func markChunk(_ id: ChunkID) throws(StoreError) {
        try connection.requireTransaction()
        try connection.run(AccountSQL.markChunk, key(), .digest(id))
    }
}

/// What many changes add up to, so that it is written once.
struct Tally {
    var last: [Incarnation: IncarnationRecord] = [:]
    /// Versions with content, and their stored bytes.
    private(set) var versions: Int64 = 0
    private(set) var stored: Int64 = 0
    private(set) var stores: [Tag: (keys: Int64, bytes: Int64)] = [:]

    mutating func count(_ version: Version) {
        guard version.hasContent else { return }
        versions += 1
        stored += Int64(clamping: version.content.storedSize)
    }

    mutating func count(_ state: RegisterState, replacing old: RegisterState?) {
        let keys = (state.value == nil ? 0 : 1) - (old?.value == nil ? 0 : 1)
        let bytes = (state.value?.count ?? 0) - (old?.value?.count ?? 0)
        guard keys != 0 || bytes != 0 else { return }
        let sum = stores[state.register.store] ?? (0, 0)
        stores[state.register.store] = (sum.keys + Int64(keys), sum.bytes + Int64(bytes))
    }
}
