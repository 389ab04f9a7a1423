import DeviceSocket
import Foundation
import SyncCore
import SyncWire
import Testing

@testable import Ubiquity

@Suite(.timeLimit(.minutes(1))) struct MetadataQueryTests {
    let home: TestHome
    let daemon: TestDaemon
    let documents: URL

    init() throws {
        home = try TestHome()
        daemon = try TestDaemon(home.home)
        documents = try home.documents()
    }

    private func write(_ name: String, _ text: String = "text") throws {
        try Data(text.utf8).write(to: documents.appendingPathComponent(name))
        daemon.look()
    }

    private func query(_ predicate: NSPredicate) -> NSMetadataQuery {
        let query = NSMetadataQuery(session: home.session)
        query.searchScopes = [NSMetadataQueryUbiquitousDocumentsScope]
        query.predicate = predicate
        return query
    }

    private func names(_ query: NSMetadataQuery) -> [String] {
        query.results.compactMap {
            ($0 as? NSMetadataItem)?.value(forAttribute: NSMetadataItemFSNameKey) as? String
        }
    }

    @Test func gathersWhatMatchesAndKeepsItAfterItsEnd() async throws {
        try write("a.txt", "12345")
        try write("b.md")
        let query = query(NSPredicate(format: "%K LIKE '*.txt'", NSMetadataItemFSNameKey))
        let finished = Notifications(.NSMetadataQueryDidFinishGathering, query)
        #expect(query.start())
        #expect(!query.start())
        _ = await finished.next()
        query.disableUpdates()
        query.stop()
        #expect(query.resultCount == 1)
        let item = try #require(query.result(at: 0) as? NSMetadataItem)
        #expect(item.value(forAttribute: NSMetadataItemFSNameKey) as? String == "a.txt")
        #expect(item.value(forAttribute: NSMetadataItemDisplayNameKey) as? String == "a")
        #expect(item.value(forAttribute: NSMetadataItemFSSizeKey) as? NSNumber == 5)
        let url = item.value(forAttribute: NSMetadataItemURLKey) as? URL
        #expect(url == documents.appendingPathComponent("a.txt"))
        #expect(
            item.value(forAttribute: NSMetadataUbiquitousItemDownloadingStatusKey) as? String
                == NSMetadataUbiquitousItemDownloadingStatusCurrent)
        #expect(query.index(ofResult: item) == 0)
        #expect(query.isStopped)
    }

    @Test func withoutAPredicateItDoesNotStart() {
        #expect(!NSMetadataQuery(session: home.session).start())
    }

    @Test func changesComeWhileItIsLive() async throws {
        try write("a.txt")
        let query = query(NSPredicate(value: true))
        query.notificationBatchingInterval = 0
        let finished = Notifications(.NSMetadataQueryDidFinishGathering, query)
        let updates = Notifications(.NSMetadataQueryDidUpdate, query)
        query.start()
        _ = await finished.next()
        #expect(names(query) == ["a.txt"])

        try write("b.txt")
        #expect(await updates.next()?.added == ["b.txt"])
        #expect(names(query) == ["a.txt", "b.txt"])

        try write("a.txt", "longer text")
        #expect(await updates.next()?.changed == ["a.txt"])

        try FileManager.default.removeItem(at: documents.appendingPathComponent("a.txt"))
        daemon.look()
        #expect(await updates.next()?.removed == ["a.txt"])
        #expect(names(query) == ["b.txt"])
        query.stop()
    }

    @Test func itemsThatAreNotDownloadedAreFound() async throws {
        let path = Array("iCloud.org.ubiquity.notes/Documents/far.txt".utf8)
        let row = ItemRow(
            item: ItemID(high: 9, low: 9), path: path, kind: .file, size: 10,
            modified: FileTime(seconds: 1, nanoseconds: 0), state: .placeholder,
            hasConflicts: false, version: VersionID(high: 9, low: 9))
        daemon.tell(ofItem: row)
        let query = query(NSPredicate(value: true))
        let finished = Notifications(.NSMetadataQueryDidFinishGathering, query)
        query.start()
        _ = await finished.next()
        let item = try #require(query.results.first as? NSMetadataItem)
        #expect(
            item.value(forAttribute: NSMetadataUbiquitousItemDownloadingStatusKey) as? String
                == NSMetadataUbiquitousItemDownloadingStatusNotDownloaded)
        #expect(
            item.value(forAttribute: NSMetadataItemPathKey) as? String
                == documents.appendingPathComponent("far.txt").path)
    }

    @Test func heldUpdatesComeWhenTheyAreLetGo() async throws {
        let query = query(NSPredicate(value: true))
        query.notificationBatchingInterval = 0
        let finished = Notifications(.NSMetadataQueryDidFinishGathering, query)
        let updates = Notifications(.NSMetadataQueryDidUpdate, query)
        query.start()
        _ = await finished.next()
        query.disableUpdates()
        query.disableUpdates()
        try write("a.txt")
        query.enableUpdates()
        #expect(query.resultCount == 0)
        query.enableUpdates()
        #expect(await updates.next()?.added == ["a.txt"])
        #expect(query.resultCount == 1)
    }

    @Test func theDataScopeIsTheContainerWithoutDocuments() async throws {
        try write("a.txt")
        let container = documents.deletingLastPathComponent()
        try Data("x".utf8).write(to: container.appendingPathComponent("data.bin"))
        daemon.look()
        let query = query(NSPredicate(value: true))
        query.searchScopes = [NSMetadataQueryUbiquitousDataScope]
        let finished = Notifications(.NSMetadataQueryDidFinishGathering, query)
        query.start()
        _ = await finished.next()
        #expect(names(query) == ["data.bin"])
    }

    @Test func gatheringWaitsForTheDaemonAndChangesOverItsEndAreSeen() async throws {
        try write("a.txt")
        let world = daemon.stop()
        let query = query(NSPredicate(value: true))
        query.notificationBatchingInterval = 0
        let finished = Notifications(.NSMetadataQueryDidFinishGathering, query)
        let updates = Notifications(.NSMetadataQueryDidUpdate, query)
        query.start()
        #expect(query.isGathering)
        let second = try TestDaemon(home.home, world)
        _ = await finished.next()
        #expect(names(query) == ["a.txt"])

        let later = second.stop()
        try Data("b".utf8).write(to: documents.appendingPathComponent("b.txt"))
        let third = try TestDaemon(home.home, later)
        #expect(await updates.next()?.added == ["b.txt"])
        third.stop()
    }

    @Test(arguments: [true, false])
    func theDaemonDecidesWhatItCan(_ isOfThisVersion: Bool) async throws {
        daemon.world { $0.findsItems = isOfThisVersion }
        try write("a.md", "12345")
        try write("b.md", "1")
        try write("c.txt")
        let query = query(
            NSPredicate(
                format: "kMDItemFSName LIKE '*.md' AND kMDItemFSName MATCHES '[ab].md'"))
        query.notificationBatchingInterval = 0
        let finished = Notifications(.NSMetadataQueryDidFinishGathering, query)
        let progress = Notifications(.NSMetadataQueryGatheringProgress, query)
        let updates = Notifications(.NSMetadataQueryDidUpdate, query)
        query.start()
        #expect(await progress.next()?.added == ["a.md", "b.md"])
        _ = await finished.next()
        #expect(names(query) == ["a.md", "b.md"])
        let searches = daemon.world {
            $0.searches.map { String(decoding: $0.condition, as: UTF8.self) }
        }
        #expect(searches == (isOfThisVersion ? ["kMDItemFSName LIKE \"*.md\""] : []))

        // What leaves the daemon's condition, what leaves only the program's, and what comes.
        let folder = documents
        try FileManager.default.moveItem(
            at: folder.appendingPathComponent("b.md"), to: folder.appendingPathComponent("d.md"))
        daemon.look()
        #expect(await updates.next()?.removed == ["b.md"])
        try write("b.md")
        #expect(await updates.next()?.added == ["b.md"])
        try FileManager.default.removeItem(at: folder.appendingPathComponent("a.md"))
        daemon.look()
        #expect(await updates.next()?.removed == ["a.md"])
        #expect(names(query) == ["b.md"])
    }

    @Test func onlyTheGivenItemsAreLookedAt() async throws {
        try write("a.txt")
        try write("b.txt")
        let query = query(NSPredicate(value: true))
        query.searchItems = [documents.appendingPathComponent("b.txt")]
        let finished = Notifications(.NSMetadataQueryDidFinishGathering, query)
        query.start()
        _ = await finished.next()
        #expect(names(query) == ["b.txt"])
        let item = try #require(query.results.first as? NSMetadataItem)
        let type = item.value(forAttribute: NSMetadataItemContentTypeKey) as? String
        #expect(type == "public.plain-text")
        let name = item.value(forAttribute: NSMetadataUbiquitousItemContainerDisplayNameKey)
        #expect(name as? String == "notes")
    }

    @Test func resultsAreSortedCountedAndGrouped() async throws {
        try write("a.txt", "same")
        try write("b.txt", "same")
        try write("c.txt", "longer")
        let query = query(NSPredicate(value: true))
        query.sortDescriptors = [
            NSSortDescriptor(key: NSMetadataItemFSSizeKey, ascending: false),
            NSSortDescriptor(key: NSMetadataItemFSNameKey, ascending: false),
        ]
        query.valueListAttributes = [NSMetadataItemFSSizeKey]
        query.groupingAttributes = [NSMetadataItemFSSizeKey]
        let finished = Notifications(.NSMetadataQueryDidFinishGathering, query)
        query.start()
        _ = await finished.next()
        #expect(names(query) == ["c.txt", "b.txt", "a.txt"])
        let counts = query.valueLists[NSMetadataItemFSSizeKey]?.map(\.count)
        #expect(counts == [2, 1])
        #expect(query.groupedResults.map(\.resultCount) == [1, 2])
        var seen: [Int] = []
        query.enumerateResults(options: .reverse) { _, place, stop in
            seen.append(place)
            if seen.count == 2 { stop.pointee = true }
        }
        #expect(seen == [2, 1])
    }
}
