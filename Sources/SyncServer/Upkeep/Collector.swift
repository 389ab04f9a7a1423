import Dispatch
import SyncCore
import SyncStore
import Synchronization

/// Why a collection does not go on; it is made again from where it stands.
struct CollectionFailure: Error {
    let reason: String
}

/// Drops what the rules say that nobody can want any more, in steps between which others write.
struct Collector: Sendable {
    let authority: Authority
    let retention: Retention
    let committer: Committer
    let contacts: Contacts
    let chunks: FileChunkStore
    let arrivals: ChunkArrivals

    /// Versions, values and chunks in one transaction.
    private static let stepSize = 500

    /// Makes the running time, and what devices said since the last time, durable.
    func note(_ clock: CollectionClock) -> Bool {
        let said = contacts.takeInstallations()
        do throws(CollectionFailure) {
            try write { database throws(StoreError) in
                try database.set(clock)
                for (device, report) in said {
                    try database.noteContact(
                        device, of: report.account, at: report.moment,
                        installed: report.installed)
                }
            }
            return true
        } catch {
            contacts.putBack(said)
            return false
        }
    }

    func collect(_ collection: UInt64, _ connection: ReadConnection) throws(CollectionFailure) {
        let accounts = try reading { () throws(StoreError) in
            try connection.database.accountIDs()
        }
        for account in accounts { try collect(account, collection) }
        try removeFiles(connection)
    }

    private func collect(
        _ account: AccountID, _ collection: UInt64
    ) throws(CollectionFailure) {
        try write { [authority] database throws(StoreError) in
            let store = database.account(account)
            try store.apply(authority.beginCollection(collection, reading: store))
        }
        var last: Replaced<VersionID>?
        var isOver = false
        while !isOver {
            let step = try write { [authority, retention, last] database throws(StoreError) in
                let store = database.account(account)
                let step = try authority.collect(
                    collection, retention, after: last, limit: Collector.stepSize, reading: store)
                try store.apply(step.changes)
                return step
            }
            last = step.next
            isOver = step.isOver
        }
    }

    /// Removes the files of chunks that are marked and that no account has.
    private func removeFiles(_ connection: ReadConnection) throws(CollectionFailure) {
        while true {
            let marked = try reading { () throws(StoreError) in
                try connection.database.markedChunks(limit: Collector.stepSize)
            }
            let gone = try reading { () throws(StoreError) in
                try arrivals.withoutArriving(marked) { still throws(StoreError) in
                    var unwanted: [ChunkID] = []
                    for chunk in still where try !connection.database.hasChunkAnywhere(chunk) {
                        unwanted.append(chunk)
                    }
                    try chunks.remove(unwanted)
                    return still
                }
            }
            guard !gone.isEmpty else { return }
            try write { [gone] database throws(StoreError) in
                for chunk in gone { try database.forgetMarkedChunk(chunk) }
            }
        }
    }

    // MARK: The database

    private func reading<Value>(
        _ body: () throws(StoreError) -> Value
    ) throws(CollectionFailure) -> Value {
        do throws(StoreError) {
            return try body()
        } catch {
            throw CollectionFailure(reason: "\(error)")
        }
    }

    /// Has work done by the committer, and waits for it.
    @discardableResult
    private func write<Value: Sendable>(
        _ work: @escaping @Sendable (ServerDatabase) throws(StoreError) -> Value
    ) throws(CollectionFailure) -> Value {
        let outcome = WriteOutcome<Value>()
        let write = Write(
            weight: 1,
            perform: { database throws(StoreError) in
                let value = try work(database)
                return Performed(answer: { outcome.set(.success(value)) })
            },
            fail: { outcome.set(.failure(CollectionFailure(reason: $0.message))) })
        guard committer.submit(write) else {
            throw CollectionFailure(reason: "too much is waiting to be written")
        }
        return try outcome.wait().get()
    }
}

/// What became of work that another thread does.
private final class WriteOutcome<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, CollectionFailure>?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func set(_ value: Result<Value, CollectionFailure>) {
        result.withLock { $0 = value }
        isThere.signal()
    }

    func wait() -> Result<Value, CollectionFailure> {
        isThere.wait()
        return result.withLock { $0 } ?? .failure(CollectionFailure(reason: "it was not done"))
    }
}
