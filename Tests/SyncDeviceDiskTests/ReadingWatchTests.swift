import Glibc
import SyncCore
import Testing

@testable import SyncDevice

/// Who has read what was installed.
@Suite struct ReadingWatchTests {
    let home: TemporaryHome
    let watcher: Watcher
    let installer: Installer

    init() throws {
        home = try TemporaryHome()
        watcher = try Watcher(home.folders)
        installer = Installer(
            home.folders, isIgnored: { _ in false },
            observe: { [watcher] job, moment in
                if case .staged(let open) = moment { watcher.watchReading(job.item, open) }
            })
    }

    private func read() throws -> [WatchEvent] {
        try watcher.read(at: Instant(nanoseconds: 0)) { _ in nil }.withoutWriting
    }

    @Test func tellsOnceOfAReader() throws {
        #expect(installer.place("x", at: "a").stamp != nil)
        #expect(try read() == [])
        #expect(home.text("a") == "x")
        #expect(try read() == [.opened(item(1))])
        #expect(home.text("a") == "x")
        #expect(try read() == [])
    }

    @Test func isSilentForWriters() throws {
        #expect(installer.place("x", at: "a").stamp != nil)
        let writer = openAsOther(home.file("a"), O_WRONLY | O_APPEND)
        Glibc.write(writer, "y", 1)
        close(writer)
        _ = try home.stamp("a")
        rename(home.file("a"), home.file("b"))
        #expect(try read() == [])
    }

    // MARK: Our own reading

    private var reader: ContentReader {
        ContentReader(home.folders, chunks: ChunkFolder(home.folders))
    }

    private let request = ReadRequest(slot: slot("a"), path: local("a"), kind: .file, prefix: nil)

    private func openQuietly() throws -> QuietFile {
        try #require(reader.open(local("a"), watcher))
    }

    @Test func ourOwnTakingOfChunksIsNoReading() throws {
        #expect(installer.place("some text", at: "a").stamp != nil)
        let file = try openQuietly()
        #expect(file.read(at: 5, count: 4) == Array("text".utf8))
        #expect(file.read(at: 5, count: 5) == nil)
        #expect(file.read(at: 10_000, count: 1) == nil)
        #expect(try read() == [])
        file.close()
        file.close()
        #expect(file.read(at: 0, count: 1) == nil)
        #expect(try read() == [])
        // Nor is it when the last reference goes.
        _ = try openQuietly().read(at: 0, count: 9)
        #expect(try read() == [])
        #expect(watcher.isWatchingReading(item(1)))
        #expect(home.text("a") == "some text")
        #expect(try read() == [.opened(item(1))])
    }

    @Test func aReaderIsSeenWhileWeTakeChunks() throws {
        #expect(installer.place("x", at: "a").stamp != nil)
        let file = try openQuietly()
        #expect(file.read(at: 0, count: 1) != nil)
        #expect(home.text("a") == "x")
        #expect(file.read(at: 0, count: 1) != nil)
        file.close()
        #expect(try read() == [.opened(item(1))])
        #expect(try read() == [])
    }

    /// Who maps a file without reading from it is told of when that is over.
    @Test func aReaderOfAMapIsSeenAfterWeHaveTakenChunks() throws {
        #expect(installer.place("x", at: "a").stamp != nil)
        let mapper = openAsOther(home.file("a"), O_RDONLY)
        let file = try openQuietly()
        #expect(file.read(at: 0, count: 1) != nil)
        file.close()
        #expect(try read() == [])
        close(mapper)
        #expect(try read() == [.opened(item(1))])
    }

    @Test func aFileThatNobodyWatchesIsNotWatchedByTakingChunks() throws {
        try home.write("x", to: "a")
        let file = try openQuietly()
        #expect(file.read(at: 0, count: 1) != nil)
        file.close()
        #expect(home.text("a") == "x")
        #expect(try read() == [])
    }

    @Test func ofTwoThatTakeChunksNeitherIsAReader() throws {
        let installed = try #require(installer.place("x", at: "a").stamp)
        let one = try openQuietly()
        let other = try openQuietly()
        #expect(!other.isBeingRead(installed: installed))
        one.close()
        #expect(other.read(at: 0, count: 1) != nil)
        #expect(!other.isBeingRead(installed: installed))
        other.close()
        #expect(try read() == [])
        let third = try openQuietly()
        let editor = openAsOther(home.file("a"), O_RDONLY)
        #expect(third.isBeingRead(installed: installed))
        close(editor)
    }

    @Test func aFileThatIsCutWhileWeTakeChunksEndsNobody() throws {
        #expect(installer.place("x", at: "a").stamp != nil)
        truncate(home.file("a"), 1 << 20)
        let file = try openQuietly()
        #expect(file.read(at: 0, count: 1 << 20)?.count == 1 << 20)
        truncate(home.file("a"), 1)
        #expect(file.read(at: 0, count: 1 << 20) == nil)
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let scratch = try FileSystemCalls.openMemory()
        try file.withOpen { open in
            // Also if it is cut after its size was asked.
            #expect(
                FileSystemCalls.readMapped(open, at: 0, into: &bytes, 0..<1 << 20, scratch) < 1
                    << 20)
        }
    }

    /// Whoever reads what we read does not wait, and is seen.
    @Test func aLongReadingHidesNoReader() throws {
        let installed = try #require(installer.place("x", at: "a").stamp)
        truncate(home.file("a"), 3 << 20)
        let read = reader.begin(
            request, WatchedReading(item: item(1), installed: installed), watcher)
        #expect(read.step() == nil)
        let other = openAsOther(home.file("a"), O_RDONLY | O_NONBLOCK)
        #expect(other >= 0)
        var byte: UInt8 = 0
        #expect(Glibc.read(other, &byte, 1) == 1)
        close(other)
        guard case .content = read.finish() else {
            Issue.record("it was not read")
            return
        }
        #expect(!read.wasBeingRead)
        #expect(try self.read() == [.opened(item(1))])
    }

    @Test func aReadingThatNobodyDisturbsIsNobodys() throws {
        let installed = try #require(installer.place("x", at: "a").stamp)
        for size in [1, 3 << 20] {
            truncate(home.file("a"), off_t(size))
            let read = reader.begin(
                request, WatchedReading(item: item(1), installed: installed), watcher)
            guard case .content(let content) = read.finish() else {
                Issue.record("it was not read")
                return
            }
            #expect(content.stamp.size == UInt64(size))
            #expect(!read.wasBeingRead)
            #expect(try self.read() == [])
        }
        #expect(home.text("a")?.isEmpty == false)
        #expect(try read() == [.opened(item(1))])
    }

    @Test func whoHadTheFileOpenWhenWeCameHasReadIt() throws {
        let installed = try #require(installer.place("x", at: "a").stamp)
        let watched = WatchedReading(item: item(1), installed: installed)
        let other = openAsOther(home.file("a"), O_RDONLY)
        let read = reader.begin(request, watched, watcher)
        #expect(read.wasBeingRead)
        #expect(read.finish() != .busy)
        close(other)
        // The writer has closed it by now; what others have read is not what was installed.
        try home.write("xy", to: "a")
        let late = openAsOther(home.file("a"), O_RDONLY)
        #expect(!reader.begin(request, watched, watcher).wasBeingRead)
        close(late)
    }

    @Test func forgetsTheReadersOfWhatIsReplaced() throws {
        let first = try #require(installer.place("x", at: "a").stamp)
        #expect(home.text("a") == "x")
        #expect(!watcher.forgetReading(item(1)))
        let outcome = untilQuiet { installer.place("y", at: "a", expected: first) }
        #expect(outcome.stamp != nil)
        #expect(try read() == [])
        #expect(home.text("a") == "y")
        #expect(try read() == [.opened(item(1))])
    }

    @Test func tellsOfBothItemsOfOneFile() throws {
        #expect(installer.place("x", at: "a").stamp != nil)
        link(home.file("a"), home.file("b"))
        watcher.watchReading(item(2), at: local("b"))
        #expect(home.text("a") == "x")
        #expect(Set(try read()) == [.opened(item(1)), .opened(item(2))])
    }

    @Test func givesUpTheOldest() throws {
        mkdir(home.file("d"), 0o755)
        let folder = try home.folders.folder(at: [Name("d")!])
        for number in 0..<UInt64(Watcher.readingLimit + 3) {
            let spot = Spot(folder, "\(number)")
            let file = try FileSystemCalls.openNew(spot)
            watcher.watchReading(item(number), file)
        }
        #expect(watcher.nextDue != nil)
        let told = try read().filter { if case .opened = $0 { true } else { false } }
        #expect(told == [.opened(item(0)), .opened(item(1)), .opened(item(2))])
        #expect(watcher.nextDue == nil)
    }

    @Test func saysNothingOfAFileThatIsGone() throws {
        watcher.watchReading(item(1), at: local("no"))
        #expect(try read() == [])
        #expect(!watcher.isWatchingReading(item(1)))
        #expect(!watcher.forgetReading(item(1)))
    }
}
