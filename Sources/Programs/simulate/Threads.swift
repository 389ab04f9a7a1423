import Glibc
import Synchronization

/// Does numbered work on several threads at once; the results come in the order of the numbers.
func onThreads<Result: Sendable>(
    _ count: Int, _ numbers: Range<Int>, _ work: @escaping @Sendable (Int) -> Result
) -> [Result] {
    guard count > 1 else { return numbers.map(work) }
    let pool = Pool(numbers, work)
    let threads = (0..<count).compactMap { _ in start(pool) }
    // Without a single thread it is done here.
    if threads.isEmpty { pool.run() }
    for thread in threads { pthread_join(thread, nil) }
    return pool.sortedResults
}

private final class Pool<Result: Sendable>: Worker, @unchecked Sendable {
    private let work: @Sendable (Int) -> Result
    private let end: Int
    private let next: Atomic<Int>
    private let results = Mutex<[Int: Result]>([:])

    init(_ numbers: Range<Int>, _ work: @escaping @Sendable (Int) -> Result) {
        self.work = work
        end = numbers.upperBound
        next = Atomic(numbers.lowerBound)
    }

    override func run() {
        while true {
            let number = next.add(1, ordering: .relaxed).oldValue
            guard number < end else { return }
            let result = work(number)
            results.withLock { $0[number] = result }
        }
    }

    var sortedResults: [Result] {
        results.withLock { all in all.sorted { $0.key < $1.key }.map(\.value) }
    }
}

private class Worker: @unchecked Sendable {
    func run() {}
}

/// The stack has room for the deepest tree that a schedule makes.
private func start(_ worker: Worker) -> pthread_t? {
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, 8 << 20)
    let context = unsafe Unmanaged.passRetained(worker).toOpaque()
    let status = unsafe pthread_create(
        &thread, &attributes,
        { context in
            guard let context = unsafe context else { return nil }
            unsafe Unmanaged<Worker>.fromOpaque(context).takeRetainedValue().run()
            return nil
        }, context)
    guard status == 0 else {
        unsafe Unmanaged<Worker>.fromOpaque(context).release()
        return nil
    }
    return thread
}
