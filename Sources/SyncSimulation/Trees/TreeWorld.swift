import SyncCore
import SyncWire

/// One device with a large tree that is in step with its account, and as much of a disk, a server
/// and a shell as a single change needs.
struct TreeWorld {
    /// Names in a folder of files, and in one of folders.
    static let fanOut = 100

    private(set) var replica: Replica
    private var account = AccountTables()
    private let authority = Authority()
    private var disk: [ItemID: [Name: DiskEntry]] = [:]
    private var contents: [UInt64: [UInt8]] = [:]
    private var inodes: UInt64 = 1
    private var now = Moment(
        steady: Instant(nanoseconds: 0), wall: WallTime(milliseconds: 1_780_000_000_000))
    private var isCounting = false
    /// What the replica has touched while it was counted.
    private(set) var touched = 0

    let documents: ItemID
    /// The folders of files, the first and the last of which changes are made in.
    private(set) var folders: [ItemID] = []
    private let device = DeviceID(high: 0xD0, low: 1)
    private let other = DeviceID(high: 0xD0, low: 2)
    private var sent: UInt64 = 0

    /// A tree of so many files, a hundred in a folder, as many folders in a folder above it.
    init(files: Int) {
        var image = ReplicaImage()
        image.progress = ReplicaProgress(
            incarnation: Incarnation(1), lastNumber: 0, lastEntry: 0, cursor: .start,
            hasPulled: true)
        var planting = Planting()
        let container = planting.plant(Home.container, in: .top, isFolder: true)
        documents = planting.plant(Home.documents, in: container, isFolder: true)
        var left = files
        var above = documents
        while left > 0 {
            if folders.count % Self.fanOut == 0 {
                above = planting.plant(
                    Home.name("group \(folders.count)"), in: documents, isFolder: true)
            }
            let folder = planting.plant(
                Home.name("folder \(folders.count)"), in: above, isFolder: true)
            folders.append(folder)
            for number in 0..<min(left, Self.fanOut) {
                _ = planting.plant(Home.name("file \(number)"), in: folder, isFolder: false)
            }
            left -= min(left, Self.fanOut)
        }
        inodes = planting.inodes
        for (id, record) in planting.nodes {
            image.nodes[id] = record
            if let state = record.remote { account.apply(.item(state)) }
            if let base = record.base {
                let kind: EntryKind = record.kind == .folder ? .folder : .file
                disk[base.slot.folder, default: [:]][base.slot.name] = DiskEntry(
                    kind: kind, stamp: base.stamp)
            }
        }
        replica = Replica(
            image: image, device: device, vault: simulatedVault, entropy: 1, now: now)
        perform(replica.start(at: now))
        report(.connection(isOpen: true))
        perform(pendingPull())
    }

    private mutating func pendingPull() -> [ReplicaAction] {
        replica.receive(.entries(after: .start, [], head: account.position()), at: now)
    }

    // MARK: - The shell

    /// Counts what the replica touches until all that comes of some work is done.
    mutating func count(_ work: (inout TreeWorld) -> Void) -> Int {
        // Nobody has typed here a moment ago.
        now.steady = now.steady.advanced(milliseconds: 600_000)
        touched = 0
        isCounting = true
        work(&self)
        var waits = 0
        while !replica.isQuiet, waits < 1_000 {
            now.steady = now.steady.advanced(milliseconds: 50)
            report(.timer)
            waits += 1
        }
        precondition(replica.isQuiet, "a change comes to its end")
        isCounting = false
        return touched
    }

    mutating func report(_ event: ReplicaEvent) {
        var actions: [ReplicaAction] = []
        if isCounting {
            touched += TreeTally.touched { actions = replica.receive(event, at: now) } ?? 0
        } else {
            actions = replica.receive(event, at: now)
        }
        perform(actions)
    }

    private mutating func perform(_ actions: [ReplicaAction]) {
        for action in actions {
            switch action {
            case .list(let folder, _):
                report(.listed(folder: folder, entries: sightings(in: folder)))
            case .look(let slot, _): see(slot)
            case .read(let request): read(request)
            case .install(let job): install(job)
            case .send(let incarnation, let operations, _): decide(operations, incarnation)
            case .pull(let position): push(after: position)
            default: break
            }
        }
    }

    private func sightings(in folder: ItemID) -> [Sighting] {
        (disk[folder] ?? [:]).map { name, entry in
            Sighting(slot: Slot(folder: folder, name: name), entry: entry)
        }
    }

    private mutating func see(_ slot: Slot) {
        report(.seen([Sighting(slot: slot, entry: disk[slot.folder]?[slot.name])]))
    }

    private mutating func read(_ request: ReadRequest) {
        guard let entry = disk[request.slot.folder]?[request.slot.name] else {
            return report(.read(request, .gone))
        }
        let bytes = contents[entry.stamp.identity.inode] ?? []
        let content = ReadContent(
            stamp: entry.stamp, digest: simulatedHash(bytes), prefixDigest: nil,
            content: .inline(bytes))
        report(.read(request, .content(content)))
    }

    private mutating func install(_ job: InstallJob) {
        let slots = job.task.paths.compactMap { replica.slot(of: $0) }
        guard let slot = slots.first else { preconditionFailure("an install has a place") }
        var entry = disk[slot.folder]?[slot.name]
        switch job.task {
        case .placeFile(_, let source, let facts, _):
            guard case .inline(let bytes) = source else {
                preconditionFailure("all contents are short")
            }
            entry = newFile(bytes, facts.mode, facts.modified)
            disk[slot.folder, default: [:]][slot.name] = entry
        case .remove:
            disk[slot.folder]?[slot.name] = nil
            entry = nil
        case .move:
            disk[slot.folder]?[slot.name] = nil
            disk[slots[1].folder, default: [:]][slots[1].name] = entry
        default: preconditionFailure("no change makes the replica do so")
        }
        report(.installed(job.id, .done(entry?.stamp)))
    }

    private mutating func newFile(
        _ bytes: [UInt8], _ mode: UInt16, _ modified: FileTime
    ) -> DiskEntry {
        inodes += 1
        contents[inodes] = bytes
        return DiskEntry(kind: .file, stamp: Planting.stamp(inodes, bytes.count, mode, modified))
    }

    // MARK: - The server

    private mutating func decide(_ operations: [Operation], _ incarnation: Incarnation) {
        let before = account.position()
        let answer = take(operations, incarnation, by: device)
        report(.answered(answer))
        push(after: before)
    }

    private mutating func take(
        _ operations: [Operation], _ incarnation: Incarnation, by device: DeviceID
    ) -> RequestAnswer {
        let received = operations.map {
            ReceivedOperation(operation: $0, hash: simulatedHash(CarriedOperation($0).body))
        }
        let decision = authority.decide(
            OperationRequest(incarnation: incarnation, operations: received),
            from: Sender(
                device: device, now: now.wall, lastContact: now.wall, hash: simulatedHash),
            reading: account)
        for change in decision.changes { account.apply(change) }
        return decision.answer
    }

    private mutating func push(after position: Position) {
        let entries = account.log.dropFirst(Int(position.number))
        report(.entries(after: position, Array(entries), head: account.position()))
    }

    // MARK: - Changes

    /// Another device does something.
    mutating func receive(_ body: Operation.Body) {
        sent += 1
        let before = account.position()
        _ = take([Operation(number: sent, age: 0, body: body)], Incarnation(2), by: other)
        push(after: before)
    }

    func state(_ item: ItemID) -> ItemState? { account.items[item] }

    /// The files of a folder, in the order of their names.
    func files(of folder: ItemID) -> [ItemID] { replica.children(of: folder) }

    /// A file is saved at a name.
    mutating func save(_ text: String, at slot: Slot) {
        disk[slot.folder, default: [:]][slot.name] = newFile(
            Array(text.utf8), 0o644, FileTime(seconds: 1_780_000_000, nanoseconds: 1))
        see(slot)
    }

    mutating func remove(_ slot: Slot) {
        disk[slot.folder]?[slot.name] = nil
        see(slot)
    }

    mutating func move(_ slot: Slot, to target: Slot) {
        disk[target.folder, default: [:]][target.name] = disk[slot.folder]?.removeValue(
            forKey: slot.name)
        see(slot)
        see(target)
    }
}
