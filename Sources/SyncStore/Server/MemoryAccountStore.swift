package import SyncCore
package import SyncWire

/// One account in memory, which knows what a crash would leave.
package final class MemoryAccountStore: AccountStore {
    /// What the account holds now, with what the open transaction wrote.
    private var image: AccountImage
    /// How to take back what the open transaction wrote, newest last; nil outside of one.
    private var undo: [(inout AccountImage) -> Void]?
    /// Thrown by every commit while it is set; the transaction is rolled back then.
    package var fault: StoreError?

    package init(_ image: AccountImage = AccountImage()) { self.image = image }

    /// What is durable: a copy for a backup, or for a check of what the account holds.
    package var committed: AccountImage {
        var image = image
        for step in (undo ?? []).reversed() { step(&image) }
        return image
    }

    /// The process died: what was not committed is gone.
    package func crash() { rollback() }

    // MARK: Transactions

    package func begin() throws(StoreError) {
        precondition(undo == nil, "a transaction was begun within another")
        undo = []
    }

    package func commit() throws(StoreError) {
        precondition(undo != nil, "a commit without a transaction")
        if let fault {
            rollback()
            throw fault
        }
        undo = nil
    }

    package func rollback() {
        image = committed
        undo = nil
    }

    // MARK: Writing

    package func apply(_ changes: [AccountChange]) throws(StoreError) {
        precondition(undo != nil, "changes are applied within a transaction")
        for change in changes { apply(change) }
    }

    private func apply(_ change: AccountChange) {
        switch change {
        case .entry(let entry): add(entry)
        case .item(let state): set(state)
        case .alias(let item, let holder): put(\.aliases, item, holder)
        case .version(let version, let record): add(version, record)
        case .register(let state): set(state)
        case .pastWrite(let write, _): put(\.writes, write.id, write.value ?? [])
        case .answer(let incarnation, let device, let number, let answer):
            put(\.answers, AnswerKey(incarnation: incarnation, number: number), answer)
            put(\.incarnations, incarnation, IncarnationRecord(device: device, last: number))
        }
    }

    private func add(_ entry: LogEntry) {
        image.entries.append(entry)
        undo?.append { $0.entries.removeLast() }
    }

    private func set(_ state: ItemState) {
        if let old = image.items[state.id], old.standing == .placed { displace(old) }
        put(\.items, state.id, state)
        guard state.standing == .placed else { return }
        let (folder, tag) = (state.placement.folder, state.placement.tag)
        var names = image.placed[folder] ?? [:]
        names[tag, default: []].insert(state.id)
        put(\.placed, folder, names)
    }

    private func displace(_ state: ItemState) {
        let (folder, tag) = (state.placement.folder, state.placement.tag)
        var names = image.placed[folder] ?? [:]
        names[tag]?.remove(state.id)
        if names[tag]?.isEmpty == true { names[tag] = nil }
        put(\.placed, folder, names.isEmpty ? nil : names)
    }

    private func add(_ version: Version, _ record: VersionRecord) {
        put(\.versions, version.id, StoredVersion(version: version, record: record))
        put(\.versionsOfItem, record.item, (image.versionsOfItem[record.item] ?? []) + [version.id])
        guard version.hasContent else { return }
        var usage = image.usage
        usage.stored += version.content.storedSize
        set(usage)
    }

    private func set(_ state: RegisterState) {
        let old = image.registers[state.register]
        put(\.registers, state.register, state)
        put(\.writes, state.write, state.value ?? [])
        let store = state.register.store
        var usage = image.usage
        usage.keys[store, default: 0] += state.value == nil ? 0 : 1
        usage.keys[store, default: 0] -= old?.value == nil ? 0 : 1
        usage.values[store, default: 0] += UInt64(state.value?.count ?? 0)
        usage.values[store, default: 0] -= UInt64(old?.value?.count ?? 0)
        set(usage)
    }

    private func set(_ usage: Usage) {
        let old = image.usage
        image.usage = usage
        undo?.append { $0.usage = old }
    }

    package func addChunk(_ id: ChunkID, size: UInt32) throws(StoreError) {
        precondition(undo != nil, "chunks are added within a transaction")
        put(\.chunks, id, size)
    }

    package func markChunk(_ id: ChunkID) throws(StoreError) {
        precondition(undo != nil, "chunks are marked within a transaction")
        put(\.chunks, id, nil)
    }

    private func put<Key, Value>(
        _ table: WritableKeyPath<AccountImage, [Key: Value]>, _ key: Key, _ value: Value?
    ) {
        let old = image[keyPath: table][key]
        image[keyPath: table][key] = value
        undo?.append { $0[keyPath: table][key] = old }
    }
}

// MARK: - What the rules read

extension MemoryAccountStore {
    package func position() throws(StoreError) -> Position {
        image.entries.last?.position ?? .start
    }

    package func item(_ id: ItemID) throws(StoreError) -> ItemState? { image.items[id] }
    package func alias(_ id: ItemID) throws(StoreError) -> ItemID? { image.aliases[id] }

    package func holder(of tag: Tag, in folder: ItemID) throws(StoreError) -> ItemID? {
        image.placed[folder]?[tag]?.min()
    }

    package func children(of folder: ItemID) throws(StoreError) -> [ItemID] {
        (image.placed[folder] ?? [:]).values.flatMap { $0 }
    }

    package func version(_ id: VersionID) throws(StoreError) -> VersionRecord? {
        image.versions[id]?.record
    }

    package func incarnation(_ id: Incarnation) throws(StoreError) -> IncarnationRecord? {
        image.incarnations[id]
    }

    package func answer(
        _ incarnation: Incarnation, _ number: UInt64
    ) throws(StoreError) -> StoredAnswer? {
        image.answers[AnswerKey(incarnation: incarnation, number: number)]
    }

    package func register(_ key: RegisterKey) throws(StoreError) -> RegisterState? {
        image.registers[key]
    }

    package func hasWrite(_ id: WriteID) throws(StoreError) -> Bool { image.writes[id] != nil }
    package func usage() throws(StoreError) -> Usage { image.usage }
    package func hasChunk(_ id: ChunkID) throws(StoreError) -> Bool { image.chunks[id] != nil }
}

// MARK: - Serving

extension MemoryAccountStore {
    package func entries(
        after number: UInt64, limit: Int, to device: DeviceID?
    ) throws(StoreError) -> [LogEntry] {
        var entries: [LogEntry] = []
        var size = 0
        for entry in image.entries.dropFirst(Int(clamping: number)) {
            let entry = entry.author == device ? entry.withoutInlineContent : entry
            size += entry.size
            guard entries.isEmpty || size <= limit else { break }
            entries.append(entry)
        }
        return entries
    }

    package func digest(at number: UInt64) throws(StoreError) -> Digest? {
        guard number > 0 else { return .zero }
        guard number <= UInt64(image.entries.count) else { return nil }
        return image.entries[Int(number) - 1].position.digest
    }

    package func storedVersion(_ id: VersionID) throws(StoreError) -> VersionMessage? {
        image.versions[id].flatMap { message($0.version, $0.record) }
    }

    package func versions(of item: ItemID) throws(StoreError) -> [VersionMessage] {
        (image.versionsOfItem[item] ?? []).compactMap { id in
            image.versions[id].flatMap { message($0.version.withoutInlineContent, $0.record) }
        }
    }

    private func message(_ version: Version, _ record: VersionRecord) -> VersionMessage? {
        guard record.number > 0, record.number <= UInt64(image.entries.count) else { return nil }
        let entry = image.entries[Int(record.number) - 1]
        return VersionMessage(
            version: version, item: record.item, number: record.number, author: entry.author,
            moment: entry.moment)
    }
}
