import SyncCore
import SyncWire

/// A server on virtual time: the production rules, a store in memory, and a process that can die.
struct SimulatedServer {
    /// A request that waits for its commit.
    struct Waiting {
        let device: Int
        let ticket: UInt64
        let message: OperationsMessage
    }

    /// A decision that is not durable yet.
    struct Undurable {
        let device: Int
        let ticket: UInt64
        let decision: Decision
    }

    /// What an entry is taken to weigh against a pull's limit.
    private static let bytesOfAnEntry = 256

    var authority: Authority
    private let hash: HashFunction
    /// What is committed.
    private(set) var durable: AccountTables
    /// When each entry of the log was committed, in virtual time.
    private(set) var commitTimes: [Int64] = []
    /// The same with what the group under way has written.
    private(set) var tables: AccountTables
    private(set) var uncommitted: [AccountChange] = []

    /// Devices whose keys are not taken any more.
    var revoked: Set<DeviceID> = []
    /// How often it was restored, as one would count it.
    private var epoch = 0
    /// By device: the count that it was told last.
    private var epochs: [Int]

    /// The server's days.
    var clock = CollectionClock()
    /// Milliseconds that passed for the server while nothing happened.
    var idle: Int64 = 0

    var isRunning = true
    /// What its wall clock is wrong by, in nanoseconds.
    var clockError: Int64 = 0
    var hasClockJumped = false
    /// Counts the server's lives: what an earlier one planned is void.
    var life = 0
    var waiting: [Waiting] = []
    var group: [Undurable] = []
    var isWorking = false
    /// By device: the newest request, by the server's clock.
    var contacts: [WallTime]
    /// By device: the push stream that is open.
    var streams: [PushStream?]

    struct PushStream {
        let connection: UInt64
        /// When the newest message arrives: a stream keeps the order.
        var lastArrival: Int64 = 0
    }

    init(devices: Int, mutant: Mutant?, hash: @escaping HashFunction) {
        authority = Authority(mutant: mutant)
        durable = AccountTables(mutant: mutant)
        durable.reports = Array(repeating: DeviceReport(number: 0, heard: 0), count: devices)
        tables = durable
        self.hash = hash
        contacts = Array(repeating: WallTime(milliseconds: 0), count: devices)
        streams = Array(repeating: nil, count: devices)
        epochs = Array(repeating: 0, count: devices)
    }

    /// Decides one request within the group under way.
    mutating func decide(_ waiting: Waiting, as device: DeviceID, at now: WallTime) {
        let operations = waiting.message.operations.map {
            ReceivedOperation(operation: $0.operation, hash: hash($0.body))
        }
        let request = OperationRequest(
            incarnation: waiting.message.incarnation, operations: operations,
            cursor: waiting.message.cursor)
        let sender = Sender(
            device: device, now: now, lastContact: contacts[waiting.device], hash: hash)
        let decision =
            isOfThisEpoch(waiting.device)
            ? authority.decide(request, from: sender, reading: tables)
            : Decision(answer: .historyUnknown)
        for change in decision.changes { tables.apply(change) }
        uncommitted += decision.changes
        contacts[waiting.device] = now
        group.append(
            Undurable(device: waiting.device, ticket: waiting.ticket, decision: decision))
    }

    /// Makes the group durable.
    mutating func commit(at time: Int64) {
        for change in uncommitted {
            if case .entry = change { commitTimes.append(time) }
            durable.apply(change)
        }
        uncommitted = []
    }

    /// What a device says that it has.
    mutating func hear(from device: Int, installed: UInt64?) {
        let number = installed ?? durable.reports[device].number
        durable.reports[device] = DeviceReport(number: number, heard: clock.collections)
        tables.reports = durable.reports
    }

    /// A transaction of its own, while no other is under way.
    mutating func commit(collected changes: [AccountChange]) {
        for change in changes { durable.apply(change) }
        tables = durable
    }

    mutating func removeMarkedChunks() -> Int {
        let count = durable.removeMarkedChunks()
        _ = tables.removeMarkedChunks()
        return count
    }

    mutating func keep(_ chunk: [UInt8]) {
        let id = hash(chunk)
        durable.keep(chunk, as: id)
        tables.keep(chunk, as: id)
    }

    /// The process dies: what was not committed is gone, and so are all connections.
    mutating func crash() {
        isRunning = false
        life += 1
        waiting = []
        group = []
        isWorking = false
        streams = Array(repeating: nil, count: streams.count)
        uncommitted = []
        tables = durable
    }

    mutating func openStream(_ connection: UInt64, to device: Int) -> Bool {
        if let stream = streams[device], stream.connection > connection { return false }
        streams[device] = PushStream(connection: connection)
        return true
    }

    /// The log after a position that is part of it.
    func answer(to pull: PullMessage) -> PullAnswer {
        let count = max(1, Int(pull.limit) / Self.bytesOfAnEntry)
        let entries = durable.log.dropFirst(Int(pull.after.number)).prefix(count)
        return .entries(after: pull.after, Array(entries), head: durable.position())
    }

    // MARK: - Histories

    /// Whether the device's position is part of the log.
    func holds(_ position: Position, of device: Int) -> Bool {
        isOfThisEpoch(device) && authority.holds(position, reading: durable)
    }

    mutating func snapshot(for landmarks: [Position], of device: Int) -> AccountSnapshot {
        epochs[device] = epoch
        return authority.snapshot(for: landmarks, at: clock.collections, reading: durable)
    }

    /// Only the mutant counts.
    private func isOfThisEpoch(_ device: Int) -> Bool {
        durable.mutant != .epochAsCounter || epochs[device] == epoch
    }

    /// What a backup of the server's folder holds.
    struct Backup {
        let durable: AccountTables
        let commitTimes: [Int64]
        let clock: CollectionClock
        let contacts: [WallTime]
        let epoch: Int
        /// What the checkers knew of days and absences, for them alone.
        var witnessed: Witness.Days?
    }

    var backup: Backup {
        Backup(
            durable: durable, commitTimes: commitTimes, clock: clock, contacts: contacts,
            epoch: epoch)
    }

    /// The process must be dead.
    mutating func restore(_ backup: Backup) {
        let lost = durable.lostContents(without: backup.durable)
        let returned = durable.itemsThatReturn(with: backup.durable)
        durable = backup.durable
        durable.returned = returned
        durable.lost.merge(lost) { $1 }
        tables = durable
        commitTimes = backup.commitTimes
        clock = backup.clock
        contacts = backup.contacts
        epoch = backup.epoch + 1
    }
}
