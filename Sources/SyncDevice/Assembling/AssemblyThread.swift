import Glibc
import SyncCore
import SyncTransport
import SyncWire
import Synchronization

/// Puts long contents together on a thread of its own, several by turns, so that neither a note nor
/// a shorter content waits for one.
final class AssemblyThread: Sendable {
    /// What is to be done.
    private enum Order: Sendable {
        case begin(FetchRequest, [ChunkSource])
        case answer(VersionID, to: [ChunkID], body: [UInt8]?)
    }

    /// What has come of it.
    enum Report: Sendable {
        /// Chunks that the server is to be asked for.
        case needs(VersionID, [ChunkID])
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
    func answer(_ version: VersionID, to question: [ChunkID], _ body: [UInt8]?) {
        give(.answer(version, to: question, body: body))
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
        var assemblies: [VersionID: Assembly] = [:]
        var going: [VersionID] = []
    }

    private func take(_ order: Order, _ work: inout Work) {
        switch order {
        case .begin(let request, let sources):
            do throws(DiskError) {
                let file = try folder.open(request.version)
                work.assemblies[request.version] = try Assembly(
                    request, sources, own: own, file: file)
                work.going.append(request.version)
            } catch {
                report(.failed(request, .failed(error.failure)))
            }
        case .answer(let version, let question, let body):
            guard let request = work.assemblies[version]?.request else { return }
            let bundle = body.flatMap { try? ChunkBundle(message: $0) }
            if let outcome = work.assemblies[version]?.take(bundle, to: question) {
                end(request, outcome, &work)
            } else if !work.going.contains(version) {
                work.going.append(version)
            }
        }
    }

    /// A step of the first; then it is the next one's turn.
    private func goOn(_ work: inout Work) {
        guard !work.going.isEmpty else { return }
        let version = work.going.removeFirst()
        guard let step = step(version, &work) else { return }
        for question in step.questions { report(.needs(version, question)) }
        switch step.state {
        case .going: work.going.append(version)
        case .waiting: break
        case .complete(let size, let digest):
            report(.complete(step.request, size: size, digest))
        case .failed(let outcome): end(step.request, outcome, &work)
        }
    }

    private struct Step {
        let request: FetchRequest
        let questions: [[ChunkID]]
        let state: Assembly.State
    }

    /// An assembly that is over is gone on return, and the files that it took from are closed: the
    /// main thread watches them again, and our own closing is nobody's reading.
    private func step(_ version: VersionID, _ work: inout Work) -> Step? {
        guard let assembly = work.assemblies[version] else { return nil }
        let state = assembly.step()
        switch state {
        case .complete, .failed: work.assemblies[version] = nil
        case .going, .waiting: break
        }
        return Step(
            request: assembly.request, questions: assembly.takeQuestions(), state: state)
    }

    private func end(_ request: FetchRequest, _ outcome: FetchOutcome, _ work: inout Work) {
        work.assemblies[request.version] = nil
        work.going.removeAll { $0 == request.version }
        // What is wrong is begun anew; what is only not there yet goes on from where it is.
        if outcome == .damaged { folder.remove(request.version) }
        report(.failed(request, outcome))
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
