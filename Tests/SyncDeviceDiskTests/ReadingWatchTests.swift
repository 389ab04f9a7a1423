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

    @Test func pausesForOurOwnReading() throws {
        #expect(installer.place("x", at: "a").stamp != nil)
        #expect(watcher.pauseReading(item(1)))
        #expect(home.text("a") == "x")
        watcher.watchReading(item(1), at: local("a"))
        #expect(try read() == [])
        #expect(home.text("a") == "x")
        #expect(!watcher.pauseReading(item(1)))
        #expect(try read() == [.opened(item(1))])
    }

    /// Our own long reading gives way to another program's, and sees it.
    @Test func aLongReadingIsNoneForAReader() throws {
        let installed = try #require(installer.place("x", at: "a").stamp)
        truncate(home.file("a"), 256 << 20)
        let path = home.file("a")
        let inode = try home.stamp("a").identity.inode
        let editor = ThreadOfAnEditor {
            while !isHeld(inode) { usleep(500) }
            // Whoever opens it now waits, and gets it soon.
            let reader = open(path, O_RDONLY)
            var byte: UInt8 = 0
            Glibc.read(reader, &byte, 1)
            close(reader)
        }
        let reader = ContentReader(home.folders, chunks: ChunkFolder(home.folders))
        let request = ReadRequest(slot: slot("a"), path: local("a"), kind: .file, prefix: nil)
        let watched = WatchedReading(item: item(1), installed: installed)
        editor.start()
        let outcome = WatchedReading.read(request, watched, reader, watcher)
        editor.join()
        #expect(outcome.read == .busy)
        #expect(outcome.isUnread)
        #expect(try read() == [.opened(item(1))])
    }

    @Test func aLongReadingThatNobodyDisturbsIsNobodys() throws {
        let installed = try #require(installer.place("x", at: "a").stamp)
        truncate(home.file("a"), 3 << 20)
        let reader = ContentReader(home.folders, chunks: ChunkFolder(home.folders))
        let request = ReadRequest(slot: slot("a"), path: local("a"), kind: .file, prefix: nil)
        let watched = WatchedReading(item: item(1), installed: installed)
        let outcome = WatchedReading.read(request, watched, reader, watcher)
        guard case .content = outcome.read else {
            Issue.record("it was not read")
            return
        }
        #expect(outcome.isUnread)
        watcher.watchReading(item(1), at: local("a"))
        #expect(try read() == [])
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
        #expect(!watcher.pauseReading(item(1)))
        #expect(!watcher.forgetReading(item(1)))
    }
}

/// Whether any program has a lease on the file.
private func isHeld(_ inode: UInt64) -> Bool {
    let file = open("/proc/locks", O_RDONLY)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
        .contains { $0.contains("LEASE") && $0.contains(":\(inode) ") }
}
