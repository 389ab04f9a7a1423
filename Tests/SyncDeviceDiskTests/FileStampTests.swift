import Glibc
import SyncCore
import Testing

@testable import SyncDevice

@Suite struct FileStampTests {
    @Test func aTickIsTenMilliseconds() {
        let now = FileTime(seconds: 100, nanoseconds: 5_000_000)
        let at = { (seconds: Int64, nanoseconds: UInt32) in
            FileTime(seconds: seconds, nanoseconds: nanoseconds).isWithinTick(of: now)
        }
        #expect(at(100, 5_000_000))
        #expect(at(99, 995_000_000))
        #expect(!at(99, 994_999_999))
        #expect(at(100, 15_000_000))
        #expect(!at(100, 15_000_001))
        #expect(!at(.min, 0))
        #expect(!at(.max, 0))
    }

    @Test func aFileJustWrittenIsRacyAndAnOldOneIsNot() throws {
        let home = try TemporaryHome()
        try home.write("x", to: "a")
        var times = [timespec(), timespec()]
        times[1].tv_sec = -86_400
        times[1].tv_nsec = 5
        #expect(utimensat(AT_FDCWD, home.file("a"), times, 0) == 0)
        let stamp = try home.stamp("a")
        #expect(stamp.modified == FileTime(seconds: -86_400, nanoseconds: 5))
        #expect(!stamp.isRacy)
        times[1].tv_nsec = (1 << 30) - 1  // UTIME_NOW
        #expect(utimensat(AT_FDCWD, home.file("a"), times, 0) == 0)
        #expect(try home.stamp("a").isRacy)
    }

    @Test func aRenamedFileIsTheSameAndANewOneIsNot() throws {
        let home = try TemporaryHome()
        try home.write("x", to: "a")
        let before = try home.stamp("a")
        rename(home.file("a"), home.file("b"))
        #expect(try home.stamp("b").isUntouched(since: before))
        unlink(home.file("b"))
        try home.write("x", to: "b")
        #expect(try home.stamp("b").identity != before.identity)
    }

    @Test func looksAtEveryKind() throws {
        let home = try TemporaryHome()
        try home.write("x", to: "a")
        link(home.file("a"), home.file("b"))
        mkdir(home.file("d"), 0o750)
        symlink("d", home.file("l"))
        mkfifo(home.file("f"), 0o644)
        let found = try #require(
            try DiskView(home.folders).list(item(3), at: LocalPath(names: []), being: nil))
        var kinds: [String: EntryKind] = [:]
        for sighting in found { kinds[sighting.slot.name.text] = sighting.entry?.kind }
        #expect(kinds == ["a": .file, "b": .file, "d": .folder, "l": .link, "f": .other])
        #expect(found.allSatisfy { $0.slot.folder == item(3) })
        #expect(try home.stamp("a").links == 2)
        #expect(try home.stamp("d").mode == 0o750)
        #expect(try home.entry("no") == nil)
        #expect(try home.entry("a/b") == nil)
        #expect(try home.entry("l/b") == nil)
    }

    @Test func listsAFolderOfManyNames() throws {
        let home = try TemporaryHome()
        for number in 0..<3_000 {
            mknod(home.file("\(number)-" + String(repeating: "n", count: 200)), S_IFREG | 0o644, 0)
        }
        let found = try #require(
            try DiskView(home.folders).list(.top, at: LocalPath(names: []), being: nil))
        #expect(Set(found.map(\.slot)).count == 3_000)
    }

    @Test func saysThatAFolderIsNotThere() throws {
        let home = try TemporaryHome()
        let view = DiskView(home.folders)
        try home.write("x", to: "a")
        for path in ["no", "a", "no/no"] {
            #expect(throws: DiskError.self) { try view.list(item(1), at: local(path), being: nil) }
        }
        rename(home.tree, home.path + "/Elsewhere")
        let error = #expect(throws: DiskError.self) {
            try view.list(.top, at: LocalPath(names: []), being: nil)
        }
        #expect(error?.failure == .missing)
    }
}
