import SyncCore
import SyncStore

/// One machine with a person, a disk and the device's program on it.
struct SimulatedDevice {
    let index: Int
    var id: DeviceID
    /// What its wall clock is wrong by, in nanoseconds.
    var clockError: Int64
    var hasClockJumped = false

    // The machine.
    var disk: SimulatedDisk
    /// Counts power failures: what an earlier boot planned is void.
    var boot = 0
    var editors: [Editor] = []
    /// What a program that has the package open read of it, or saved.
    var openPackage: [UInt8]?
    /// It went back to an image and has not caught up since.
    var isBehind = false
    /// What people here know by lists of versions and by what they chose of them: the contents.
    var told: Set<Digest> = []
    var programs: [Int: RunningProgram] = [:]
    var programsStarted = 0
    /// How many of the next installs somebody's save comes between.
    var savesAtInstall = 0
    /// When a program of a person's last did something.
    var lastSave: Int64 = -10_000_000_000
    var isLinkUp = true
    /// The documents, while the disk that they are on is not mounted.
    var away: DocumentsAway?
    /// When the newest of its messages reaches the server.
    var lastArrival: Int64 = 0

    // What the device's program keeps on the disk.
    let store = MemoryDeviceStore()
    /// Contents in chunks: what is to be uploaded, and what was fetched.
    var chunks: [ChunkID: [UInt8]] = [:]
    /// What a job was about to do with a file in the staging folder.
    var journal: [Name: StagingNote] = [:]

    /// Where the program's last start has put such files back.
    var putBack: [LocalPath] = []

    // The device's program, while it runs.
    var replica: Replica?
    /// Counts the program's lives: what an earlier one awaited is void.
    var life = 0
    var actions = Queue<ReplicaAction>()
    /// What came while an install was under way.
    var inbox: [ReplicaEvent] = []
    var isActing = false
    var isWatcherDue = false
    /// The folders that are watched, by inode.
    var watches: [InodeNumber: ItemID] = [:]
    var jobs: [JobID: RunningJob] = [:]
    /// Key-values that an app has set and that are not durable yet.
    var unsavedSettings: [Int] = []
    var timer: UInt64 = 0
    /// The program dies when it has done so many more actions.
    var actionsLeft: Int?
    var lastTicket: UInt64 = 0
    var request: UInt64?
    var pull: (ticket: UInt64, after: Position)?
    var uploads: [UInt64: UInt64] = [:]
    var fetches: [UInt64: Fetching] = [:]
    /// Contents that were fetched and are not in place yet.
    var fetched: [VersionID: [UInt8]] = [:]
    /// The push stream that is open, or that is being opened.
    var connection: UInt64?
    var isConnected = false

    init(index: Int, clockError: Int64, mutant: Mutant?) {
        self.index = index
        self.clockError = clockError
        id = DeviceID(high: 0xD0, low: UInt64(index) + 1)
        disk = SimulatedDisk(clock: SimulatedDevice.epoch + clockError)
        disk.knowsBirths = mutant != .inodeProvesMove
    }

    /// The wall clock's time at virtual time zero, in nanoseconds since 1970.
    static let epoch: Int64 = 1_780_000_000_000_000_000

    mutating func nextTicket() -> UInt64 {
        lastTicket += 1
        return lastTicket
    }

    /// Nobody has a document open any more.
    mutating func closeDocuments() {
        editors = []
        openPackage = nil
    }

    /// The program's memory is gone.
    mutating func forgetProgram() {
        life += 1
        replica = nil
        store.crash()
        actions = Queue()
        inbox = []
        isActing = false
        actionsLeft = nil
        isWatcherDue = false
        watches = [:]
        disk.watchedFolders = []
        disk.watchedFiles = [:]
        disk.notices = []
        jobs = [:]
        unsavedSettings = []
        request = nil
        pull = nil
        uploads = [:]
        fetches = [:]
        fetched = [:]
        connection = nil
        isConnected = false
    }
}

/// A job between its steps.
struct RunningJob {
    enum Step {
        case stage([UInt8])
        /// Looks whether the disk is as expected, and does what needs no second step.
        case swap
        case exchange
        case takeOut
        case judge
        indirect case finish(FileStamp?)
    }

    let job: InstallJob
    /// It brings a placeholder.
    var isEviction = false
    var step: Step
    /// The item's file was watched for readers, and nobody had read it.
    var wasUnread = false
    /// The file or link in the staging folder, before the swap ours and after it what came out.
    var staged: StagedFile?
}

/// A file that a job prepared beside the tree.
struct StagedFile {
    let name: Name
    let inode: InodeNumber
    /// As it was when it was ready: what the swap puts in place.
    let stamp: FileStamp
}

/// What a later start must know of a file in the staging folder; durable before the swap.
struct StagingNote {
    let path: LocalPath
    /// Of the file that was prepared; nil if the job only takes something out.
    let staged: FileStamp?
    /// What was to come out.
    let expected: FileStamp?
    /// The item whose file is parked under the name.
    let parked: ItemID?
}

/// What the program asked the server for.
enum Fetching {
    case content(FetchRequest)
    case description(ItemID, VersionID)
    case history(ItemID)
    case snapshot
}
