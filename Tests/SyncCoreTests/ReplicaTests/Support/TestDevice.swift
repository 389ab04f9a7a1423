import SyncCore
import SyncStore
import Testing

/// A device: a disk, a store, the replica, and a shell that does at once what the replica says.
final class TestDevice {
    static let container = name("iCloud.test")
    static let documents = name("Documents")

    let id: DeviceID
    let cloud: TestCloud
    /// Counts from the next start.
    var mergeRule = MergeRule.lines(inlineLimit: 100)
    var disk: TestDisk
    var store = MemoryDeviceStore()
    private(set) var replica: Replica?
    private var actions: [ReplicaAction] = []
    private var life: UInt64 = 0

    /// Steady and wall time are the same, but for the wall clock's error.
    var now: Int64 = 1_000_000_000_000
    var clockError: Int64 = 0
    var wakeAt: Instant?

    // The network.
    var isOnline = false
    /// What has come from the server and was not delivered yet.
    var incoming: [ReplicaEvent] = []
    /// The request that was not answered yet.
    var request: (Incarnation, [Operation])?
    /// Answers are lost on their way while it is set.
    var losesAnswers = false
    var holdsUploads = false
    /// Content that comes with a version is damaged on its way.
    var damages = false
    /// Contents that do not travel with the log cannot be had.
    var cannotFetch = false
    /// Contents are asked for, and do not come.
    var holdsFetches = false
    var heldFetches: [FetchRequest] = []
    /// What was said to be needed no more.
    var released: [VersionID] = []
    var heldUploads: [(entry: UInt64, chunks: [ChunkReference])] = []

    // The device's own folder.
    var fetched: [VersionID: [UInt8]] = [:]
    var chunks: [ChunkID: [UInt8]] = [:]

    // What happens at a bad moment.
    /// The program dies after the next action that this is true of.
    var dies: ((ReplicaAction) -> Bool)?
    /// The program dies before the next action that this is true of.
    var diesBefore: ((ReplicaAction) -> Bool)?
    /// Happens once, between the decision to install and the install.
    var beforeInstall: (() -> Void)?
    /// Happens before each look at a name that the replica asks for.
    var beforeLook: (() -> Void)?
    var looks = 0
    /// How often it asked for a part of the log.
    var pulls = 0
    /// Happens once, between a read and its report.
    var onRead: (() -> Void)?
    /// Programs write to these files: they can neither be read nor replaced.
    var busy: Set<Inode> = []
    var notices: [ReplicaNotice] = []
    /// Made at the start, and kept with what is persisted.
    var index: ItemIndex?

    init(_ name: String, cloud: TestCloud) {
        id = DeviceID(label: name)
        self.cloud = cloud
        disk = TestDisk(clock: 1_700_000_000_000_000_000 + Int64(id.high >> 56) * 1_000)
    }

    static func name(_ text: String) -> Name {
        guard let name = Name(text) else { preconditionFailure("no name: \(text)") }
        return name
    }

    // MARK: Life

    var moment: Moment {
        Moment(
            steady: Instant(nanoseconds: now),
            wall: WallTime(milliseconds: now / 1_000_000 + clockError))
    }

    func start(putBack: [String] = []) {
        life += 1
        guard let image = try? store.load() else { preconditionFailure("memory cannot fail") }
        var replica = Replica(
            image: image, device: id, vault: testVault, mergeRule: mergeRule, entropy: life,
            now: moment)
        actions = replica.start(
            at: moment, putBack: putBack.map { LocalPath(names: names($0)) })
        self.replica = replica
        index = replica.makeIndex()
        report(.command(.openContainer(TestDevice.container)))
        run()
        if isOnline { report(.connection(isOpen: true)) }
    }

    /// The program dies; what was not persisted is gone.
    func crash() {
        store.crash()
        replica = nil
        actions = []
        incoming = []
        request = nil
        heldUploads = []
        wakeAt = nil
        disk.notices = []
        disk.watched = [:]
        disk.watchedReaders = [:]
        fetched = [:]
    }

    func restart() {
        crash()
        start()
    }

    func goOnline() {
        isOnline = true
        cloud.listeners[id] = self
        report(.connection(isOpen: true))
        run()
    }

    func goOffline() {
        isOnline = false
        cloud.listeners[id] = nil
        incoming = []
        if request != nil {
            request = nil
            report(.sendFailed)
        }
        report(.connection(isOpen: false))
        run()
    }

    // MARK: Events

    func report(_ event: ReplicaEvent) {
        guard let new = replica?.receive(event, at: moment) else { return }
        actions += new
    }

    /// Does what the replica wants until it wants nothing more.
    func run() {
        var count = 0
        while !actions.isEmpty {
            count += 1
            guard count < 20_000 else {
                Issue.record("\(id) does not come to rest: \(actions.prefix(3))")
                return crash()
            }
            let action = actions.removeFirst()
            if diesBefore?(action) == true {
                diesBefore = nil
                return crash()
            }
            let isLast = dies?(action) == true
            perform(action)
            if isLast {
                dies = nil
                return crash()
            }
        }
        expectIndex()
    }

    /// Reads the watcher's queue as one batch of names, as they are by now.
    func watch() {
        let places = disk.notices
        disk.notices = []
        let sightings = places.compactMap { place in
            disk.watched[place.folder].map {
                Sighting(slot: Slot(folder: $0, name: place.name), entry: disk.entry(at: place))
            }
        }
        if !sightings.isEmpty { report(.seen(sightings)) }
        run()
    }

    /// Takes what the server has sent, in its order.
    func deliver() {
        while !incoming.isEmpty, replica != nil {
            let event = incoming.removeFirst()
            report(damages ? event.damaged : event)
            run()
        }
    }

    /// The moment that it asked to be woken at has come.
    func wake() {
        wakeAt = nil
        report(.timer)
        run()
    }
}
