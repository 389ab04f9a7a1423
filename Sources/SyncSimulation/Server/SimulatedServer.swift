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
    }

    /// Decides one request within the group under way.
    mutating func decide(_ waiting: Waiting, as device: DeviceID, at now: WallTime) {
        let operations = waiting.message.operations.map {
            ReceivedOperation(operation: $0.operation, hash: hash($0.body))
        }
        let request = OperationRequest(
            incarnation: waiting.message.incarnation, operations: operations)
        let sender = Sender(
            device: device, now: now, lastContact: contacts[waiting.device], hash: hash)
        let decision = authority.decide(request, from: sender, reading: tables)
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

    /// The log after a position, or that the position is no part of it.
    func answer(to pull: PullMessage) -> PullAnswer {
        let head = durable.position()
        let start = pull.after.number
        guard start <= head.number, position(at: start) == pull.after else {
            return .historyUnknown
        }
        let count = max(1, Int(pull.limit) / Self.bytesOfAnEntry)
        let entries = durable.log.dropFirst(Int(start)).prefix(count)
        return .entries(after: pull.after, Array(entries), head: head)
    }

    private func position(at number: UInt64) -> Position {
        number == 0 ? .start : durable.log[Int(number) - 1].position
    }
}
