package import SyncCore

/// All that an account holds, as a value; copies stand for backups.
package struct AccountImage: Sendable {
    /// Entry number n is at n - 1.
    package internal(set) var entries: [LogEntry] = []
    package internal(set) var items: [ItemID: ItemState] = [:]
    package internal(set) var aliases: [ItemID: ItemID] = [:]
    package internal(set) var registers: [RegisterKey: RegisterState] = [:]
    package internal(set) var chunks: [ChunkID: UInt32] = [:]
    package internal(set) var usage = Usage()

    /// The placed items by folder and name; more than one at a name only within a request.
    var holders: [TagPlace: [ItemID]] = [:]
    var children: [ItemID: Set<ItemID>] = [:]
    var versions: [VersionID: StoredVersion] = [:]
    var versionsOfItem: [ItemID: [VersionID]] = [:]
    var incarnations: [Incarnation: IncarnationRecord] = [:]
    var answers: [AnswerKey: StoredAnswer] = [:]
    /// The values of all writes, current or not; a removal has none.
    var writes: [WriteID: [UInt8]] = [:]

    /// Contents that are not current: by which entry they were replaced.
    var replaced: [VersionID: UInt64] = [:]
    var replacedWrites: [WriteID: UInt64] = [:]
    var collectedVersions: Set<VersionID> = []
    var collectedWrites: Set<WriteID> = []
    /// How often contents refer to a chunk, and since which collection none does.
    var uses: [ChunkID: Int] = [:]
    var unusedSince: [ChunkID: UInt64] = [:]
    /// The log's number at each collection.
    var collections: [UInt64: UInt64] = [:]

    package init() {}
}

extension AccountImage {
    mutating func place(_ state: ItemState) {
        holders[TagPlace(state.placement), default: []].append(state.id)
        children[state.placement.folder, default: []].insert(state.id)
    }

    mutating func displace(_ state: ItemState) {
        let place = TagPlace(state.placement)
        holders[place]?.removeAll { $0 == state.id }
        if holders[place]?.isEmpty == true { holders[place] = nil }
        children[state.placement.folder]?.remove(state.id)
    }
}

extension Usage {
    mutating func replace(_ old: RegisterState?, by state: RegisterState) {
        let store = state.register.store
        let keys = (keys[store] ?? 0) + (state.value == nil ? 0 : 1)
        self.keys[store] = keys - (old?.value == nil ? 0 : 1)
        let bytes = (values[store] ?? 0) + UInt64(state.value?.count ?? 0)
        values[store] = bytes - UInt64(old?.value?.count ?? 0)
        if self.keys[store] == 0 {
            self.keys[store] = nil
            values[store] = nil
        }
    }
}

/// A name in a folder as the server can compare it.
struct TagPlace: Hashable, Sendable {
    let folder: ItemID
    let tag: Tag

    init(folder: ItemID, tag: Tag) {
        self.folder = folder
        self.tag = tag
    }

    init(_ placement: Placement) { self.init(folder: placement.folder, tag: placement.tag) }
}

struct StoredVersion: Hashable, Sendable {
    let version: Version
    let record: VersionRecord
}

struct AnswerKey: Hashable, Sendable {
    let incarnation: Incarnation
    let number: UInt64
}
