import Glibc
import SyncCore
import SyncTransport
import Synchronization

/// Reads long files on a thread of its own, several by turns, so that neither a note nor a shorter
/// file waits for one.
final class ReadingThread: Sendable {
    /// A file to be read, and the item of it that is watched for readers.
    struct Task: Sendable {
        let request: ReadRequest
        let size: UInt64
        let watched: WatchedReading?
        /// Chunks that need not be kept.
        let known: Set<ChunkID>
        /// The others are, of a file.
        let copies: Bool
    }

    struct Result: Sendable {
        let request: ReadRequest
        let outcome: ReadOutcome
        /// Somebody had it open, for reading, when we came.
        let wasBeingRead: Bool
        /// Stands for the file, if its bytes were not kept elsewhere.
        let uncopied: Descriptor?
    }

    private struct State {
        var tasks: [Task] = []
        var results: [Result] = []
        var isEnded = false
    }

    private let reader: ContentReader
    private let watcher: Watcher
    private let waker: HTTPClientWaker
    private let state = Mutex(State())
    private let wakeup = Semaphore()

    init(reader: ContentReader, watcher: Watcher, waker: HTTPClientWaker) {
        self.reader = reader
        self.watcher = watcher
        self.waker = waker
    }

    func start() {
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        var thread = pthread_t()
        let failure = unsafe pthread_create(&thread, nil, runReadingThread, context)
        precondition(failure == 0, "the system has no thread left")
        pthread_detach(thread)
    }

    func read(_ task: Task) {
        state.withLock { $0.tasks.append(task) }
        wakeup.signal()
    }

    func takeResults() -> [Result] {
        state.withLock { state in
            let results = state.results
            state.results.removeAll()
            return results
        }
    }

    func end() {
        state.withLock { $0.isEnded = true }
        wakeup.signal()
    }

    // MARK: On the thread

    /// What is to be read, and what of it is begun.
    private struct Work {
        var turns = ReadingTurns()
        var last: UInt64 = 0
        var tasks: [UInt64: Task] = [:]
        var reads: [UInt64: GradualRead] = [:]
    }

    fileprivate func run() {
        var work = Work()
        while true {
            if work.turns.isEmpty { wakeup.wait() }
            guard takeTasks(&work) else {
                for read in work.reads.values { read.abandon() }
                return
            }
            goOn(&work)
        }
    }

    /// False when the thread is to end.
    private func takeTasks(_ work: inout Work) -> Bool {
        let tasks: [Task]? = state.withLock { state in
            if state.isEnded { return nil }
            let tasks = state.tasks
            state.tasks.removeAll()
            return tasks
        }
        guard let tasks else { return false }
        for task in tasks {
            work.last += 1
            work.tasks[work.last] = task
            work.turns.insert(work.last, bytes: task.size)
        }
        return true
    }

    /// A step of the file whose turn it is.
    private func goOn(_ work: inout Work) {
        guard let turn = work.turns.next() else { return }
        if let task = work.tasks.removeValue(forKey: turn) {
            work.reads[turn] = reader.begin(
                task.request, task.watched, watcher, known: task.known, copies: task.copies)
        }
        guard let read = work.reads[turn], let outcome = read.step() else { return }
        work.reads[turn] = nil
        work.turns.end(turn)
        let result = Result(
            request: read.request, outcome: outcome, wasBeingRead: read.wasBeingRead,
            uncopied: read.uncopied)
        state.withLock { $0.results.append(result) }
        waker.wake()
    }
}

private func runReadingThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<ReadingThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
