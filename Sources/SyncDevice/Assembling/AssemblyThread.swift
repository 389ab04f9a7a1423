import Glibc
import SyncCore
import SyncTransport
import SyncWire
import Synchronization

/// What the server is asked for, and which attempt at which content it is for.
struct AssemblyQuestion: Sendable {
    let version: VersionID
    let attempt: UInt64
    let question: ChunkPlan.Question
}

/// Puts long contents together on a thread of its own, several by turns, so that neither a note nor
/// a shorter content waits for one.
final class AssemblyThread: Sendable {
    /// What is to be done.
    private enum Order: Sendable {
        case begin(FetchRequest, [ChunkSource])
        case answer(AssemblyQuestion, body: [UInt8]?)
        case cancel(VersionID, keepsParts: Bool)
    }

    /// What has come of it.
    enum Report: Sendable {
        /// Chunks that the server is to be asked for.
        case needs(AssemblyQuestion)
        case complete(FetchRequest, size: UInt64, Digest)
        case failed(FetchRequest, FetchOutcome)
    }

    private struct State {
        var orders: [Order] = []
        var reports: [Report] = []
        var isEnded = false
    }

    private let folder: DownloadFolder
    private let own: ChunkFolder
    private let waker: HTTPClientWaker
    private let state = Mutex(State())
    private let wakeup = Semaphore()

    init(folder: DownloadFolder, own: ChunkFolder, waker: HTTPClientWaker) {
        self.folder = folder
        self.own = own
        self.waker = waker
    }

    func start() {
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        var thread = pthread_t()
        let failure = unsafe pthread_create(&thread, nil, runAssemblyThread, context)
        precondition(failure == 0, "the system has no thread left")
        pthread_detach(thread)
    }

    func begin(_ request: FetchRequest, _ sources: [ChunkSource]) {
        give(.begin(request, sources))
    }

    /// The server's answer to a question; nil if there was none.
    func answer(_ question: AssemblyQuestion, _ body: [UInt8]?) {
        give(.answer(question, body: body))
    }

    /// The content is not wanted any more: nothing is reported of it from now on, but what was
    /// before.
    func cancel(_ version: VersionID, keepsParts: Bool) {
        give(.cancel(version, keepsParts: keepsParts))
    }

    func takeReports() -> [Report] {
        state.withLock { state in
            let reports = state.reports
            state.reports.removeAll()
            return reports
        }
    }

    func end() {
        state.withLock { $0.isEnded = true }
        wakeup.signal()
    }

    private func give(_ order: Order) {
        state.withLock { $0.orders.append(order) }
        wakeup.signal()
    }

    // MARK: On the thread

    fileprivate func run() {
        var work = Work()
        while true {
            if work.going.isEmpty { wakeup.wait() }
            guard takeOrders(&work) else { return }
            goOn(&work)
        }
    }

    /// False when the thread is to end.
    ///
    /// The orders, and the files in them, are gone on return.
    private func takeOrders(_ work: inout Work) -> Bool {
        let orders: [Order]? = state.withLock { state in
            if state.isEnded { return nil }
            let orders = state.orders
            state.orders.removeAll()
            return orders
        }
        guard let orders else { return false }
        for order in orders { take(order, &work) }
        return true
    }

    /// What the thread has begun, and which of it can go on.
    private struct Work {
        var assemblies: [VersionID: Attempt] = [:]
        var going: [VersionID] = []
        var lastAttempt: UInt64 = 0
        var room = IncomingRoom()
    }

    private struct Attempt {
        let assembly: Assembly
        let number: UInt64
    }

    private func take(_ order: Order, _ work: inout Work) {
        switch order {
        case .begin(let request, let sources): begin(request, sources, &work)
        case .cancel(let version, let keepsParts):
            if let attempt = work.assemblies[version] { close(attempt.assembly, &work) }
            if !keepsParts { folder.remove(version) }
        case .answer(let answered, let body):
            guard let attempt = work.assemblies[answered.version],
                attempt.number == answered.attempt
            else { return }
            let bundle = body.flatMap { try? ChunkBundle(message: $0) }
            if let outcome = attempt.assembly.take(bundle, to: answered.question.number) {
                end(attempt.assembly, outcome, &work)
            } else if !work.going.contains(answered.version) {
                work.going.append(answered.version)
            }
        }
    }

    private func begin(
        _ request: FetchRequest, _ sources: [ChunkSource], _ work: inout Work
    ) {
        do throws(DiskError) {
            let file = try folder.open(request.version)
            let assembly = try Assembly(request, sources, own: own, file: file)
            let room = try folder.room()
            let answer = work.room.begin(
                request.version, needing: assembly.bytesNeeded(), in: room,
                at: Clock.now().steady)
            if case .refused(let givesBack) = answer {
                if givesBack { assembly.giveBack() }
                assembly.closeSources()
                return report(.failed(request, .failed(.noSpace)))
            }
            work.lastAttempt += 1
            work.assemblies[request.version] = Attempt(
                assembly: assembly, number: work.lastAttempt)
            work.going.append(request.version)
        } catch {
            report(.failed(request, .failed(error.failure)))
        }
    }

    /// A step of the first; then it is the next one's turn.
    private func goOn(_ work: inout Work) {
        guard !work.going.isEmpty else { return }
        let version = work.going.removeFirst()
        guard let attempt = work.assemblies[version] else { return }
        let assembly = attempt.assembly
        let state = assembly.step()
        for question in assembly.takeQuestions() {
            report(
                .needs(
                    AssemblyQuestion(
                        version: version, attempt: attempt.number, question: question)))
        }
        switch state {
        case .going, .waiting:
            let written = assembly.takeWritten()
            work.room.wrote(version, written)
            guard written == 0 || mayGoOn(work) else {
                assembly.giveBack()
                return end(assembly, .failed(.noSpace), &work)
            }
            if case .going = state { work.going.append(version) }
        case .complete(let size, let digest):
            assembly.closeSources()
            work.assemblies[version] = nil
            work.room.end(version, isComplete: true)
            report(.complete(assembly.request, size: size, digest))
        case .failed(let outcome):
            if outcome == .failed(.noSpace) { noteFull(assembly, &work) }
            end(assembly, outcome, &work)
        }
    }

    private func mayGoOn(_ work: Work) -> Bool {
        // A disk that cannot be asked says by itself when it is full.
        (try? folder.room()).map { work.room.mayGoOn(in: $0) } ?? true
    }

    /// The room is given back: the device's own state needs some to go on.
    private func noteFull(_ assembly: Assembly, _ work: inout Work) {
        let version = assembly.request.version
        work.room.wrote(version, assembly.takeWritten())
        assembly.giveBack()
        guard let room = try? folder.room() else { return }
        work.room.ranOut(version, in: room, at: Clock.now().steady)
    }

    /// What has come is gone on with later: it is right by its hashes, whatever is wrong.
    private func end(_ assembly: Assembly, _ outcome: FetchOutcome, _ work: inout Work) {
        close(assembly, &work)
        report(.failed(assembly.request, outcome))
    }

    private func close(_ assembly: Assembly, _ work: inout Work) {
        let version = assembly.request.version
        assembly.closeSources()
        work.assemblies[version] = nil
        work.going.removeAll { $0 == version }
        work.room.end(version, isComplete: false)
    }

    private func report(_ report: Report) {
        state.withLock { $0.reports.append(report) }
        waker.wake()
    }
}

private func runAssemblyThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<AssemblyThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
