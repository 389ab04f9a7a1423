import SyncCore
import SyncStore
import SyncWire

/// The device's program starts, dies, and is told what happens.
extension Simulation {
    /// A recorded device is one like any other in this, too.
    private var inlineLimit: Int {
        recording == nil ? Sizes.inline : StoredContent.inlineLimit
    }

    /// A new replica from what is durable, then a look at the whole disk.
    mutating func start(_ index: Int) {
        guard devices[index].replica == nil else { return }
        if story.isTold { tell(index, "the program starts") }
        recoverStaging(of: index)
        noteAllRead(on: index)
        let image = (try? devices[index].store.load()) ?? ReplicaImage()
        let moment = moment(of: index)
        let entropy = random.next()
        var replica = Replica(
            image: image, device: devices[index].id, vault: vault,
            mergeRule: .lines(inlineLimit: inlineLimit), entropy: entropy, now: moment,
            mutant: mutant)
        let actions = replica.start(at: moment, putBack: devices[index].putBack)
        record(image, entropy, moment, actions, on: index)
        devices[index].replica = replica
        take(actions, on: index)
        report(.command(.openContainer(Home.container)), to: index)
        connectLater(index, after: nil, at: now + 1_000_000)
    }

    /// What stood on the disk while no program watched may have been read by anybody.
    mutating func noteAllRead(on index: Int) {
        let disk = devices[index].disk
        for (_, inode) in disk.allPaths() where disk[inode].kind == .file {
            ledger.note(readingOf: disk[inode].bytes, on: index, now)
        }
        for node in devices[index].store.committed.replica.nodes.values {
            guard let version = node.base?.version else { continue }
            ledger.note(readingOf: server.durable.everContent(of: version) ?? [], on: index, now)
        }
        // Whoever changed a mode or a time only has not read what he sends.
        for entry in devices[index].store.committed.replica.outbox.values {
            guard case .inline(let bytes)? = entry.body.version?.content else { continue }
            ledger.note(readingOf: bytes, on: index, now)
        }
    }

    mutating func crashProgram(_ index: Int, restartAfter delay: Int64) {
        guard devices[index].replica != nil else { return }
        if devices[index].jobs.values.contains(where: { $0.staged != nil }) {
            counts[.crashInJob] += 1
        }
        noteAllRead(on: index)
        for setting in devices[index].unsavedSettings { ledger.excuse(setting: setting) }
        devices[index].forgetProgram()
        agenda.add(.start(device: index, life: devices[index].life), at: now + delay)
    }

    /// Gives an event to the replica and takes up what it wants done.
    ///
    /// As in the real program nothing is heard while an install is under way: its end comes before
    /// what the watcher saw of it.
    mutating func report(_ event: ReplicaEvent, to index: Int) {
        guard devices[index].replica != nil else { return }
        guard devices[index].jobs.isEmpty else {
            devices[index].inbox.append(event)
            return
        }
        tellReplica(event, on: index)
    }

    /// An install has ended: what came meanwhile is heard after it.
    mutating func reportEnd(of job: JobID, _ outcome: JobOutcome, to index: Int) {
        tellReplica(.installed(job, outcome), on: index)
        let inbox = devices[index].inbox
        devices[index].inbox = []
        if inbox.contains(where: \.isRead), mutant != .answersOvertakeWatcher {
            drainWatcher(index)
        }
        for event in inbox { report(event, to: index) }
        actLater(index)
    }

    private mutating func tellReplica(_ event: ReplicaEvent, on index: Int) {
        trace(event, on: index)
        let moment = moment(of: index)
        guard let actions = devices[index].replica?.receive(event, at: moment) else { return }
        // As a device does when it has nothing to do; it may be at any moment.
        if case .timer = event { devices[index].replica?.giveRoomBack() }
        recording?.add(ReplicaInput(moment: moment, event: event), actions, on: index)
        take(actions, on: index)
    }

    private mutating func take(_ actions: [ReplicaAction], on index: Int) {
        devices[index].actions += actions
        actLater(index)
    }

    private mutating func actLater(_ index: Int) {
        guard !devices[index].isActing, !devices[index].actions.isEmpty else { return }
        guard devices[index].jobs.isEmpty else { return }
        devices[index].isActing = true
        agenda.add(.act(device: index, life: devices[index].life), at: now + actionTime())
    }

    private mutating func actionTime() -> Int64 {
        random.happens(perMille: 20)
            ? random.within(1_000_000...80_000_000) : random.within(1_000...150_000)
    }

    /// Does the first of the actions that wait.
    mutating func actOnce(_ index: Int) {
        devices[index].isActing = false
        guard !devices[index].actions.isEmpty, devices[index].jobs.isEmpty else { return }
        if diesAtAction(index) { return }
        guard let action = devices[index].actions.takeFirst() else { return }
        perform(action, on: index)
        actLater(index)
    }

    mutating func tell(_ index: Int, _ text: String) {
        story.tell(now, "device \(index)", text)
    }

    private mutating func trace(_ event: ReplicaEvent, on index: Int) {
        trace.add(index)
        trace.add(event.traceCode)
        if story.isTold { tell(index, "<- \(Telling.told(event))") }
    }
}

extension ReplicaEvent {
    fileprivate var isRead: Bool { if case .read = self { true } else { false } }

    /// A number for the kind of event: the trace need not hold all of it.
    var traceCode: Int {
        switch self {
        case .seen(let sightings): 100 + sightings.count
        case .listed(_, let entries): 1_000 + entries.count
        case .unlisted: 2
        case .read: 3
        case .opened: 4
        case .installed(let job, _): 5_000 + Int(job)
        case .uploaded: 6
        case .answered: 7
        case .sendFailed: 8
        case .entries(_, let entries, let head): 9_000 + entries.count + Int(head.number)
        case .historyUnknown: 10
        case .connection(let isOpen): isOpen ? 11 : 12
        case .command: 13
        case .timer: 14
        default: 15
        }
    }
}

/// Where the people keep their documents.
enum Home {
    static let container = name("iCloud.org.ubiquity.notes")
    static let documents = name("Documents")

    static func name(_ text: String) -> Name {
        guard let name = Name(text) else { preconditionFailure("\(text) is no file name") }
        return name
    }
}

/// Names and facts readable, as without encryption; only the hash is not SHA-256.
let simulatedVault = Vault(
    hash: simulatedHash, identityKey: Array("identity".utf8),
    tag: { Tag(simulatedHash($0)) }, seal: { $0 }, open: { $0 })
