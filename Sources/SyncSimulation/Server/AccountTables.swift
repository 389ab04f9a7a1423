import SyncCore

/// An account's rows as the server's rules read them, with the transaction under way.
struct AccountTables: AccountReader {
    typealias Failure = Never

    private(set) var log: [LogEntry] = []
    private(set) var items: [ItemID: ItemState] = [:]
    private var aliases: [ItemID: ItemID] = [:]
    private(set) var versions: [VersionID: Version] = [:]
    private var records: [VersionID: VersionRecord] = [:]
    private(set) var registers: [RegisterKey: RegisterState] = [:]
    /// Values by write, current or not.
    private(set) var writes: [WriteID: [UInt8]?] = [:]
    private var incarnations: [Incarnation: IncarnationRecord] = [:]
    private var answers: [AnswerKey: StoredAnswer] = [:]
    /// Chunks are durable by themselves, before any operation names them.
    var chunks: [ChunkID: [UInt8]] = [:]

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
        case .register(let state):
            registers[state.register] = state
            writes[state.write] = .some(state.value)
        case .pastWrite(let write, _): writes[write.id] = .some(write.value)
        case .answer(let incarnation, let device, let number, let answer):
            answers[AnswerKey(incarnation: incarnation, number: number)] = answer
            incarnations[incarnation] = IncarnationRecord(device: device, last: number)
        }
    }

    func position() -> Position { log.last?.position ?? .start }
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
    func hasChunk(_ id: ChunkID) -> Bool { chunks[id] != nil }

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
        switch versions[id]?.content {
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
            bytes += chunk
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
