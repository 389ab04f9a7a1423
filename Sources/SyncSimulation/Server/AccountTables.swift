import SyncCore

/// An account's rows as the server's rules read them, with the transaction under way.
struct AccountTables: SnapshotReader {
    typealias Failure = Never

    private(set) var log: [LogEntry] = []
    private(set) var items: [ItemID: ItemState] = [:]
    private(set) var aliases: [ItemID: ItemID] = [:]
    private(set) var versions: [VersionID: Version] = [:]
    private var records: [VersionID: VersionRecord] = [:]
    private(set) var registers: [RegisterKey: RegisterState] = [:]
    /// Values by write, current or not.
    private(set) var writes: [WriteID: [UInt8]?] = [:]
    private var incarnations: [Incarnation: IncarnationRecord] = [:]
    private var answers: [AnswerKey: StoredAnswer] = [:]
    /// Chunks are durable by themselves, before any operation names them.
    var chunks: [ChunkID: StoredChunk] = [:]
    /// What is not current: by which entry it was replaced.
    private(set) var replacements: [VersionID: UInt64] = [:]
    private(set) var writeReplacements: [WriteID: UInt64] = [:]
    private(set) var collected: Set<VersionID> = []
    private(set) var collectedWrites: Set<WriteID> = []
    /// The log's number at each collection.
    private(set) var collections: [(collection: UInt64, number: UInt64)] = []
    /// What each device has said.
    var reports: [DeviceReport] = []
    /// Chunks whose bytes were removed: for checkers alone.
    private(set) var archive: [ChunkID: [UInt8]] = [:]
    /// Contents that went with a history that a backup did not have: for checkers alone.
    var lost: [VersionID: [UInt8]] = [:]
    /// Items that left their places in a history that a backup did not have: for checkers alone.
    var returned: Set<ItemID> = []
    let mutant: Mutant?

    init(mutant: Mutant? = nil) { self.mutant = mutant }

    struct StoredChunk {
        var bytes: [UInt8]
        var uses = 0
        /// The collection since which nothing uses it.
        var since: UInt64
        var isMarked = false
    }

    /// Collections made.
    var collection: UInt64 { collections.last?.collection ?? 0 }

    private struct AnswerKey: Hashable {
        let incarnation: Incarnation
        let number: UInt64
    }

    mutating func apply(_ change: AccountChange) {
        switch change {
        case .entry(let entry): log.append(entry)
        case .item(let state): items[state.id] = state
        case .alias(let item, let holder): aliases[item] = holder
        case .version(let version, let record):
            versions[version.id] = version
            records[version.id] = record
            use(version.content, 1)
        case .register(let state):
            registers[state.register] = state
            writes[state.write] = .some(state.value)
        case .pastWrite(let write, let number):
            writes[write.id] = .some(write.value)
            writeReplacements[write.id] = number
        case .replaced(let version, let number): replacements[version] = number
        case .writeReplaced(let write, let number): writeReplacements[write] = number
        case .collection(let collection, let number):
            precondition(collection > self.collection, "collections go on")
            collections.append((collection, number))
        case .collected(let version): collect(version)
        case .valueCollected(let write):
            collectedWrites.insert(write)
        case .chunkMarked(let chunk): chunks[chunk]?.isMarked = true
        case .answer(let incarnation, let device, let number, let answer):
            answers[AnswerKey(incarnation: incarnation, number: number)] = answer
            incarnations[incarnation] = IncarnationRecord(device: device, last: number)
        }
    }

    private mutating func use(_ content: StoredContent, _ count: Int) {
        guard case .chunks(let list) = content else { return }
        let collection = collection
        for chunk in list {
            chunks[chunk.id]?.uses += count
            if count < 0 { chunks[chunk.id]?.since = collection }
        }
    }

    private mutating func collect(_ id: VersionID) {
        guard let version = versions[id], collected.insert(id).inserted else { return }
        use(version.content, -1)
        guard mutant == .tombstonesDroppedEarly else { return }
        if let item = records[id]?.item, items[item]?.standing == .trashed { items[item] = nil }
        records[id] = nil
    }

    /// Removes the bytes of what is marked; gives how many went.
    mutating func removeMarkedChunks() -> Int {
        guard chunks.values.contains(where: { $0.isMarked }) else { return 0 }
        let marked = chunks.filter { $0.value.isMarked }
        for (id, chunk) in marked {
            archive[id] = chunk.bytes
            chunks[id] = nil
        }
        return marked.count
    }

    /// Whoever brings a chunk has it stored anew.
    mutating func keep(_ bytes: [UInt8], as id: ChunkID) {
        let collection = collection
        if chunks[id] != nil {
            chunks[id]?.isMarked = false
            chunks[id]?.since = collection
        } else {
            chunks[id] = StoredChunk(bytes: bytes, since: collection)
        }
    }

    func position() -> Position { log.last?.position ?? .start }

    func digest(at number: UInt64) -> Digest? {
        guard number > 0 else { return .zero }
        return number <= UInt64(log.count) ? log[Int(number) - 1].position.digest : nil
    }

    func states() -> [ItemState] { Array(items.values) }
    func allAliases() -> [ItemAlias] { aliases.map { ItemAlias(item: $0.key, holder: $0.value) } }
    func allRegisters() -> [RegisterState] { Array(registers.values) }
    func item(_ id: ItemID) -> ItemState? { items[id] }
    func alias(_ id: ItemID) -> ItemID? { aliases[id] }

    func holder(of tag: Tag, in folder: ItemID) -> ItemID? {
        children(of: folder).first { items[$0]?.placement.tag == tag }
    }

    func children(of folder: ItemID) -> [ItemID] {
        var children: [ItemID] = []
        for (id, state) in items where state.standing == .placed {
            if state.placement.folder == folder { children.append(id) }
        }
        return children.sorted()
    }

    func trashed(in folder: ItemID) -> [ItemID] {
        items.values.filter { $0.standing == .trashed && $0.placement.folder == folder }
            .map { $0.id }.sorted()
    }

    func version(_ id: VersionID) -> VersionRecord? { records[id] }
    func incarnation(_ id: Incarnation) -> IncarnationRecord? { incarnations[id] }

    func answer(_ incarnation: Incarnation, _ number: UInt64) -> StoredAnswer? {
        answers[AnswerKey(incarnation: incarnation, number: number)]
    }

    func register(_ key: RegisterKey) -> RegisterState? { registers[key] }
    func hasWrite(_ id: WriteID) -> Bool { writes[id] != nil }
    func hasChunk(_ id: ChunkID) -> Bool {
        guard let chunk = chunks[id] else { return false }
        return !chunk.isMarked || mutant == .haveItWithoutReference
    }

    func usage() -> Usage {
        var usage = Usage()
        for (key, state) in registers {
            guard let value = state.value else { continue }
            usage.keys[key.store, default: 0] += 1
            usage.values[key.store, default: 0] += UInt64(value.count)
        }
        return usage
    }

    /// The versions of an item in the order of their acceptance, without inline contents.
    func history(of item: ItemID) -> [Version] {
        let own = records.filter { $0.value.item == item }
        return own.sorted { ($0.value.number, $0.key) < ($1.value.number, $1.key) }
            .compactMap { versions[$0.key]?.withoutInlineContent }
    }

    /// The bytes of a version, nil if it has none or a chunk is missing.
    func content(of id: VersionID) -> [UInt8]? {
        guard !collected.contains(id) else { return nil }
        return switch versions[id]?.content {
        case .inline(let bytes)?: bytes
        case .chunks(let references)?: joined(references.map(\.id))
        default: nil
        }
    }

    /// The bytes of chunks, nil if one is missing.
    func joined(_ ids: [ChunkID]) -> [UInt8]? {
        var bytes: [UInt8] = []
        for id in ids {
            guard let chunk = chunks[id] else { return nil }
            bytes += chunk.bytes
        }
        return bytes
    }
}

extension Version {
    fileprivate var withoutInlineContent: Version {
        guard case .inline = content else { return self }
        return Version(id: id, parents: parents, nature: nature, facts: facts, content: .none)
    }
}
