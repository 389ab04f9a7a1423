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

    /// The placed items of a folder by their names' tags; two of one tag only within a request.
    var placed: [ItemID: [Tag: Set<ItemID>]] = [:]
    var versions: [VersionID: StoredVersion] = [:]
    var versionsOfItem: [ItemID: [VersionID]] = [:]
    var incarnations: [Incarnation: IncarnationRecord] = [:]
    var answers: [AnswerKey: StoredAnswer] = [:]
    /// The values of all writes, current or not; a removal has none.
    var writes: [WriteID: [UInt8]] = [:]

    package init() {}
}

struct StoredVersion: Hashable, Sendable {
    let version: Version
    let record: VersionRecord
}

struct AnswerKey: Hashable, Sendable {
    let incarnation: Incarnation
    let number: UInt64
}
