package import SyncCore

/// One account in memory, which knows what a crash would leave.
package final class MemoryAccountStore: AccountStore {
    /// What the account holds now, with what the open transaction wrote.
    var image: AccountImage
    /// How to take back what the open transaction wrote, newest last; nil outside of one.
    private var undo: [(inout AccountImage) -> Void]?
    /// Thrown by every commit while it is set; the transaction is rolled back then.
    package var fault: StoreError?
    /// Collections made by the server that it is taken to be part of.
    package var collection: UInt64 = 0
    /// What the account's devices have said.
    package var installed: [DeviceReport] = []

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
        for step in (undo ?? []).reversed() { step(&image) }
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
        case .pastWrite(let write, let number):
            put(\.writes, write.id, write.value ?? [])
            if write.value != nil { put(\.replacedWrites, write.id, number) }
        case .answer(let incarnation, let device, let number, let answer):
            put(\.answers, AnswerKey(incarnation: incarnation, number: number), answer)
            put(\.incarnations, incarnation, IncarnationRecord(device: device, last: number))
        case .replaced(let version, let number): put(\.replaced, version, number)
        case .writeReplaced(let write, let number):
            if image.writes[write]?.isEmpty == false { put(\.replacedWrites, write, number) }
        case .collection(let collection, let number): put(\.collections, collection, number)
        case .collected(let version): collect(version)
        case .valueCollected(let write):
            put(\.writes, write, [])
            put(\.replacedWrites, write, nil)
        case .chunkMarked(let chunk): put(\.chunks, chunk, nil)
        }
    }

    private func collect(_ id: VersionID) {
        guard let stored = image.versions[id], stored.version.hasContent,
            !image.collectedVersions.contains(id)
        else { return }
        let version = stored.version
        if case .chunks(let chunks) = version.content { use(chunks, -1) }
        put(
            \.versions, id,
            StoredVersion(version: version.withoutContent, record: stored.record))
        image.collectedVersions.insert(id)
        undo?.append { $0.collectedVersions.remove(id) }
        var usage = image.usage
        usage.stored -= version.content.storedSize
        set(usage)
    }

    private func use(_ chunks: [ChunkReference], _ count: Int) {
        for chunk in chunks {
            put(\.uses, chunk.id, (image.uses[chunk.id] ?? 0) + count)
            if count < 0 { put(\.unusedSince, chunk.id, collection) }
        }
    }

    private func add(_ entry: LogEntry) {
        image.entries.append(entry)
        undo?.append { $0.entries.removeLast() }
    }

    private func set(_ state: ItemState) {
        if let old = image.items[state.id] { displace(old) }
        put(\.items, state.id, state)
        guard state.standing == .placed else { return }
        image.place(state)
        undo?.append { $0.displace(state) }
    }

    private func displace(_ state: ItemState) {
        guard state.standing == .placed else { return }
        image.displace(state)
        undo?.append { $0.place(state) }
    }

    private func add(_ version: Version, _ record: VersionRecord) {
        put(\.versions, version.id, StoredVersion(version: version, record: record))
        image.versionsOfItem[record.item, default: []].append(version.id)
        undo?.append { $0.versionsOfItem[record.item]?.removeLast() }
        if case .chunks(let chunks) = version.content { use(chunks, 1) }
        guard version.hasContent else { return }
        var usage = image.usage
        usage.stored += version.content.storedSize
        set(usage)
    }

    private func set(_ state: RegisterState) {
        let old = image.registers[state.register]
        put(\.registers, state.register, state)
        put(\.writes, state.write, state.value ?? [])
        var usage = image.usage
        usage.replace(old, by: state)
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
        put(\.unusedSince, id, collection)
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
