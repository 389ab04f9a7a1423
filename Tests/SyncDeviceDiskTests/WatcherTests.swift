import Glibc
import SyncCore
import Testing

@testable import SyncDevice

@Suite struct WatcherTests {
    let home: TemporaryHome
    let watcher: Watcher

    init() throws {
        home = try TemporaryHome()
        watcher = try Watcher(home.folders)
        mkdir(home.file("d"), 0o755)
        try watcher.watch(.top, at: LocalPath(names: []))
        try watcher.watch(item(1), at: local("d"))
    }

    private func read(after milliseconds: Int64 = 0) throws -> [WatchEvent] {
        let now = Instant(nanoseconds: milliseconds * 1_000_000)
        return try watcher.read(at: now) { [.top: LocalPath(names: []), item(1): local("d")][$0] }
            .withoutWriting
    }

    @Test func tellsOfASave() throws {
        try home.write("x", to: "a")
        #expect(try read() == [.changed(slot("a"))])
        #expect(try read() == [])
    }

    @Test func tellsOfAFileWhenItsWriterIsDone() throws {
        let writer = openAsOther(home.file("a"), O_WRONLY | O_CREAT)
        Glibc.write(writer, "x", 1)
        #expect(try read() == [])
        #expect(try read(after: 1_999) == [])
        Glibc.write(writer, "y", 1)
        close(writer)
        #expect(try read(after: 2_000) == [.changed(slot("a"))])
        #expect(watcher.nextDue == nil)
    }

    @Test func tellsOfAnOpenFileThatIsQuiet() throws {
        let writer = openAsOther(home.file("a"), O_WRONLY | O_CREAT)
        defer { close(writer) }
        #expect(try read() == [])
        #expect(watcher.nextDue == Instant(nanoseconds: 2_000_000_000))
        Glibc.write(writer, "x", 1)
        #expect(try read(after: 1_000) == [])
        #expect(try read(after: 2_999) == [])
        #expect(try read(after: 3_000) == [.changed(slot("a"))])
        #expect(try read(after: 9_000) == [])
    }

    @Test func tellsOnceAMinuteOfAFileThatIsNeverQuiet() throws {
        let writer = openAsOther(home.file("log"), O_WRONLY | O_CREAT)
        defer { close(writer) }
        var told: [Int64] = []
        for second in Int64(0)...130 {
            Glibc.write(writer, "x", 1)
            if try read(after: second * 1_000) == [.changed(slot("log"))] { told.append(second) }
        }
        #expect(told == [60, 121])
    }

    @Test func tellsAtOnceOfWhatNobodyWrites() throws {
        try home.write("x", to: "a")
        _ = try read()
        symlink("a", home.file("l"))
        link(home.file("a"), home.file("h"))
        mkdir(home.file("e"), 0o755)
        mknod(home.file("n"), S_IFREG | 0o644, 0)
        let reader = openAsOther(home.file("r"), O_RDONLY | O_CREAT)
        defer { close(reader) }
        let told = try read()
        #expect(Set(told).isSuperset(of: ["l", "h", "e", "n", "r"].map { .changed(slot($0)) }))
    }

    @Test func tellsOfSavesByRename() throws {
        try home.write("old", to: "a")
        try home.write("new", to: "a.tmp")
        rename(home.file("a.tmp"), home.file("a"))
        #expect(Set(try read()) == [.changed(slot("a")), .changed(slot("a.tmp"))])
    }

    @Test func tellsOfModesTimesAndRemovals() throws {
        try home.write("x", to: "a")
        _ = try read()
        chmod(home.file("a"), 0o600)
        #expect(try read() == [.changed(slot("a"))])
        utimensat(AT_FDCWD, home.file("a"), [timespec(), timespec()], 0)
        #expect(try read() == [.changed(slot("a"))])
        unlink(home.file("a"))
        #expect(try read() == [.changed(slot("a"))])
    }

    @Test func keepsAFolderThatIsMoved() throws {
        rename(home.file("d"), home.file("e"))
        let told = Set(try read())
        #expect(told == [.changed(slot("d")), .changed(slot("e")), .folderMoved(item(1))])
        try home.write("x", to: "e/a")
        #expect(try read() == [.changed(slot("a", in: item(1)))])
    }

    @Test func followsAnItemToAnotherFolder() throws {
        mkdir(home.file("e"), 0o755)
        try watcher.watch(item(1), at: local("e"))
        _ = try read()
        try home.write("x", to: "d/a")
        try home.write("x", to: "e/b")
        #expect(try read() == [.changed(slot("b", in: item(1)))])
        try watcher.watch(item(2), at: local("e"))
        try home.write("x", to: "e/c")
        #expect(try read() == [.changed(slot("c", in: item(2)))])
        #expect(Set(watcher.watchedFolders) == [.top, item(2)])
    }

    @Test func tellsThatAFolderIsGone() throws {
        rmdir(home.file("d"))
        #expect(Set(try read()) == [.changed(slot("d")), .folderGone(item(1))])
        #expect(watcher.watchedFolders == [.top])
    }

    @Test func saysNothingOfWhatIsNotWatchedAnyMore() throws {
        try home.write("x", to: "d/a")
        watcher.unwatch(item(1))
        try home.write("x", to: "d/b")
        #expect(try read() == [])
        #expect(throws: DiskError.self) { try watcher.watch(item(1), at: local("no")) }
        try home.write("x", to: "f")
        #expect(throws: DiskError.self) { try watcher.watch(item(1), at: local("f")) }
    }

    @Test func passesMarkersInOrder() throws {
        try home.write("x", to: "a")
        let one = try watcher.barrier()
        let two = try watcher.barrier()
        try home.write("x", to: "b")
        let three = try watcher.barrier()
        #expect(
            try read() == [
                .changed(slot("a")), .passed(one), .passed(two), .changed(slot("b")),
                .passed(three),
            ])
        #expect(listing(home.tree) == ["a", "b", "d"])
    }

    @Test func namesOfAnyBytes() throws {
        let bytes: [UInt8] = [0xFF] + [UInt8](repeating: 0x0A, count: 254)
        let name = try #require(Name(bytes))
        let spot = Spot(try home.folders.folder(at: []), name)
        try FileSystemCalls.makeLink(spot, target: [1])
        #expect(try read() == [.changed(Slot(folder: .top, name: name))])
    }
}
