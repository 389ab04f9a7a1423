import SyncCore
import SyncTransport
import SyncWire

/// Chunks on their way to the server: those that it has do not travel, and of the others only
/// little is under way at a time, of one operation after the other, so that none waits for a long
/// one.
final class Uploads {
    private let link: ServerLink
    private let folder: ChunkFolder
    /// What is under way for an operation; it may begin anew with other chunks.
    private var runs: [UInt64: Run] = [:]
    private var lastRun: UInt64 = 0
    /// Operations with chunks to send, the one whose turn it is first.
    private var turns: [UInt64] = []
    private var bytesUnderWay = 0
    /// Operations of which the server was once not asked for all chunks.
    private var trusting: Set<UInt64> = []

    /// The bytes of chunks that are in the file of an operation, if it still has all of them.
    var fileChunks: (UInt64, Set<ChunkID>) -> [ChunkID: [UInt8]]? = { _, _ in nil }

    private struct Run {
        let number: UInt64
        /// What the server is to be asked for.
        var unasked: ArraySlice<ChunkReference>
        /// What it does not have.
        var left: [ChunkReference] = []
        var isAsked = false
        var sent = 0
        var requestsUnderWay = 0
    }

    init(link: ServerLink, folder: ChunkFolder) {
        self.link = link
        self.folder = folder
    }

    /// Brings an unsent operation's chunks to the server.
    ///
    /// It has those that are known, as far as this device can say: it is not asked for them before
    /// it has refused the operation.
    func start(_ entry: UInt64, _ chunks: [ChunkReference], known: Set<ChunkID>) {
        let trusted = trusting.insert(entry).inserted ? known : []
        var seen: Set<ChunkID> = []
        let unasked = chunks.filter { !trusted.contains($0.id) && seen.insert($0.id).inserted }
        lastRun += 1
        runs[entry] = Run(number: lastRun, unasked: unasked[...])
        ask(entry, lastRun)
    }

    /// The operation needs its chunks no more.
    func cancel(_ entry: UInt64) {
        runs[entry] = nil
        trusting.remove(entry)
    }

    private func ask(_ entry: UInt64, _ run: UInt64) {
        guard let question = runs[entry]?.unasked.prefix(ChunkTransfer.questionChunks) else {
            return
        }
        guard !question.isEmpty else {
            runs[entry]?.isAsked = true
            turns.append(entry)
            return send()
        }
        runs[entry]?.unasked.removeFirst(question.count)
        let list = ChunkList(question.map(\.id))
        link.start(link.request("POST", "/v1/sync/chunks/missing", body: list.message())) {
            [weak self] result in
            guard let self, self.runs[entry]?.number == run else { return }
            guard case .success(let response) = result, response.isSuccess,
                let missing = try? ChunkList(message: response.body)
            else {
                self.link.note(result)
                return self.end(entry, .uploaded(entry: entry, succeeded: false))
            }
            let wanted = Set(missing.chunks)
            self.runs[entry]?.left += question.filter { wanted.contains($0.id) }
            self.ask(entry, run)
        }
    }

    /// Goes on if it waited for its share of a limit.
    func goOn() {
        if !turns.isEmpty { send() }
    }

    /// When a limit lets it go on; nil if it waits for no limit.
    func due(after now: Instant) -> Instant? { turns.isEmpty ? nil : link.up.due(after: now) }

    /// Sends as much as may be under way, of each operation a request by turns.
    private func send() {
        while let entry = turns.first {
            guard let run = runs[entry], run.isAsked else {
                turns.removeFirst()
                continue
            }
            let bundle = nextBundle(run)
            guard !bundle.isEmpty else {
                turns.removeFirst()
                if run.requestsUnderWay == 0 {
                    end(entry, .uploaded(entry: entry, succeeded: true))
                }
                continue
            }
            let size = bundle.reduce(0) { $0 + Int($1.size) }
            guard link.up.isFree(at: Clock.now().steady) else { return }
            guard bytesUnderWay == 0 || bytesUnderWay + size <= ChunkTransfer.bytesUnderWay else {
                return
            }
            turns.removeFirst()
            if put(bundle, size, entry, run.number) { turns.append(entry) }
        }
    }

    private func nextBundle(_ run: Run) -> ArraySlice<ChunkReference> {
        var size = 0
        var end = run.sent
        while end < run.left.count {
            size += Int(run.left[end].size)
            if end > run.sent, size > ChunkTransfer.requestBytes { break }
            end += 1
        }
        return run.left[run.sent..<end]
    }

    /// False if the operation's chunks cannot be had.
    private func put(
        _ bundle: ArraySlice<ChunkReference>, _ size: Int, _ entry: UInt64, _ run: UInt64
    ) -> Bool {
        let bytes: [UInt8]
        do throws(DiskError) {
            guard let found = try content(of: bundle, size, entry) else {
                end(entry, .contentLost(entry: entry))
                return false
            }
            bytes = found
        } catch {
            end(entry, .uploaded(entry: entry, succeeded: false))
            return false
        }
        runs[entry]?.sent += bundle.count
        runs[entry]?.requestsUnderWay += 1
        bytesUnderWay += size
        let message = ChunkBundle(Array(bundle), bytes: bytes).message()
        link.start(link.request("POST", "/v1/sync/chunks", body: message)) { [weak self] result in
            guard let self else { return }
            self.bytesUnderWay -= size
            self.take(result, of: entry, run)
            self.send()
        }
        return true
    }

    /// Nil if the operation's chunks cannot be had.
    private func content(
        of bundle: ArraySlice<ChunkReference>, _ size: Int, _ entry: UInt64
    ) throws(DiskError) -> [UInt8]? {
        var parts: [ChunkID: [UInt8]] = [:]
        for chunk in bundle { parts[chunk.id] = try folder.read(chunk) }
        if parts.count < bundle.count {
            let others = Set(bundle.lazy.map { $0.id }.filter { parts[$0] == nil })
            guard let found = fileChunks(entry, others) else { return nil }
            parts.merge(found) { $1 }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        for chunk in bundle { bytes += parts[chunk.id] ?? [] }
        return bytes
    }

    private func take(
        _ result: Result<HTTPClientResponse, HTTPClientError>, of entry: UInt64, _ run: UInt64
    ) {
        guard let current = runs[entry], current.number == run else { return }
        runs[entry]?.requestsUnderWay -= 1
        guard case .success(let response) = result, response.isSuccess else {
            link.note(result)
            return end(entry, .uploaded(entry: entry, succeeded: false))
        }
        link.refusal = nil
        if current.sent == current.left.count, current.requestsUnderWay == 1 {
            end(entry, .uploaded(entry: entry, succeeded: true))
        }
    }

    private func end(_ entry: UInt64, _ event: ReplicaEvent) {
        runs[entry] = nil
        if case .uploaded(_, succeeded: false) = event { trusting.remove(entry) }
        link.tell(event)
    }
}
