import SyncCore
import SyncStore
import SyncTransport

/// The one thread that writes the database.
///
/// It takes all that is waiting into one transaction, and answers and pushes once that is durable:
/// many requests share one sync of the disk, and a single one waits for nobody.
final class Committer: Sendable {
    private let mailbox: Mailbox<Write>
    private let thread: WorkThread

    /// Takes over the connection.
    init(
        database: sending ServerDatabase, limits: ServerLimits, hub: PushHub, metrics: Metrics
    ) throws(SystemError) {
        let mailbox = Mailbox<Write>(capacity: limits.waitingRequests)
        self.mailbox = mailbox
        let work = CommitLoop(
            database: database, mailbox: mailbox, operationsMax: limits.operationsInCommit,
            hub: hub, metrics: metrics)
        thread = try WorkThread { work.run() }
    }

    /// The thread knows the mailbox alone.
    deinit { mailbox.close() }

    /// False if too much is waiting.
    func submit(_ write: Write) -> Bool { mailbox.put(write) }

    /// Does what is waiting, and ends.
    func close() {
        mailbox.close()
        thread.join()
    }
}

/// What the committer's thread does.
///
/// Only that thread uses it and the connection in it.
private final class CommitLoop: @unchecked Sendable {
    private let database: ServerDatabase
    private let mailbox: Mailbox<Write>
    private let operationsMax: Int
    private let hub: PushHub
    private let metrics: Metrics

    init(
        database: ServerDatabase, mailbox: Mailbox<Write>, operationsMax: Int, hub: PushHub,
        metrics: Metrics
    ) {
        self.database = database
        self.mailbox = mailbox
        self.operationsMax = operationsMax
        self.hub = hub
        self.metrics = metrics
    }

    func run() {
        while let first = mailbox.take() {
            commit(group(from: first))
        }
    }

    /// The first write with all that wait behind it, as far as they fit into one transaction.
    private func group(from first: Write) -> [Write] {
        var group = [first]
        var weight = first.weight
        while let next = mailbox.takeNow(if: { weight + $0.weight <= operationsMax }) {
            group.append(next)
            weight += next.weight
        }
        return group
    }

    private func commit(_ group: [Write]) {
        let start = Clocks.steady()
        do throws(StoreError) {
            let performed = try database.transaction { database throws(StoreError) in
                var performed: [Performed] = []
                for write in group { performed.append(try write.perform(database)) }
                return performed
            }
            record(group.count, since: start)
            tell(performed)
        } catch {
            metrics.commitsFailed.add()
            refuse(group, error)
        }
    }

    /// What failed together is tried alone: one request that cannot be done must not take others
    /// with it.
    private func refuse(_ group: [Write], _ error: StoreError) {
        guard group.count == 1, let write = group.first else {
            for write in group { commit([write]) }
            return
        }
        ServerLog.write("a request was not stored: \(error)")
        write.fail(APIError(error))
    }

    private func record(_ count: Int, since start: Instant) {
        let elapsed = (Clocks.steady().nanoseconds - start.nanoseconds) / 1000
        metrics.commitLatency.record(microseconds: UInt64(max(0, elapsed)))
        metrics.commits.add()
        metrics.requestsCommitted.add(count)
        metrics.largestGroup.raise(to: count)
    }

    /// Pushes before it answers: another device waits for the push, nobody for the answer.
    private func tell(_ performed: [Performed]) {
        var news: [AccountID: News] = [:]
        for item in performed.compactMap(\.news) {
            if news[item.account] == nil {
                news[item.account] = item
            } else {
                news[item.account]?.entries += item.entries
            }
        }
        for item in news.values { hub.publish(item.entries, after: item.after, to: item.account) }
        for item in performed { item.answer() }
    }
}
