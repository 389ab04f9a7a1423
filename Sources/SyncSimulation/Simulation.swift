package import SyncCore

/// Some devices, their people and a server on virtual time; everything follows from the plan.
package struct Simulation {
    let plan: Plan
    let mutant: Mutant?
    /// With one, names, facts and contents are encrypted.
    let cipher: Cipher?
    let vault: Vault
    /// Nanoseconds since the beginning.
    var now: Int64 = 0
    var agenda = Agenda<Happening>()
    /// For delays and mishaps; people decide by the salts of the plan.
    var random: RandomSource
    var devices: [SimulatedDevice]
    var server: SimulatedServer
    var ledger: Ledger
    var acknowledged = AcknowledgementChecker()
    var counts = Counts()
    var trace = TraceDigest()
    /// Of ids, heads, places and numbers.
    var shape = TraceDigest()
    var witness: Witness
    /// What was found to be broken before the end.
    var found: [Violation] = []
    /// A device has said that a container, or its `Documents`, is not there.
    var wasUnavailable = false
    /// What is broken is beyond going on.
    var isHalted = false
    /// The hashes of all contents that the server has had, without those that went with a history.
    var known: Set<Digest> = []
    /// The hashes of what went with histories.
    var knownBefore: Set<Digest> = []
    /// What was kept of the server, and of devices, to be put back.
    var backups: [SimulatedServer.Backup] = []
    var images: [DeviceImage] = []
    /// Of the encounter that is about one; empty before it is first saved.
    var longText: [UInt8] = []
    var duePutBack: [Int] = []
    var sentWrites: [WriteID: RegisterChecker.Sent] = [:]
    /// Operations that were decided since the calm began, but for those that were known.
    var decidedInCalm = 0
    var changedAtCalm = 0
    var story: Story
    /// Nil unless it was asked for.
    var recording: Recording?
    var weather: Plan.Weather
    /// After the plan's end nothing breaks any more.
    var isCalm = false
    var steps = 0
    /// The last moment at which a disk, an outbox or the log changed.
    var lastChange: Int64 = 0

    package init(plan: Plan, mutant: Mutant? = nil, isTold: Bool = false) {
        self.init(plan: plan, mutant: mutant, isTold: isTold, cipher: nil)
    }

    /// A vault is for who records what real devices would do; a cipher brings its own.
    init(
        plan: Plan, mutant: Mutant?, isTold: Bool = false, cipher: Cipher? = nil,
        vault: Vault = simulatedVault
    ) {
        self.plan = plan
        self.mutant = mutant
        self.cipher = cipher
        self.vault = cipher?.vault ?? vault
        random = RandomSource(seed: plan.seed ^ 0x5EED)
        devices = (0..<plan.devices).map {
            SimulatedDevice(index: $0, clockError: plan.clockErrors[$0], mutant: mutant)
        }
        server = SimulatedServer(devices: plan.devices, mutant: mutant, hash: self.vault.hash)
        witness = Witness(devices: plan.devices)
        ledger = Ledger(devices: plan.devices)
        weather = plan.weather
        story = Story(isTold: isTold)
    }
}

/// What the agenda holds.
enum Happening {
    case planned(Int)
    /// A person's program goes on.
    case program(device: Int, boot: Int, id: Int)
    case start(device: Int, life: Int)
    case act(device: Int, life: Int)
    case watcher(device: Int, life: Int)
    // The large ones lie apart: what happens is moved about.
    indirect case report(device: Int, life: Int, ReplicaEvent)
    indirect case readAgain(device: Int, life: Int, ReadRequest, InodeNumber, FileStamp)
    case job(device: Int, life: Int, JobID)
    case timer(device: Int, life: Int, timer: UInt64)
    case connect(device: Int, life: Int, after: UInt64?)
    case streamDied(device: Int, connection: UInt64)
    case requestTimeout(device: Int, life: Int, ticket: UInt64)
    case pullTimeout(device: Int, life: Int, ticket: UInt64)
    case uploadTimeout(device: Int, life: Int, ticket: UInt64)
    case fetchTimeout(device: Int, life: Int, ticket: UInt64)
    case toServer(device: Int, Message)
    case cut(device: Int, life: Int, Message)
    case toDevice(device: Int, life: Int, Message)
    case serverWork(life: Int)
    case serverCommit(life: Int)
    case serverStart
    case linkUp(device: Int)
    /// The first connection of a device that joins late.
    case join(device: Int)
    case diskFreed(device: Int)
    /// The disk that the documents are on is there again.
    case mounted(device: Int)
    case daysPass(Int)
    /// A backup of the server is put back.
    case serverRestored(backup: Int)
    case deviceRestored(image: Int)
    case joinedAgain(device: Int)
}

extension Simulation {
    /// Runs the plan, lets all end, and judges.
    package mutating func run() -> Report { judge(isQuiet: runToTheEnd()) }

    /// False if it was never quiet.
    mutating func runToTheEnd() -> Bool {
        begin()
        for (index, item) in plan.items.enumerated() {
            agenda.add(.planned(index), at: item.time)
        }
        run(until: (plan.items.last?.time ?? 0) + 5_000_000_000)
        return comeToRest()
    }

    mutating func begin() {
        for device in devices.indices { agenda.add(.start(device: device, life: 0), at: 0) }
        joinLate()
    }

    mutating func run(until end: Int64) {
        while let time = agenda.nextTime, time <= end, steps < Bounds.allSteps, !isHalted {
            takeNext()
        }
        now = end
    }

    /// One happening at a time, until something has come about; false if it does not by then.
    mutating func run(
        until end: Int64, or hasComeAbout: (Simulation) -> Bool
    ) -> Bool {
        while let time = agenda.nextTime, time <= end {
            if hasComeAbout(self) { return true }
            takeNext()
        }
        return hasComeAbout(self)
    }

    /// All is repaired, and ends; false if it is never quiet.
    mutating func comeToRest() -> Bool {
        heal()
        beginCalm()
        return runUntilQuiet()
    }

    /// False if it is never quiet within the bounds.
    private mutating func runUntilQuiet() -> Bool {
        let start = now
        let firstStep = steps
        lastChange = now
        while let time = agenda.nextTime {
            if time - lastChange > Bounds.quiet || isHalted { return true }
            if time - start > Bounds.time || steps - firstStep > Bounds.steps { return false }
            takeNext()
        }
        return true
    }

    private mutating func takeNext() {
        guard let (time, item) = agenda.takeNext() else { return }
        now = max(now, time)
        steps += 1
        trace.add(UInt64(bitPattern: now))
        for index in devices.indices {
            devices[index].disk.advance(to: now, clock: clock(of: index))
        }
        happen(item)
    }

    /// How soon all must be quiet once nothing breaks.
    enum Bounds {
        /// Nothing changes for so long: it is quiet.
        static let quiet: Int64 = 180_000_000_000
        static let time: Int64 = 3_600_000_000_000
        static let steps = 20_000
        /// In all: a schedule that takes more is going in circles.
        static let allSteps = 120_000
    }

    private mutating func happen(_ item: Happening) {
        switch item {
        case .planned(let index): take(plan.items[index])
        case .program(let device, let boot, let id):
            if devices[device].boot == boot { continueProgram(id, on: device) }
        case .start(let device, let life):
            if devices[device].life == life { start(device) }
        case .linkUp(let device), .join(let device): setLink(of: device, isUp: true)
        case .mounted(let device): mount(device)
        case .daysPass(let count): passDays(count)
        case .serverRestored(let backup): restoreServer(backup)
        case .deviceRestored(let image): restoreDevice(image)
        case .joinedAgain(let device): joinAgain(device)
        case .diskFreed(let device): devices[device].disk.isFull = false
        case .toServer(let device, let message): serverReceives(message, from: device)
        case .serverWork(let life): if server.life == life { serverWorks() }
        case .serverCommit(let life): if server.life == life { serverCommits() }
        case .serverStart: startServer()
        case .streamDied(let device, let connection): loseStream(device, connection)
        default: happenToProgram(item)
        }
    }

    private mutating func happenToProgram(_ item: Happening) {
        switch item {
        case .act(let device, let life):
            if isAlive(device, life) { actOnce(device) }
        case .watcher(let device, let life):
            if isAlive(device, life) { readWatcher(device) }
        case .report(let device, let life, let event):
            if isAlive(device, life) { report(event, to: device) }
        case .readAgain(let device, let life, let request, let inode, let stamp):
            if isAlive(device, life) { finishReading(request, inode, stamp, on: device) }
        case .job(let device, let life, let id):
            if isAlive(device, life) { continueJob(id, on: device) }
        case .timer(let device, let life, let timer):
            if isAlive(device, life), devices[device].timer == timer { report(.timer, to: device) }
        case .connect(let device, let life, let previous):
            if isAlive(device, life) { connect(device, after: previous) }
        case .requestTimeout(let device, let life, let ticket):
            if isAlive(device, life) { giveUpRequest(ticket, on: device) }
        case .pullTimeout(let device, let life, let ticket):
            if isAlive(device, life) { pullAgain(ticket, on: device) }
        case .uploadTimeout(let device, let life, let ticket):
            if isAlive(device, life) { endUpload(ticket, succeeded: false, on: device) }
        case .fetchTimeout(let device, let life, let ticket):
            if isAlive(device, life) { giveUpFetch(ticket, on: device) }
        case .cut(let device, let life, let message):
            if isAlive(device, life) { endCut(message, on: device) }
        case .toDevice(let device, let life, let message):
            if isAlive(device, life) { deviceReceives(message, on: device) }
        default: break
        }
    }

    func isAlive(_ device: Int, _ life: Int) -> Bool {
        devices[device].life == life && devices[device].replica != nil
    }
}
