import DeviceSocket
import Foundation
import Synchronization
import Testing

@testable import Ubiquity

/// A presenter that writes down what it is told.
private final class Recorder: NSObject, NSFilePresenter, @unchecked Sendable {
    let presentedItemURL: URL?
    let presentedItemOperationQueue = OperationQueue()
    private let told = Mutex<[String]>([])
    private let answers: Bool

    init(_ url: URL, answers: Bool = true) {
        presentedItemURL = url
        self.answers = answers
        presentedItemOperationQueue.maxConcurrentOperationCount = 1
        super.init()
    }

    var messages: [String] { told.withLock { $0 } }

    private func note(_ text: String) { told.withLock { $0.append(text) } }

    /// Waits until a message has come.
    func hears(_ text: String) async -> Bool {
        while !messages.contains(text) { try? await Task.sleep(for: .milliseconds(10)) }
        return true
    }

    func relinquishPresentedItem(
        toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
    ) {
        note("reader")
        if answers { reader { self.note("reader is done") } }
    }

    func relinquishPresentedItem(
        toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
    ) {
        note("writer")
        if answers { writer { self.note("writer is done") } }
    }

    // Only the asynchronous form: the other calls it.
    func savePresentedItemChanges() async throws { note("save") }

    func accommodatePresentedItemDeletion(
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        note("deletion")
        completionHandler(nil)
    }

    func accommodatePresentedSubitemDeletion(at url: URL) async throws {
        note("deletion of \(url.lastPathComponent)")
    }

    func presentedItemDidChange() { note("changed") }
    func presentedItemDidMove(to newURL: URL) { note("moved to \(newURL.lastPathComponent)") }
    func presentedSubitemDidChange(at url: URL) { note("changed \(url.lastPathComponent)") }
    func presentedSubitemDidAppear(at url: URL) { note("appeared \(url.lastPathComponent)") }
    func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL) {
        note("\(oldURL.lastPathComponent) moved to \(newURL.lastPathComponent)")
    }
}

@Suite(.timeLimit(.minutes(1))) struct CoordinationTests {
    let folder: URL
    let file: URL
    private let home: TestHome

    init() throws {
        home = try TestHome()
        folder = home.url.appendingPathComponent("files")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        file = folder.appendingPathComponent("a.txt")
        try Data("text".utf8).write(to: file)
    }

    /// Whether the call got the file within a moment.
    private func canWrite(_ url: URL, _ coordinator: NSFileCoordinator = .init()) -> NSError? {
        coordinator.patience = .milliseconds(150)
        var error: NSError?
        coordinator.coordinate(writingItemAt: url, error: &error) { _ in }
        return error
    }

    private func canRead(_ url: URL) -> NSError? {
        let coordinator = NSFileCoordinator()
        coordinator.patience = .milliseconds(150)
        var error: NSError?
        coordinator.coordinate(readingItemAt: url, error: &error) { _ in }
        return error
    }

    @Test func aWriterIsAloneAndReadersAreNot() {
        NSFileCoordinator().coordinate(writingItemAt: file, error: nil) { url in
            #expect(url == file)
            #expect(canRead(file)?.code == CocoaError.fileLocking.rawValue)
            #expect(canWrite(file)?.code == CocoaError.fileLocking.rawValue)
        }
        NSFileCoordinator().coordinate(readingItemAt: file, error: nil) { _ in
            #expect(canRead(file) == nil)
            #expect(canWrite(file)?.code == CocoaError.fileLocking.rawValue)
        }
        #expect(canWrite(file) == nil)
    }

    @Test func aFolderCountsWithWhatIsInIt() {
        NSFileCoordinator().coordinate(writingItemAt: folder, error: nil) { _ in
            #expect(canRead(file) != nil)
        }
        NSFileCoordinator().coordinate(readingItemAt: file, error: nil) { _ in
            #expect(canWrite(folder) != nil)
            #expect(canWrite(folder.appendingPathComponent("a.txt.other")) == nil)
        }
    }

    @Test func aLinkToTheFolderLeadsToTheSameFile() throws {
        let link = home.url.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
        NSFileCoordinator().coordinate(writingItemAt: file, error: nil) { _ in
            #expect(canRead(link.appendingPathComponent("a.txt")) != nil)
        }
    }

    @Test func callsOfOneCoordinatorCanBeNested() {
        let coordinator = NSFileCoordinator()
        let other = NSFileCoordinator()
        other.purposeIdentifier = coordinator.purposeIdentifier
        coordinator.coordinate(writingItemAt: file, error: nil) { _ in
            #expect(canWrite(file, coordinator) == nil)
            #expect(canWrite(file, other) == nil)
        }
    }

    @Test func aNestedCallDoesNotWaitForWhoWaitsForItself() async {
        let coordinator = NSFileCoordinator()
        let isWaiting = AsyncStream.makeStream(of: Void.self)
        let file = file
        coordinator.coordinate(readingItemAt: file, error: nil) { _ in
            let claims = DeviceSession.shared.claims
            let before = claimCount(claims)
            Thread.detachNewThread {
                NSFileCoordinator().coordinate(writingItemAt: file, error: nil) { _ in }
                isWaiting.continuation.finish()
            }
            while claimCount(claims) == before { usleep(1000) }
            var error: NSError?
            coordinator.patience = .seconds(5)
            coordinator.coordinate(readingItemAt: file, error: &error) { _ in }
            #expect(error == nil)
        }
        for await _ in isWaiting.stream {}
    }

    private func claimCount(_ folder: [UInt8]) -> Int {
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: String(decoding: folder, as: UTF8.self))
        return names?.filter { $0.hasSuffix(".claim") }.count ?? 0
    }

    @Test func aCallThatWaitsIsCancelled() async throws {
        let waiting = NSFileCoordinator()
        let file = file
        let code: Int? = await withCheckedContinuation { continuation in
            NSFileCoordinator().coordinate(writingItemAt: file, error: nil) { _ in
                let ended = DispatchSemaphore(value: 0)
                let result = Mutex<Int?>(nil)
                Thread.detachNewThread {
                    var error: NSError?
                    waiting.coordinate(readingItemAt: file, error: &error) { _ in }
                    let code = error?.code
                    result.withLock { $0 = code }
                    ended.signal()
                }
                while ended.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
                    waiting.cancel()
                }
                continuation.resume(returning: result.withLock { $0 })
            }
        }
        #expect(code == 3072)
    }

    @Test func severalFilesAreTakenTogether() async throws {
        let other = folder.appendingPathComponent("b.txt")
        NSFileCoordinator().coordinate(
            readingItemAt: file, writingItemAt: other, error: nil
        ) { one, two in
            #expect(one == file && two == other)
            #expect(canRead(file) == nil)
            #expect(canWrite(file) != nil)
            #expect(canRead(other) != nil)
        }
        NSFileCoordinator().coordinate(
            writingItemAt: file, writingItemAt: other, error: nil
        ) { _, _ in #expect(canRead(file) != nil && canRead(other) != nil) }
        let coordinator = NSFileCoordinator()
        coordinator.prepare(
            forReadingItemsAt: [file], writingItemsAt: [other], error: nil
        ) { done in
            #expect(canWrite(file) != nil && canRead(other) != nil)
            coordinator.coordinate(readingItemAt: file, error: nil) { _ in }
            done()
        }
        let intents = [
            NSFileAccessIntent.readingIntent(with: file),
            NSFileAccessIntent.writingIntent(with: other),
        ]
        let urls = intents.map(\.url)
        let failure: (any Error)? = await withCheckedContinuation { continuation in
            coordinator.coordinate(with: intents, queue: OperationQueue()) {
                continuation.resume(returning: $0)
            }
        }
        #expect(failure == nil && urls == [file, other])
    }

    @Test func aCopyForAnUploadIsNobodyElses() throws {
        var copy: URL?
        NSFileCoordinator().coordinate(readingItemAt: file, options: .forUploading, error: nil) {
            copy = $0
            #expect($0 != file)
            #expect((try? Data(contentsOf: $0)) == Data("text".utf8))
        }
        #expect(!FileManager.default.fileExists(atPath: try #require(copy).path))
    }

    @Test func presentersAreToldBeforeAndAfter() async throws {
        let (item, parent) = (Recorder(file), Recorder(folder))
        let own = Recorder(file)
        for presenter in [item, parent, own] { NSFileCoordinator.addFilePresenter(presenter) }
        defer {
            for presenter in [item, parent, own] {
                NSFileCoordinator.removeFilePresenter(presenter)
            }
        }
        let coordinator = NSFileCoordinator(filePresenter: own)
        coordinator.coordinate(readingItemAt: file, error: nil) { _ in
            #expect(item.messages == ["reader", "save"])
        }
        #expect(item.messages == ["reader", "save", "reader is done"])
        coordinator.coordinate(readingItemAt: file, options: .withoutChanges, error: nil) { _ in }
        #expect(item.messages.count { $0 == "save" } == 1)
        coordinator.coordinate(writingItemAt: file, error: nil) { _ in }
        #expect(await item.hears("changed"))
        #expect(await parent.hears("changed a.txt"))
        let moved = folder.appendingPathComponent("b.txt")
        coordinator.coordinate(writingItemAt: file, options: .forMoving, error: nil) { _ in
            coordinator.item(at: file, willMoveTo: moved)
            coordinator.item(at: file, didMoveTo: moved)
        }
        #expect(await item.hears("moved to b.txt"))
        #expect(await parent.hears("a.txt moved to b.txt"))
        coordinator.coordinate(writingItemAt: file, options: .forDeleting, error: nil) { _ in
            #expect(item.messages.contains("deletion"))
            #expect(parent.messages.contains("deletion of a.txt"))
        }
        #expect(own.messages.isEmpty)
    }

    @Test func aPresenterThatDoesNotAnswerHoldsNobodyUpForEver() async {
        let silent = Recorder(file, answers: false)
        NSFileCoordinator.addFilePresenter(silent)
        defer { NSFileCoordinator.removeFilePresenter(silent) }
        #expect(canRead(file)?.code == CocoaError.fileLocking.rawValue)
        #expect(await silent.hears("reader"))
        #expect(silent.messages == ["reader"])
    }

    @Test func aPresenterIsNotKeptAlive() {
        weak var presenter: Recorder?
        do {
            let made = Recorder(file)
            presenter = made
            NSFileCoordinator.addFilePresenter(made)
            #expect(NSFileCoordinator.filePresenters.contains { $0 === made })
        }
        #expect(presenter == nil)
    }

    @Test func whatTheDeviceSeesIsTold() async throws {
        let daemon = try TestDaemon(home.home)
        let documents = try home.documents()
        try Data("1".utf8).write(to: documents.appendingPathComponent("old.txt"))
        let presenters = PresenterList(session: home.session)
        let watcher = Recorder(documents)
        presenters.add(watcher)
        // The watch has its listing when it tells of something newer.
        var number = 0
        while !watcher.messages.contains("changed old.txt") {
            number += 1
            try Data("changed \(number)".utf8).write(
                to: documents.appendingPathComponent("old.txt"))
            daemon.look()
            try await Task.sleep(for: .milliseconds(20))
        }
        try Data("2".utf8).write(to: documents.appendingPathComponent("new.txt"))
        daemon.look()
        #expect(await watcher.hears("appeared new.txt"))
        try FileManager.default.removeItem(at: documents.appendingPathComponent("new.txt"))
        daemon.look()
        #expect(await watcher.hears("deletion of new.txt"))
        presenters.remove(watcher)
        #expect(presenters.all.isEmpty)
        daemon.stop()
    }
}

/// Several processes and one file.
@Suite(.timeLimit(.minutes(3)), .serialized) struct CoordinatedProcessTests {
    @Test func processesTakeTurnsAlsoIfTheHolderIsKilled() async throws {
        let home = try TestHome()
        let file = home.url.appendingPathComponent("count.txt")
        let text = "0 nobody 0"
        let sum = text.utf8.reduce(14_695_981_039_346_656_037 as UInt64) {
            ($0 ^ UInt64($1)) &* 1_099_511_628_211
        }
        try Data("\(text)\n\(sum)\n".utf8).write(to: file)
        // A shorter form; the count can be set for the long one.
        let count = Int(ProcessInfo.processInfo.environment["COORDINATED_WRITES"] ?? "") ?? 200
        let writers = try ["one", "other"].map {
            try Program("coordinated", [file.path, "\(count)", $0], home: home.url)
        }
        for _ in 0..<10 {
            let holder = try Program("coordinated", [file.path, "0", "holder"], home: home.url)
            #expect(await holder.says("holding"))
            holder.killAtOnce()
        }
        for writer in writers {
            #expect(await writer.line { $0.hasPrefix("done") } == "done: torn 0, failures 0")
        }
        let words = try String(contentsOf: file, encoding: .utf8).split(separator: " ")
        #expect(words.first == "\(2 * count)")
    }
}
