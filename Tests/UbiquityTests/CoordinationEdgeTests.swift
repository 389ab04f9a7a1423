import DeviceSocket
import Foundation
import Synchronization
import Testing

@testable import Ubiquity

/// A presenter that answers when it is told to.
private final class SlowPresenter: NSObject, NSFilePresenter, @unchecked Sendable {
    let presentedItemURL: URL?
    let presentedItemOperationQueue = OperationQueue()
    private let state = Mutex(State())

    private struct State: @unchecked Sendable {
        var waiting: [@Sendable () -> Void] = []
        var isAnswering = false
        var isAway = false
    }

    init(_ url: URL) { presentedItemURL = url }

    /// Whether it has let go of its file and was not told that the writing is over.
    var isAway: Bool { state.withLock { $0.isAway } }

    func answer() {
        let waiting = state.withLock { state in
            state.isAnswering = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for answer in waiting { answer() }
    }

    func relinquishPresentedItem(
        toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
    ) {
        state.withLock { $0.isAway = true }
        let answer: @Sendable () -> Void = {
            writer { self.state.withLock { $0.isAway = false } }
        }
        let isAnswering = state.withLock { state in
            if !state.isAnswering { state.waiting.append(answer) }
            return state.isAnswering
        }
        if isAnswering { answer() }
    }
}

/// What comes late, twice, never, or from very many at once.
@Suite(.timeLimit(.minutes(1)), .serialized) struct CoordinationEdgeTests {
    private let home: TestHome
    private let file: URL

    init() throws {
        home = try TestHome()
        // With it the claims are this home's own.
        try FileSystem.makePrivateFolders(home.home.state)
        file = home.url.appendingPathComponent("a.txt")
        try Data("text".utf8).write(to: file)
    }

    private func coordinator(_ patience: Duration = .seconds(20)) -> NSFileCoordinator {
        let coordinator = NSFileCoordinator(filePresenter: nil, session: home.session)
        coordinator.patience = patience
        return coordinator
    }

    private func writeError(_ coordinator: NSFileCoordinator) -> NSError? {
        var error: NSError?
        coordinator.coordinate(writingItemAt: file, error: &error) { _ in }
        return error
    }

    @Test(arguments: ["a\nb", "\n", "", "a\0b", "a"])
    func aPurposeIsAnyText(_ purpose: String) {
        let holder = coordinator()
        holder.purposeIdentifier = purpose
        let same = coordinator()
        same.purposeIdentifier = purpose
        holder.coordinate(writingItemAt: file, error: nil) { _ in
            let other = coordinator(.milliseconds(100))
            #expect(writeError(other)?.code == CocoaError.fileLocking.rawValue)
            #expect(writeError(same) == nil)
        }
    }

    @Test func aPresenterThatAnswersTooLateIsToldThatItIsOver() async {
        let presenter = SlowPresenter(file)
        NSFileCoordinator.addFilePresenter(presenter)
        defer { NSFileCoordinator.removeFilePresenter(presenter) }
        let error = writeError(coordinator(.milliseconds(100)))
        #expect(error?.code == CocoaError.fileLocking.rawValue)
        while !presenter.isAway { await Task.yield() }
        presenter.answer()
        #expect(!presenter.isAway)
    }

    @Test func anAccessWhoseQueueIsEmptiedIsOver() async throws {
        let presenter = SlowPresenter(file)
        presenter.answer()
        NSFileCoordinator.addFilePresenter(presenter)
        defer { NSFileCoordinator.removeFilePresenter(presenter) }
        let queue = OperationQueue()
        queue.isSuspended = true
        coordinator().coordinate(with: [.writingIntent(with: file)], queue: queue) { _ in
            Issue.record("it was cancelled")
        }
        while queue.operationCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(presenter.isAway)
        queue.cancelAllOperations()
        queue.isSuspended = false
        while presenter.isAway { try await Task.sleep(for: .milliseconds(5)) }
        #expect(writeError(coordinator()) == nil)
    }

    /// Each waits without keeping anybody's thread from running.
    @Test func veryManyThatWaitAllHaveTheirTurn() async throws {
        let count = 300
        let (failures, continuation) = AsyncStream.makeStream(of: Bool.self)
        let file = file
        coordinator().coordinate(writingItemAt: file, error: nil) { _ in
            for _ in 0..<count {
                coordinator().coordinate(
                    with: [.writingIntent(with: file)], queue: OperationQueue()
                ) { continuation.yield($0 != nil) }
            }
            usleep(500_000)
        }
        var (ended, failed) = (0, 0)
        for await hasFailed in failures {
            ended += 1
            if hasFailed { failed += 1 }
            if ended == count { break }
        }
        #expect(failed == 0)
    }

    /// How often anybody has opened the lock of the claims since it was made.
    private final class LockWatch {
        private let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))

        init(_ folder: [UInt8]) {
            let path = String(decoding: folder.appending("lock"), as: UTF8.self)
            // Two kinds, as equal events in a row are told once.
            inotify_add_watch(descriptor, path, UInt32(IN_OPEN | IN_CLOSE_WRITE))
        }

        deinit { close(descriptor) }

        func count() -> Int {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let got = read(descriptor, &buffer, buffer.count)
            return max(0, got) / MemoryLayout<inotify_event>.size / 2
        }
    }

    @Test func whoWaitsRestsAndWakesAtOnce() async throws {
        let (coordinator, waiting, file) = (coordinator(), coordinator(), file)
        let started = Mutex(ContinuousClock.now)
        let clock = ContinuousClock()
        let delay: Duration = await withCheckedContinuation { continuation in
            coordinator.coordinate(writingItemAt: file, error: nil) { _ in
                let watch = LockWatch(home.session.claims)
                Thread.detachNewThread {
                    waiting.coordinate(writingItemAt: file, error: nil) { _ in
                        let delay = started.withLock { clock.now - $0 }
                        continuation.resume(returning: delay)
                    }
                }
                usleep(2_000_000)
                let looks = watch.count()
                #expect((1...20).contains(looks), "it looked \(looks) times in two seconds")
                started.withLock { $0 = clock.now }
            }
        }
        #expect(delay < .milliseconds(200))
    }
}
