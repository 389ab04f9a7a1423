/// One round of deciding a request: the account as it would be if the round held.
struct Deliberation<Reader: AccountReader> {
    let reader: Reader
    let sender: Sender
    let incarnation: Incarnation
    let limits: AccountLimits
    let mutant: Mutant?
    /// Places that an earlier round found clashing, by the index of their operation.
    let rulings: [Int: PlaceRuling]

    var position: Position
    var items: [ItemID: ItemState] = [:]
    /// The items in ``items`` in the order of their first change: dictionaries have no order.
    var touched: [ItemID] = []
    var aliases: [ItemID: ItemID] = [:]
    var versions: [VersionID: VersionRecord] = [:]
    var registers: [RegisterKey: RegisterState] = [:]
    var writes: Set<WriteID> = []
    var usage: Usage?

    /// The placed items at each name that a change touched, the first to have it first.
    var occupants: [TagSlot: [ItemID]] = [:]
    var touchedSlots: [TagSlot] = []
    /// The operation that gave an item its place in this request.
    var placedBy: [ItemID: Placing] = [:]
    var movedFolders: [ItemID] = []
    /// Operations that the mutant of names has refused.
    var refusedAtOnce: Set<Int> = []

    var outcomes: [Outcome] = []
    var changes: [AccountChange] = []
    var entries: [LogEntry] = []
    /// Items whose creation was refused: what rests on them is refused too.
    var refusedItems: Set<ItemID> = []
    /// Versions without their chunks: they come again, and what was made from them must not come
    /// before them, or it would be a further head.
    var refusedVersions: Set<VersionID> = []

    init(
        reader: Reader, sender: Sender, incarnation: Incarnation, limits: AccountLimits,
        mutant: Mutant?, rulings: [Int: PlaceRuling], position: Position
    ) {
        self.reader = reader
        self.sender = sender
        self.incarnation = incarnation
        self.limits = limits
        self.mutant = mutant
        self.rulings = rulings
        self.position = position
    }
}

/// A name in a folder as the server can compare it.
struct TagSlot: Hashable, Sendable {
    let folder: ItemID
    let tag: Tag
}

/// The operation that gave an item its place, and in which way.
struct Placing {
    let index: Int
    let way: Way

    enum Way {
        case created
        case moved
        /// It came back to life where it was.
        case revived
    }
}

/// What one operation leads to in a round.
enum Ruling {
    case accepted([Effect])
    /// The log holds it already, at or before the number.
    case known(UInt64)
    case refused(Refusal)
}

extension Deliberation {
    /// Takes one operation into the round.
    mutating func take(_ received: ReceivedOperation, index: Int) throws(Reader.Failure) {
        let ruling: Ruling
        if let choice = received.operation.restsOn, try record(of: choice) == nil {
            record(.refused(.restsOnRefused), of: received)
            return
        }
        switch received.operation.body {
        case .create(let item, let kind, let placement, let version):
            ruling = try create(item, kind, placement, version, index)
        case .edit(let item, let version): ruling = try edit(item, version, index)
        case .move(let item, let placement): ruling = try move(item, placement, index)
        case .removeFolder(let removal): ruling = try remove(removal)
        case .write(let write): ruling = try self.write(write, age: received.operation.age)
        case .restoreFolder(let restoration): ruling = try restore(restoration, index)
        }
        record(ruling, of: received)
    }

    /// The number that the entry of the operation under way will have.
    var nextNumber: UInt64 { position.number + 1 }

    private mutating func record(_ ruling: Ruling, of received: ReceivedOperation) {
        let outcome: Outcome
        switch ruling {
        case .known(let number): outcome = .accepted(number: number)
        case .refused(let refusal): outcome = .refused(refusal)
        case .accepted(let effects):
            outcome = .accepted(number: nextNumber)
            append(effects, of: received)
        }
        outcomes.append(outcome)
        let answer = StoredAnswer(hash: received.hash, outcome: outcome)
        changes.append(
            .answer(
                incarnation, device: sender.device, number: received.operation.number, answer))
    }

    private mutating func append(_ effects: [Effect], of received: ReceivedOperation) {
        position = position.advanced(
            over: received.hash, of: incarnation, at: sender.now, by: sender.hash)
        let entry = LogEntry(
            position: position, author: sender.device, incarnation: incarnation,
            operation: received.operation.number, moment: sender.now, effects: effects)
        entries.append(entry)
        changes.append(.entry(entry))
    }

    func decision(after replayed: [Outcome]) -> Decision {
        Decision(answer: .outcomes(replayed + outcomes), changes: changes, entries: entries)
    }
}

extension Position {
    /// The position after an entry whose operation has the hash.
    ///
    /// With incarnation and moment, because a restored server that is offered again what it has
    /// lost may take the same operations in the same order, and yet decide otherwise what depends
    /// on time.
    package func advanced(
        over operation: Digest, of incarnation: Incarnation, at moment: WallTime,
        by hash: HashFunction
    ) -> Position {
        var bytes = digest.bytes
        bytes.append(bigEndian: number + 1)
        bytes.append(bigEndian: incarnation.value)
        bytes.append(bigEndian: UInt64(bitPattern: moment.milliseconds))
        bytes.append(contentsOf: operation.bytes)
        return Position(number: number + 1, digest: hash(bytes))
    }
}

// MARK: - Reading through the round

extension Deliberation {
    func resolve(_ id: ItemID) throws(Reader.Failure) -> ItemID {
        // An alias may lead to an item that became an alias itself later; chains are short. A
        // created item is never older than its holder, so they end, but for rows that are damaged.
        guard var next = try holder(of: id) else { return id }
        var seen: Set<ItemID> = [id]
        while seen.insert(next).inserted, let holder = try holder(of: next) { next = holder }
        return next
    }

    private func holder(of id: ItemID) throws(Reader.Failure) -> ItemID? {
        if let holder = aliases[id] { return holder }
        return try reader.alias(id)
    }

    func state(_ id: ItemID) throws(Reader.Failure) -> ItemState? {
        if let state = items[id] { return state }
        return try reader.item(id)
    }

    func record(of version: VersionID) throws(Reader.Failure) -> VersionRecord? {
        if let record = versions[version] { return record }
        return try reader.version(version)
    }

    mutating func set(_ state: ItemState) {
        precondition(!state.heads.isEmpty, "an item always has a head")
        if items[state.id] == nil { touched.append(state.id) }
        items[state.id] = state
        changes.append(.item(state))
    }

    /// Notes which contents are no heads any more, for the collection; a folder has none.
    mutating func noteReplaced(_ before: [Head], by after: [Head], in kind: Kind) {
        guard kind != .folder else { return }
        for head in before where head.hasContent && !after.contains(head) {
            changes.append(.replaced(head.version, number: nextNumber))
        }
    }

    mutating func add(_ version: Version, to item: ItemID) {
        let record = VersionRecord(
            item: item, parents: version.parents, nature: version.nature, number: nextNumber)
        versions[version.id] = record
        changes.append(.version(version, record))
    }

    /// The placed items in a folder, in the order of their ids.
    func children(of folder: ItemID) throws(Reader.Failure) -> [ItemState] {
        var children: [ItemState] = []
        for id in try reader.children(of: folder) where items[id] == nil {
            if let state = try reader.item(id) { children.append(state) }
        }
        for id in touched {
            guard let state = items[id], state.standing == .placed else { continue }
            if state.placement.folder == folder { children.append(state) }
        }
        return children.sorted { $0.id < $1.id }
    }

    /// The items in the trash whose last folder it was, in the order of their ids.
    func trashed(in folder: ItemID) throws(Reader.Failure) -> [ItemState] {
        var members: [ItemState] = []
        for id in try reader.trashed(in: folder) where items[id] == nil {
            if let state = try reader.item(id) { members.append(state) }
        }
        for id in touched {
            guard let state = items[id], state.standing == .trashed else { continue }
            if state.placement.folder == folder { members.append(state) }
        }
        return members.sorted { $0.id < $1.id }
    }
}
