import CLinux
import DeviceSocket
import SyncCore
import SyncStore
import SyncTransport

/// A joined account at work on a home: the replica with its disk, its store and its server.
///
/// It does what the replica says and reports what came of it, in batches: one commit for all that a
/// batch of events changes.
final class Session {
    let home: DeviceHome
    let identity: DeviceIdentity
    let store: any DeviceStore
    let disk: SessionDisk
    let link: ServerLink
    let uploads: Uploads
    let downloads: Downloads
    var replica: Replica

    private var inbox: [ReplicaEvent] = []
    private var firstInInbox = 0
    var reads: [ReadRequest] = []
    private(set) var wakeAt: Instant?
    /// When the roots are to be looked at, whatever else happens.
    private(set) var rootsDue = Clock.now().steady.advanced(
        milliseconds: Replica.rootsInterval)
    private var notices: [ReplicaNotice] = []
    /// For the programs' queries.
    var queries = QueriedItems()
    /// Items whose records have changed since room was looked for; nil while it is not.
    var touched: Set<ItemID>?
    /// Names that could not be looked at, because their folder was being renamed.
    var postponedLooks: Set<Slot> = []
    /// Where the start has put files back that an interrupted install had taken out.
    private var putBack: [LocalPath] = []
    /// What the start could do nothing with, by its name in the staging folder, and why.
    private(set) var leftovers: [(name: Name, reason: DiskError)] = []
    /// What the disk has shown, until what the watcher had to tell before is told.
    var found: [ReplicaEvent] = []
    /// Markers that came out of the watcher and are not given back yet.
    var passedMarkers: [Marker] = []
    var lookAgainAt: Instant?
    var failedLooks = 0
    var whereabouts = ChunkWhereabouts()
    /// What stands for files whose bytes are nowhere else, until they are sent.
    var uncopied: [Digest: UncopiedFile] = [:]
    /// Items whose file has changed before all of it was sent.
    var changing: Set<ItemID> = []
    /// Events that were taken since memory was last given back, and when it is to be.
    private var eventsTaken = 0
    private(set) var memoryDue: Instant?
    /// Chunks may be forgotten.
    var hasReleased = false
    /// How often the reading thread is at a file, or is to read it.
    var longReads: [Slot: Int] = [:]
    /// Set when the device's own state can no longer be written: the session must end and begin
    /// anew from what is durable.
    var failure: StoreError?

    /// The most events, and the most files read, before the loop looks at everything else again.
    private static var batch: Int { 512 }
    private static var readBatch: Int { 64 }

    init(
        home: DeviceHome, identity: DeviceIdentity, token: String, store: any DeviceStore,
        client: HTTPClient
    ) throws(SessionError) {
        self.home = home
        self.identity = identity
        self.store = store
        do throws(DiskError) {
            disk = try SessionDisk(home: home, waker: client.waker)
        } catch {
            throw .disk(error)
        }
        link = ServerLink(client: client, identity: identity, token: token)
        uploads = Uploads(link: link, folder: disk.chunks)
        downloads = Downloads(link: link, folder: disk.downloads, assembling: disk.assembling)
        let image: ReplicaImage
        do throws(StoreError) {
            image = try Session.renumbered(store.load(), by: disk.deviceNumber, store)
        } catch {
            throw .store(error)
        }
        replica = Replica(
            image: image, device: identity.device,
            vault: .plain(identityKey: identity.identityKey), mergeRule: .lines(),
            packages: .configured(in: home),
            entropy: UInt64.random(in: .min ... .max), now: Clock.now(),
            mutant: PlantedFault.chosen)
        disk.isPackage = { [weak self] in self?.replica.isPackage($0, $1) ?? false }
        try recover()
        noteWhereabouts(image.nodes.map { .node($0.key, $0.value) })
        connectChunks()
    }

    /// A file system may have another number after a restart of the machine, with the same files.
    private static func renumbered(
        _ image: ReplicaImage, by number: UInt64, _ store: any DeviceStore
    ) throws(StoreError) -> ReplicaImage {
        let key = "device-number"
        let stored = try store.setting(key).map { String(decoding: $0, as: UTF8.self) }
        let before = stored.flatMap { UInt64($0) }
        guard before != number else { return image }
        let renumbered = before.map { image.renumbered(from: $0, to: number) } ?? image
        let changes = renumbered.nodes.filter { image.nodes[$0.key] != $0.value }
            .sorted { $0.key < $1.key }.map { ReplicaChange.node($0.key, $0.value) }
        // The files first: done twice, it changes nothing more.
        if !changes.isEmpty { try store.commit(changes) }
        try store.setSetting(key, Array(String(number).utf8))
        return renumbered
    }

    private func recover() throws(SessionError) {
        do throws(DiskError) {
            let replica = replica
            let recovered = try disk.recover(
                unsent: replica.unsentChunks, wanted: { replica.versionsElsewhere },
                place: { replica.home(of: $0) })
            for outcome in recovered {
                switch outcome {
                case .putBack(let item):
                    if let path = replica.home(of: item) { putBack.append(path) }
                case .left(let name, let reason): leftovers.append((name, reason))
                case .setAside: break
                }
            }
        } catch {
            throw .disk(error)
        }
    }

    /// Looks at the whole disk once.
    func start(containers: [Name]) {
        var actions = replica.start(at: Clock.now(), putBack: putBack)
        for name in containers {
            actions += replica.receive(.command(.openContainer(name)), at: Clock.now())
        }
        perform(actions)
    }

    func end() {
        link.end()
        disk.end()
    }

    func hasDocuments(of containers: [Name]) -> Bool {
        if !replica.status().missingRoots.isEmpty { return true }
        return containers.allSatisfy { name in
            let documents = LocalPath(names: [name, Replica.documents])
            return replica.item(at: documents).flatMap { replica.path(of: $0) } != nil
        }
    }

    // MARK: Events

    func feed(_ event: ReplicaEvent) { inbox.append(event) }

    var hasWork: Bool {
        firstInInbox < inbox.count || !reads.isEmpty || !passedMarkers.isEmpty || !found.isEmpty
            || link.hasEvents
    }

    /// Nothing is to be done, and nothing was put off.
    var isIdle: Bool {
        !hasWork && postponedLooks.isEmpty && longReads.isEmpty
            && disk.watcher.pendingWrites.isEmpty
    }

    func takeNotices() -> [ReplicaNotice] {
        let taken = notices
        notices.removeAll()
        return taken
    }

    /// Takes what has come and does what follows; some of it, if there is much.
    func step() {
        downloads.takeReports()
        uploads.goOn()
        for event in link.takeEvents() { inbox.append(event) }
        takeReadResults()
        let now = Clock.now()
        if let due = wakeAt, due <= now.steady {
            wakeAt = nil
            inbox.append(.timer)
        } else if rootsDue <= now.steady {
            inbox.append(.timer)
        }
        if rootsDue <= now.steady {
            rootsDue = now.steady.advanced(milliseconds: Replica.rootsInterval)
        }
        lookAgain(at: now.steady)
        link.connect(at: now.steady)
        readSome()
        takeBatch()
        releaseChunks()
        copyAside(at: now.steady)
        report(at: now.steady)
        giveMemoryBack(at: now.steady)
    }

    /// Much work at once leaves a heap of which little is in use, once it is over.
    private func giveMemoryBack(at now: Instant) {
        guard let due = memoryDue, due <= now, !hasWork else { return }
        memoryDue = nil
        replica.giveRoomBack()
        if reads.isEmpty { reads = [] }
        clinux_give_memory_back()
    }

    /// Who is only told of changes says now and then what it has, so that the server need not keep
    /// what nobody has any more.
    private func report(at now: Instant) {
        guard link.condition == .open, let last = link.lastReport,
            replica.installedNumber > last.installed,
            now.milliseconds(since: last.at) > 3_600_000
        else { return }
        link.pull(after: replica.cursor, installed: replica.installedNumber)
    }

    private func readSome() {
        let batch = reads.prefix(Session.readBatch)
        let syncsEach = batch.count <= SessionDisk.syncedOneByOne
        for request in batch { read(request, syncs: syncsEach) }
        reads.removeFirst(min(reads.count, Session.readBatch))
    }

    private func takeBatch() {
        guard firstInInbox < inbox.count else { return }
        let end = min(inbox.count, firstInInbox + Session.batch)
        var actions: [ReplicaAction] = []
        for event in inbox[firstInInbox..<end] {
            actions += replica.receive(event, at: Clock.now())
        }
        eventsTaken += end - firstInInbox
        if eventsTaken >= Session.batch {
            eventsTaken = 0
            memoryDue = Clock.now().steady.advanced(milliseconds: 2_000)
        }
        firstInInbox = end
        if firstInInbox == inbox.count {
            inbox.removeAll(keepingCapacity: inbox.count <= 4 * Session.batch)
            firstInInbox = 0
        }
        perform(actions)
    }

    /// Does the actions of one batch: what is to be durable first, then the rest in its order.
    private func perform(_ actions: [ReplicaAction]) {
        var changes: [ReplicaChange] = []
        for case .persist(let list) in actions { changes += list }
        if !changes.isEmpty {
            disk.syncFound(before: changes)
            do throws(StoreError) {
                try store.commit(changes)
            } catch {
                failure = error
                return
            }
            queries.note(changes, replica)
            if touched != nil { for case .node(let id, _?) in changes { touched?.insert(id) } }
            noteWhereabouts(changes)
        }
        var installs: [InstallJob] = []
        for action in actions {
            if case .install(let job) = action {
                installs.append(job)
                continue
            }
            perform(action)
        }
        if !installs.isEmpty { install(installs) }
    }

    private func perform(_ action: ReplicaAction) {
        switch action {
        case .persist, .install: break
        case .list(let folder, let path): list(folder, path)
        case .unwatch(let folder): disk.watcher.unwatch(folder)
        case .look(let slot, _): look(slot)
        case .read(let request): reads.append(request)
        case .watchReading(let item, let path): watchReading(item, at: path)
        case .forgetReaders(let item): _ = disk.watcher.forgetReading(item)
        case .fetch(let request): fetch(request)
        case .inquireHistory(let item): inquireHistory(of: item)
        case .load(let item, let version):
            feed(.loaded(item, version, downloads.bytes(of: version)))
        case .keep(let item, let bytes): keep(bytes, of: item)
        case .releaseFetched(let version):
            downloads.release(version) { [replica] in replica.awaitsContent($0) }
        case .inquire(let item, let version): link.inquire(item, version)
        case .upload(let entry, let chunks): upload(entry, chunks)
        case .releaseUpload(let entry):
            uploads.cancel(entry)
            hasReleased = true
            if let item = replica.item(ofEntry: entry) { changing.remove(item) }
        case .inquireSnapshot(let landmarks): link.snapshot(having: landmarks)
        case .recallAncestry(let number): recallAncestry(after: number)
        case .send(let incarnation, let operations, let cursor):
            link.send(
                incarnation, operations, after: cursor, installed: replica.installedNumber)
        case .pull(let position):
            link.pull(after: position, installed: replica.installedNumber)
        case .wake(let instant): wakeAt = min(wakeAt ?? instant, instant)
        case .notify(let notice): notices.append(notice)
        }
    }
}

/// Why a session cannot begin.
enum SessionError: Error, Equatable {
    case disk(DiskError)
    case store(StoreError)
}
