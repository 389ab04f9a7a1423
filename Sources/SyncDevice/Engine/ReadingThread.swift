import Glibc
import SyncCore
import SyncTransport
import Synchronization

/// Reads long files on a thread of its own, so that a note never waits for one.
final class ReadingThread: Sendable {
    private struct State {
        var requests: [(request: ReadRequest, known: Set<ChunkID>)] = []
        var results: [ReplicaEvent] = []
        var isBusy = false
        var isEnded = false
    }

    private let reader: ContentReader
    private let waker: HTTPClientWaker
    private let state = Mutex(State())
    private let wakeup = Semaphore()

    init(reader: ContentReader, waker: HTTPClientWaker) {
        self.reader = reader
        self.waker = waker
    }

    func start() {
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        var thread = pthread_t()
        let failure = unsafe pthread_create(&thread, nil, runReadingThread, context)
        precondition(failure == 0, "the system has no thread left")
        pthread_detach(thread)
    }

    func read(_ request: ReadRequest, known: Set<ChunkID>) {
        state.withLock { $0.requests.append((request, known)) }
        wakeup.signal()
    }

    func takeResults() -> [ReplicaEvent] {
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
            let next: (request: ReadRequest, known: Set<ChunkID>)? = state.withLock { state in
                if state.isEnded || state.requests.isEmpty { return nil }
                return state.requests.removeFirst()
            }
            guard let next else {
                if state.withLock({ $0.isEnded }) { return }
                continue
            }
            let outcome = reader.read(next.request, known: next.known)
            state.withLock { $0.results.append(.read(next.request, outcome)) }
            waker.wake()
        }
    }
}

private func runReadingThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<ReadingThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
