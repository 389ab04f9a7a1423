import Glibc
import SyncCore
import SyncTransport
import Synchronization

/// Reads long files on a thread of its own, so that a note never waits for one.
final class ReadingThread: Sendable {
    /// A file to be read, and the item of it that is watched for readers.
    struct Task: Sendable {
        let request: ReadRequest
        let watched: WatchedReading?
        /// Chunks that need not be kept.
        let known: Set<ChunkID>
    }

    struct Result: Sendable {
        let request: ReadRequest
        let reading: WatchedReading.Outcome
    }

    private struct State {
        var tasks: [Task] = []
        var results: [Result] = []
        var isBusy = false
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

    fileprivate func run() {
        while true {
            wakeup.wait()
            let task: Task? = state.withLock { state in
                if state.isEnded || state.tasks.isEmpty { return nil }
                return state.tasks.removeFirst()
            }
            guard let task else {
                if state.withLock({ $0.isEnded }) { return }
                continue
            }
            let reading = WatchedReading.read(
                task.request, task.watched, reader, watcher, known: task.known)
            state.withLock { $0.results.append(Result(request: task.request, reading: reading)) }
            waker.wake()
        }
    }
}

private func runReadingThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<ReadingThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
