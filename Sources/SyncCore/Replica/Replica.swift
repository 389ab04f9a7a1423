/// A device's side of the rules: what the disk and the log say goes in, what to do comes out.
///
/// It compares three trees. The remote tree is what the server says at the cursor; the base (or
/// synced) tree is what this device put on the disk, or found there and turned into operations,
/// with the files' stamps as read back; the local tree is the disk. Work grows with the change:
/// only the names and items that an event touched are looked at.
package struct Replica: Sendable {
    let vault: Vault
    let device: DeviceID
    let entropy: UInt64
    let mergeRule: MergeRule
    let packages: PackageTypes
    let mutant: Mutant?
    var now: Moment

    // Durable state, as in ``ReplicaImage``.
    var progress: ReplicaProgress
    var nodes: TreeTable<ItemID, Node> = [:]
    var aliases: [ItemID: ItemID]
    var outbox: Outbox
    var registers: [RegisterKey: RegisterRecord]

    // Indices over the base and remote trees.
    var slots: TreeTable<ItemID, TreeTable<Name, ItemID>> = [:]
    var remoteChildren: TreeTable<ItemID, Set<ItemID>> = [:]
    var remoteNames = DenseTable<TagSlot, ItemID>()
    var identities = DenseTable<FileIdentity, ItemID>()
    /// Heads that do not show, whose contents are kept here.
    var hidden: Set<VersionID> = []

    // The local tree, and what of it is being looked at.
    var disk = LocalTree()
    var dirtySlots = DirtySlots()
    var contents: [Slot: ReadContent] = [:]
    var reading: [Slot: ReadAttempt] = [:]
    /// Since when somebody has been writing to what stands at a name, and it was not read since.
    var writtenSince: [Slot: Instant] = [:]
    /// When something last happened in a package, until it is looked at.
    var stirred: [Slot: Instant] = [:]
    /// Packages that are looked at because nothing has happened in them for a while.
    var restLooks: Set<Slot> = []
    /// Names with nothing at them, before and after the last look at them.
    var vanishing: Set<Slot> = []
    var vanished: Set<Slot> = []
    /// Items whose file was taken for another name, until it is seen where it is now.
    var detached: Set<ItemID> = []
    /// Names that were found before the first pull had ended.
    var unpulled: Set<Slot> = []
    /// Roots that held something and were found empty at a start.
    var emptiedRoots: Set<ItemID> = []
    /// Names at which this start has put something itself.
    var returned: Set<Slot> = []
    /// Items whose file somebody read after it was saved and before the save was sent.
    var openedUnsent: Set<ItemID> = []
    /// Items whose file somebody has written to since it was last read by this program.
    var writtenUnread: Set<ItemID> = []
    /// Those whose new name was looked at again for the event under way.
    var reclaimed: Set<ItemID> = []

    /// Those whose emptiness a person has said to be meant, until they are listed.
    var confirmedRoots: Set<ItemID> = []
    /// When something last appeared in an emptied root.
    var refilled: [ItemID: Instant] = [:]
    /// When the roots are looked at next.
    var rootsDue: Instant?
    /// By container.
    var waves: [ItemID: DeletionWave] = [:]
    var sweeps = DeletionSweeps()
    /// Deletions that wait for their container's wave to come to rest.
    var wavering: [UInt64: ItemID] = [:]
    /// Until then deletions are meant, however many.
    var confirmedUntil: Instant?
    /// Items that a person here wants back: this device gives them a place at once.
    var restoring: Set<ItemID> = []
    /// Versions that people here have in a list, by item.
    var told: [ItemID: Set<VersionID>] = [:]
    /// Items whose file is a version that the log has replaced.
    var outdated: Set<ItemID> = []

    // Planning.
    var dirtyItems = DirtyItems()
    var waiting: [Slot: Set<ItemID>] = [:]
    var jobs: [JobID: Undertaking] = [:]
    var lastJob: JobID = 0
    var retries: [ItemID: Retry] = [:]
    var inHand: [VersionID: [UInt8]] = [:]
    var fetched: Set<VersionID> = []
    /// Who waits for a version that was asked for.
    var fetching: [VersionID: Set<ItemID>] = [:]
    /// Items whose content could not be had: it is asked for again at the next connection.
    var lacking: Set<ItemID> = []

    // Heads that may merge.
    var openHeads = DirtyItems()
    var settling: [ItemID: Settling] = [:]

    // The connection.
    var isConnected = false
    var connectedAt: Instant?
    /// What was made while the log could not be heard has not been compared with it yet.
    var mustCompareOutbox = false
    var inFlight: [UInt64] = []
    var isSending = false
    /// The number after which a part of the log was asked for, while that is on its way.
    var pulledFrom: UInt64?
    var sendAfter: Instant?
    /// The most bytes of a request.
    var requestLimit = Replica.requestBytes
    var failedSends = 0
    /// Operations that are offered again later.
    var held: [UInt64: Instant] = [:]
    /// Choices that were refused, while copies of what they drop wait for what the log has instead;
    /// a new start forgets them, and makes the copies.
    var refusedChoices: [VersionID: RefusedChoice] = [:]
    /// Operations whose chunks are on their way.
    var uploading: Set<UInt64> = []
    var serverHead: Position?
    var hasForeignHistory = false
    /// Positions of the log that this device had, the oldest first; durable.
    var landmarks: [Position]
    var isAskingSnapshot = false
    var snapshotDue: Instant?
    /// The account as it is, until what this device has kept of ancestors is told.
    var arriving: AccountSnapshot?
    /// Items of which the account has lost something that this device has yet to offer.
    var losses: Set<ItemID> = []
    var offers = DirtyItems()
    /// When a content that is to be offered is read, or read again.
    var offerDues: [ItemID: Instant] = [:]
    var supplying: Set<VersionID> = []
    var supplied: [VersionID: StoredContent] = [:]
    var containers: [Name] = []

    // What the event under way leads to.
    var changedNodes = DirtyItems()
    var changes: [ReplicaChange] = []
    var actions: [ReplicaAction] = []
    var progressBefore: ReplicaProgress

    /// Goes on from what is durable.
    ///
    /// The entropy is a random number of this start of the program, for a new incarnation.
    package init(
        image: ReplicaImage, device: DeviceID, vault: Vault, mergeRule: MergeRule = .lines(),
        packages: PackageTypes = .standard, entropy: UInt64, now: Moment, mutant: Mutant? = nil
    ) {
        self.vault = vault
        self.mergeRule = mergeRule
        self.packages = packages
        self.device = device
        self.entropy = entropy
        self.mutant = mutant
        self.now = now
        nodes.reserveCapacity(image.nodes.count)
        for (id, record) in image.nodes {
            var record = record
            // Who read what while this program was not running is not known: it was read, if it was
            // here.
            if let base = record.base, base.placeholder == nil, base.lastRead != base.version {
                record.base?.lastRead = base.version
            }
            record.settle()
            nodes[id] = Node(record: record)
        }
        aliases = image.aliases.withoutCircles
        outbox = Outbox(image.outbox)
        registers = image.registers
        landmarks = image.landmarks
        let fresh = ReplicaProgress(
            incarnation: Incarnation(0), lastNumber: 0, lastEntry: 0, cursor: .start,
            hasPulled: false)
        progress = image.progress ?? fresh
        progressBefore = fresh
        if image.progress == nil { progress.incarnation = newIncarnation() }
        buildIndices()
    }

    /// The first actions after a start: everything on disk is looked at once.
    ///
    /// Files that an interrupted install had taken out of the tree are `putBack` already.
    package mutating func start(
        at moment: Moment, putBack: [LocalPath] = []
    ) -> [ReplicaAction] {
        now = moment
        returned = Set(putBack.compactMap { slot(of: $0) })
        listFolder(.top, at: LocalPath(names: []))
        for (id, node) in nodes where node.record.base?.placeholder != nil {
            nodes[id]?.owesText = true
        }
        for (id, node) in nodes.sorted(by: { $0.key < $1.key })
        where node.record.base?.isParked == true || node.needsPlan
            || node.record.remote?.standing == .unplaced
        {
            dirtyItems.insert(id)
        }
        for id in nodes.keys.sorted() where hasOpenHeads(id) { openHeads.insert(id) }
        for id in losses.sorted() { offers.insert(id) }
        return finish()
    }

    /// Takes one event and says what to do; the actions are done in their order.
    package mutating func receive(_ event: ReplicaEvent, at moment: Moment) -> [ReplicaAction] {
        now = moment
        switch event {
        case .seen(let sightings): for sighting in sightings { see(sighting) }
        case .listed(let folder, let entries): listed(folder, entries)
        case .unlisted(let folder, _): unlisted(folder)
        case .read(let request, let outcome): read(request, outcome)
        case .written(let sighting): written(sighting)
        case .opened(let item): opened(item)
        case .stirred(let identity): stirred(identity)
        case .installed(let job, let outcome): installed(job, outcome)
        case .fetched(let item, let version, let outcome): fetched(item, version, outcome)
        case .described(let item, let version, let description):
            described(item, version, description)
        case .history(let item, let versions): history(of: item, versions)
        case .loaded(let item, let version, let bytes): loaded(item, version, bytes)
        case .kept(let item, let digest, let content): kept(item, digest, content)
        case .uploaded(let entry, let succeeded): uploaded(entry, succeeded)
        case .contentLost(let entry): contentLost(entry)
        case .answered(let answer): answered(answer)
        case .sendFailed: sendFailed()
        case .entries(let after, let entries, let head): take(entries, after: after, head: head)
        case .historyUnknown: historyUnknown()
        case .snapshot(let snapshot): take(snapshot)
        case .ancestry(let ancestries): recalled(ancestries)
        case .connection(let isOpen): connection(isOpen)
        case .command(let command): obey(command)
        case .timer: break
        }
        lookAtRoots()
        return finish()
    }

    /// Follows the event through to its end: names to items, items to work, work to requests.
    private mutating func finish() -> [ReplicaAction] {
        var isOpen = true
        reclaimed.removeAll()
        while isOpen {
            isOpen = resolveSlots()
            if planItems() { isOpen = true }
            if lookAtHeads() { isOpen = true }
            if offerLosses() { isOpen = true }
        }
        askForSnapshot()
        sendOutbox()
        pullIfBehind()
        scheduleWake()
        return takeActions()
    }

    private mutating func takeActions() -> [ReplicaAction] {
        for id in changedNodes.takeAll().sorted() {
            nodes[id]?.record.settle()
            changes.append(.node(id, nodes[id]?.record))
            noteInstalled(id)
        }
        if outdated.isEmpty { progress.installed = progress.cursor.number }
        if progress != progressBefore {
            changes.append(.progress(progress))
            progressBefore = progress
        }
        var result = actions
        actions.removeAll()
        if result.contains(where: { $0.isWatch }) {
            // Before an install moves a folder above the file.
            result = result.filter { $0.isWatch } + result.filter { !$0.isWatch }
        }
        var first: ReplicaChange?
        if mutant == .cursorFirst, case .progress? = changes.last { first = changes.removeLast() }
        if !changes.isEmpty { result.insert(.persist(changes), at: 0) }
        if let first { result.insert(.persist([first]), at: 0) }
        changes.removeAll()
        return result
    }

    private mutating func buildIndices() {
        for (_, entry) in outbox.all {
            if let item = entry.body.item { nodes[resolve(item)]?.pending += 1 }
        }
        for (id, node) in nodes {
            if node.record.loss != nil { losses.insert(id) }
            if let base = node.record.base { claim(id, base) }
            if let remote = node.record.remote, remote.standing == .placed {
                remoteChildren[remote.placement.folder, default: []].insert(id)
                let slot = TagSlot(folder: remote.placement.folder, tag: remote.placement.tag)
                remoteNames[slot] = id
            }
            noteInstalled(id)
            if node.record.heldWhenEmptied != nil { emptiedRoots.insert(id) }
            hidden.formUnion((node.record.remote?.heads.dropFirst() ?? []).map { $0.version })
            hidden.formUnion(node.record.loss?.versions ?? [])
        }
    }

    /// One file is one item's, and so is one name: what was told of them last holds, and whoever
    /// had them before has its file elsewhere or not at all.
    private mutating func claim(_ id: ItemID, _ base: BaseState) {
        let identity = base.stamp.identity
        if identity != .none, isNewer(base, of: id, than: identities[identity]) {
            identities[identity] = id
        }
        guard !base.isParked else { return }
        let other = slots[base.slot.folder]?[base.slot.name]
        guard isNewer(base, of: id, than: other) else {
            detached.insert(id)
            return
        }
        if let other { detached.insert(other) }
        slots[base.slot.folder, default: [:]][base.slot.name] = id
    }

    private func isNewer(_ base: BaseState, of id: ItemID, than other: ItemID?) -> Bool {
        guard let other, let state = self.base(other) else { return true }
        let (mine, its) = (base.stamp.changed, state.stamp.changed)
        return mine == its ? id < other : its < mine
    }
}

/// Why an item is not in step, for `status` and `why`.
package enum Problem: Hashable, Sendable {
    case disk(DiskFailure)
    case refused(Refusal)
    case contentUnavailable
    case contentDamaged
    /// It is being written.
    case busy
    /// A pipe, socket or device has its name here.
    case nameHeld
    /// Its name, or what is known of its content, cannot be read with this account's key or by this
    /// program.
    case unreadable
    /// It is in a root that is gone, replaced or empty.
    case rootUnavailable
    /// It was evicted here, and a server that was restored does not have its content.
    case lostByServer
}

/// An install that is under way.
struct Undertaking: Sendable {
    let item: ItemID
    let task: InstallJob.Task
    /// The name that its target was when it began: a folder above may be put aside meanwhile.
    let target: Slot?
    /// If it gives a name of this device's own choice: the place that the item had in the account.
    let named: PlaceID?
    /// It puts the file under its placeholder's name, or works on it there.
    var isAside = false
    /// If it brings a placeholder: the digest of its bytes.
    var placeholder: Digest?
    /// The version that it brings, or whose placeholder.
    var version: VersionID?
}

struct Retry: Sendable {
    var attempts: Int
    var at: Instant
}

struct ReadAttempt: Sendable {
    var isUnderWay: Bool
    var attempts: Int
    var retryAt: Instant?
    /// Since when it could not be read.
    var failingSince: Instant?
}

extension ReplicaAction {
    fileprivate var isWatch: Bool {
        switch self {
        case .watchReading, .forgetReaders: true
        default: false
        }
    }
}
