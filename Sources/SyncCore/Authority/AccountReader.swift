/// What the server's rules read of one account: its committed state and what the transaction
/// under way has written.
///
/// The store and its in-memory twin conform; both run the same conformance suite.
package protocol AccountReader {
    associatedtype Failure: Error

    /// The newest position of the log.
    func position() throws(Failure) -> Position
    /// The running digest at a number; nil if the log does not reach it.
    func digest(at number: UInt64) throws(Failure) -> Digest?
    func item(_ id: ItemID) throws(Failure) -> ItemState?
    /// The item that a created item was taken into.
    func alias(_ id: ItemID) throws(Failure) -> ItemID?
    /// The placed item under a folder whose name has the tag.
    func holder(of tag: Tag, in folder: ItemID) throws(Failure) -> ItemID?
    /// The placed items in a folder, in any order.
    func children(of folder: ItemID) throws(Failure) -> [ItemID]
    /// The items in the trash whose last folder it was, in any order.
    func trashed(in folder: ItemID) throws(Failure) -> [ItemID]
    func version(_ id: VersionID) throws(Failure) -> VersionRecord?
    /// The version with its content; nil if the account never had it or has collected its content.
    func kept(_ id: VersionID) throws(Failure) -> Version?
    func incarnation(_ id: Incarnation) throws(Failure) -> IncarnationRecord?
    /// The stored answer to an operation, with the operation's hash.
    func answer(_ incarnation: Incarnation, _ number: UInt64) throws(Failure) -> StoredAnswer?
    func register(_ key: RegisterKey) throws(Failure) -> RegisterState?
    /// Whether a write is in the log, current or not.
    func hasWrite(_ id: WriteID) throws(Failure) -> Bool
    /// Sums over the account, for its limits.
    func usage() throws(Failure) -> Usage
    /// Whether the chunk's bytes are stored, checked, and not marked for collection.
    func hasChunk(_ id: ChunkID) throws(Failure) -> Bool
}

/// What the server keeps of a version for ever.
package struct VersionRecord: Hashable, Sendable {
    package let item: ItemID
    package let parents: [VersionID]
    package let nature: Version.Nature
    /// The log entry that brought it.
    package let number: UInt64

    package init(item: ItemID, parents: [VersionID], nature: Version.Nature, number: UInt64) {
        self.item = item
        self.parents = parents
        self.nature = nature
        self.number = number
    }
}

/// What the server knows of a device's incarnation.
package struct IncarnationRecord: Hashable, Sendable {
    package let device: DeviceID
    /// The newest operation number answered.
    package let last: UInt64

    package init(device: DeviceID, last: UInt64) {
        self.device = device
        self.last = last
    }
}

/// What was answered to an operation, to be answered again.
package struct StoredAnswer: Hashable, Sendable {
    package let hash: Digest
    package let outcome: Outcome

    package init(hash: Digest, outcome: Outcome) {
        self.hash = hash
        self.outcome = outcome
    }
}

/// Sums over an account.
package struct Usage: Hashable, Sendable {
    /// Stored bytes of all versions with content.
    package var stored: UInt64
    /// Live key-value registers, by store.
    package var keys: [Tag: UInt64]
    /// Bytes of live key-values, by store.
    package var values: [Tag: UInt64]

    package init(stored: UInt64 = 0, keys: [Tag: UInt64] = [:], values: [Tag: UInt64] = [:]) {
        self.stored = stored
        self.keys = keys
        self.values = values
    }
}

/// One row that a decision writes; a store applies them in order within its transaction.
package enum AccountChange: Hashable, Sendable {
    case entry(LogEntry)
    case item(ItemState)
    case alias(ItemID, of: ItemID)
    case version(Version, VersionRecord)
    case register(RegisterState)
    /// A write that is not current: its value is kept like an old version.
    case pastWrite(KeyValueWrite, number: UInt64)
    /// A version with content is no head any more since an entry; nil: it is one again.
    case replaced(VersionID, number: UInt64?)
    /// A write is not current any more since an entry.
    case writeReplaced(WriteID, number: UInt64)
    case answer(Incarnation, device: DeviceID, number: UInt64, StoredAnswer)
    /// The account's collection `number`, with the log's number at that time.
    case collection(UInt64, at: UInt64)
    /// The version's content is dropped; its id and parents stay. Its chunks lose a reference.
    case collected(VersionID)
    /// The value of a write that is not current is dropped.
    case valueCollected(WriteID)
    /// The chunk counts as missing from now on, and its bytes may be removed later.
    case chunkMarked(ChunkID)
}
