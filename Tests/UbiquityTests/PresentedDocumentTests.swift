import DeviceSocket
import Foundation
import SyncWire
import Testing

@testable import Ubiquity

/// Open documents as coordinators of the same program meet them.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct PresentedDocumentTests {
    let home: TestHome
    let document: TextDocument

    init() async throws {
        home = try TestHome()
        document = TextDocument(
            fileURL: home.url.appendingPathComponent("note.txt"), session: home.session)
        document.text = "first"
        try #require(await document.save(to: document.fileURL, for: .forCreating))
        document.saveByHand()
    }

    /// Coordinates away from the main actor, as programs must for their own documents.
    private nonisolated func write(
        _ options: NSFileCoordinator.WritingOptions, _ body: @escaping @Sendable (URL) -> Void
    ) async -> NSError? {
        let (session, url) = await (home.session, document.fileURL)
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var error: NSError?
                NSFileCoordinator(filePresenter: nil, session: session)
                    .coordinate(
                        writingItemAt: url, options: options, error: &error, byAccessor: body)
                continuation.resume(returning: error)
            }
        }
    }

    private nonisolated func read() async -> String? {
        let (session, url) = await (home.session, document.fileURL)
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var text: String?
                NSFileCoordinator(filePresenter: nil, session: session)
                    .coordinate(readingItemAt: url, error: nil) { url in
                        text = try? String(contentsOf: url, encoding: .utf8)
                    }
                continuation.resume(returning: text)
            }
        }
    }

    @Test func aReaderMakesADocumentSave() async {
        document.edit("unsaved")
        #expect(await read() == "unsaved")
        #expect(!document.hasUnsavedChanges)
    }

    @Test func aDocumentTakesOverWhatAWriterLeaves() async {
        let error = await write([]) { url in try? Data("another".utf8).write(to: url) }
        #expect(error == nil)
        #expect(await document.loads { $0 == "another" })
        #expect(document.documentState == .normal)
    }

    @Test func aDocumentClosesBeforeItsDeletion() async {
        let error = await write(.forDeleting) { try? FileManager.default.removeItem(at: $0) }
        #expect(error == nil)
        #expect(document.documentState == .closed)
        #expect(!NSFileCoordinator.filePresenters.contains { $0 === document })
        #expect(!FileManager.default.fileExists(atPath: document.fileURL.path))
    }

    @Test func aSaveWaitsForAWriter() async {
        let url = document.fileURL
        document.edit("mine")
        let error = await write([]) { place in
            let text = try? String(contentsOf: place, encoding: .utf8)
            Task { @MainActor in document.autosave(completionHandler: nil) }
            usleep(100_000)
            #expect((try? String(contentsOf: place, encoding: .utf8)) == text)
        }
        #expect(error == nil)
        #expect(await document.autosave())
        #expect((try? String(contentsOf: url, encoding: .utf8)) == "mine")
    }

    @Test func anActivityHasTheDocumentsPlace() {
        let activity = NSUserActivity(activityType: "org.ubiquity.reading")
        activity.title = "Reading"
        activity.userInfo = ["page": 3]
        document.userActivity = activity
        #expect(activity.userInfo?[UIDocument.userActivityURLKey] as? URL == document.fileURL)
        #expect(activity.userInfo?["page"] as? Int == 3)
        activity.becomeCurrent()
        #expect(activity.isCurrent)
        activity.invalidate()
        activity.becomeCurrent()
        #expect(!activity.isCurrent)
    }
}

/// Many changes in a row, which come from elsewhere.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct ManyChangesTests {
    /// A shorter form; the count can be set for the long one.
    private let count =
        Int(ProcessInfo.processInfo.environment["REMOTE_CHANGES"] ?? "") ?? 300

    @Test func manyChangesAreEachToldOnce() async throws {
        let cloud = try await TestCloud()
        let (here, there) = (try await cloud.device("here"), try await cloud.device("there"))
        let session = here.session()
        let documents = try session.containerFolder(nil).appendingPathComponent("Documents")
        _ = try there.session().containerFolder(nil)
        let document = TextDocument(
            fileURL: documents.appendingPathComponent("open.txt"), session: session)
        document.text = "0"
        try #require(await document.save(to: document.fileURL, for: .forCreating))
        try await here.wait()
        try await there.wait()

        let query = NSMetadataQuery(session: session)
        query.predicate = NSPredicate(format: "%K LIKE '*.item'", NSMetadataItemFSNameKey)
        query.notificationBatchingInterval = 0.05
        let finished = Notifications(.NSMetadataQueryDidFinishGathering, query)
        let updates = Notifications(.NSMetadataQueryDidUpdate, query)
        query.start()
        _ = await finished.next()

        // Names in the order of their making, and one document saved over and over.
        let other = there.container.appendingPathComponent("Documents")
        let count = count
        let making = Task.detached {
            for number in 1...count {
                let name = String(format: "%06d.item", number)
                try Data("\(number)".utf8).write(to: other.appendingPathComponent(name))
                if number % 10 == 0 || number == count {
                    // Who has not read what it replaces makes a conflict.
                    _ = try Data(contentsOf: other.appendingPathComponent("open.txt"))
                    try Data("\(number)".utf8).write(
                        to: other.appendingPathComponent("open.txt"), options: .atomic)
                }
            }
        }
        var batches: [[String]] = []
        for await update in updates.stream {
            #expect(update.removed == [])
            if !update.added.isEmpty { batches.append(update.added) }
            if batches.reduce(0, { $0 + $1.count }) >= count { break }
        }
        try await making.value
        let told = batches.flatMap(\.self)
        #expect(Set(told).count == told.count, "an item was told of twice")
        #expect(told.sorted() == (1...count).map { String(format: "%06d.item", $0) })
        #expect(query.resultCount == count)
        #expect(await document.loads { $0 == "\(count)" })
        query.stop()
        withExtendedLifetime((here, there)) {}
    }
}
