import Glibc
import SyncCore
import Testing

@testable import SyncDevice

@Suite struct InstallerPlaceTests {
    let home: TemporaryHome
    let installer: Installer

    init() throws {
        home = try TemporaryHome()
        installer = Installer(home)
    }

    @Test func placesANewFileWithItsModeAndTime() throws {
        let time = FileTime(seconds: -141_393_600, nanoseconds: 250_000_000)
        let wanted = facts("hello", mode: 0o751, modified: time)
        let stamp = try #require(installer.place("hello", at: "a", wanted).stamp)
        #expect(home.text("a") == "hello")
        #expect(stamp.mode == 0o751)
        #expect(stamp.modified == time)
        #expect(!stamp.isRacy)
        #expect(try home.stamp("a").provesSameContent(as: stamp))
        #expect(home.staged.isEmpty)
    }

    @Test(arguments: [
        FileTime(seconds: -141_393_600, nanoseconds: 0), FileTime(seconds: -1, nanoseconds: 1),
        FileTime(seconds: 0, nanoseconds: 0), FileTime(seconds: 0, nanoseconds: 999_999_999),
        FileTime(seconds: 3_786_912_000, nanoseconds: 5),
    ])
    func keepsEveryTime(time: FileTime) throws {
        let stamp = installer.place("x", at: "a", facts("x", modified: time)).stamp
        #expect(stamp?.modified == time)
        let link = installer.placeLink(to: "x", at: "l", facts("x", modified: time)).stamp
        #expect(link?.modified == time)
    }

    @Test func readsBackWhatTheFileSystemMadeOfATimeItCannotKeep() throws {
        let far = FileTime(seconds: 32_503_680_000, nanoseconds: 0)
        let wild = FileTime(seconds: 5, nanoseconds: .max)
        let stamp = try #require(installer.place("x", at: "a", facts("x", modified: far)).stamp)
        #expect(try home.stamp("a").modified == stamp.modified)
        #expect(installer.place("x", at: "b", facts("x", modified: wild)).stamp != nil)
    }

    @Test(arguments: [UInt16(0o000), 0o200, 0o444, 0o777])
    func keepsEveryMode(mode: UInt16) throws {
        #expect(installer.place("x", at: "a", facts("x", mode: mode)).stamp?.mode == mode)
    }

    @Test func neverReplacesWhatHasTheNameOfANewFile() throws {
        try home.write("mine", to: "a")
        let outcome = installer.place("theirs", at: "a")
        #expect(outcome.found(try home.stamp("a")))
        #expect(home.text("a") == "mine")
        #expect(home.staged.isEmpty)
    }

    @Test func replacesTheKnownFile() throws {
        let first = try #require(installer.place("one", at: "a").stamp)
        let second = installer.place("two", at: "a", expected: first)
        #expect(home.text("a") == "two")
        #expect(second.stamp?.identity != first.identity)
        #expect(home.staged.isEmpty)
        #expect(home.setAside.isEmpty)
    }

    @Test func leavesAnEditedFileAlone() throws {
        let first = try #require(installer.place("one", at: "a").stamp)
        try home.write("edited", to: "a")
        let outcome = installer.place("two", at: "a", expected: first)
        #expect(outcome.found(try home.stamp("a")))
        #expect(home.text("a") == "edited")
        #expect(home.staged.isEmpty)
    }

    @Test func waitsForAWriter() throws {
        let first = try #require(installer.place("one", at: "a").stamp)
        let writer = openAsOther(home.file("a"), O_WRONLY)
        #expect(installer.place("two", at: "a", expected: first) == .busy)
        #expect(home.text("a") == "one")
        close(writer)
        let outcome = untilQuiet { installer.place("two", at: "a", expected: first) }
        #expect(outcome.stamp != nil)
    }

    @Test func doesNotMindReaders() throws {
        let first = try #require(installer.place("one", at: "a").stamp)
        let reader = openAsOther(home.file("a"), O_RDONLY)
        defer { close(reader) }
        #expect(installer.place("two", at: "a", expected: first).stamp != nil)
    }

    @Test func saysThatTheFileIsGone() throws {
        let first = try #require(installer.place("one", at: "a").stamp)
        unlink(home.file("a"))
        #expect(installer.place("two", at: "a", expected: first) == .unexpected(nil))
        #expect(listing(home.tree).isEmpty)
    }

    @Test func refusesContentThatIsNotTheVersions() throws {
        #expect(installer.place("x", at: "a", facts("y")) == .contentMissing)
        #expect(installer.place("xx", at: "a", facts("x")) == .contentMissing)
        #expect(installer.placeLink(to: "x", at: "a", facts("y")) == .contentMissing)
        #expect(listing(home.tree).isEmpty)
        #expect(home.staged.isEmpty)
    }

    @Test func placesWhatWasStagedPieceByPiece() throws {
        let file = try installer.stage()
        try file.append(Array("one ".utf8))
        try file.append(Array("two".utf8))
        let task = InstallJob.Task.placeFile(
            at: local("a"), .inline([]), facts("one two"), expected: nil)
        #expect(installer.perform(task, .staged(file)).stamp != nil)
        #expect(home.text("a") == "one two")
    }

    @Test func keepsWhatWasStagedForAnotherTime() throws {
        let first = try #require(installer.place("one", at: "a").stamp)
        let file = try installer.stage()
        try file.append(Array("two".utf8))
        let task = InstallJob.Task.placeFile(
            at: local("a"), .inline([]), facts("two"), expected: first)
        let writer = openAsOther(home.file("a"), O_WRONLY)
        #expect(installer.perform(task, .staged(file)) == .busy)
        #expect(!file.isInstalled)
        close(writer)
        #expect(untilQuiet { installer.perform(task, .staged(file)) }.stamp != nil)
        #expect(file.isInstalled)
        #expect(home.text("a") == "two")
        #expect(installer.perform(task, .staged(file)) == .contentMissing)
    }

    @Test func dropsWhatWasStagedAndNotInstalled() throws {
        do {
            let file = try installer.stage()
            try file.append([1, 2, 3])
            #expect(home.staged.count == 1)
        }
        #expect(home.staged.isEmpty)
    }

    @Test func placesAndReplacesLinks() throws {
        let first = try #require(installer.placeLink(to: "nowhere", at: "l").stamp)
        let second = installer.placeLink(to: "../up", at: "l", expected: first)
        #expect(second.stamp != nil)
        let target = try FileSystemCalls.readLink(home.folders.spot(of: local("l")))
        #expect(target == Array("../up".utf8))
        #expect(home.staged.isEmpty)
    }

    @Test func refusesLinksThatLinuxDoesNotHave() throws {
        #expect(installer.placeLink(to: "", at: "l") == .failed(.nameNotPossible))
        let long = String(repeating: "x", count: 5_000)
        #expect(installer.placeLink(to: long, at: "l") == .failed(.nameNotPossible))
        #expect(home.staged.isEmpty)
    }

    @Test func doesNotFollowLinksInsideTheTree() throws {
        mkdir("\(home.path)/outside", 0o755)
        symlink("\(home.path)/outside", home.file("d"))
        #expect(installer.place("x", at: "d/a") == .failed(.missing))
        #expect(listing(home.path + "/outside").isEmpty)
    }

    @Test func takesNamesOfAnyBytes() throws {
        let names: [[UInt8]] = [
            [0xFF, 0xFE], Array("a\nb\t\\%".utf8), Array(" lead".utf8), Array("trail. ".utf8),
            [UInt8](repeating: 0x78, count: 255), Array("a\u{302}".utf8), Array("\u{e2}".utf8),
        ]
        for name in names {
            let path = LocalPath(names: [Name(name)!])
            let task = InstallJob.Task.placeFile(
                at: path, .inline([1]), facts("\u{1}"), expected: nil)
            #expect(installer.perform(task, .bytes([1])).stamp != nil)
        }
        let found = try #require(
            try DiskView(home.folders).list(.top, at: LocalPath(names: []), being: nil))
        #expect(Set(found.map(\.slot.name.bytes)) == Set(names))
    }

    @Test func workWithPathsBeyondTheLimit() throws {
        let part = String(repeating: "d", count: 200)
        var path = ""
        for depth in 0..<45 {
            path += path.isEmpty ? part : "/" + part
            let made = installer.perform(.makeFolder(at: local(path), mode: 0o755))
            #expect(made.stamp != nil, "depth \(depth)")
        }
        #expect(path.utf8.count > 9_000)
        let first = try #require(installer.place("deep", at: path + "/a").stamp)
        #expect(installer.place("deeper", at: path + "/a", expected: first).stamp != nil)
        let found = try #require(
            try DiskView(home.folders).list(item(1), at: local(path), being: nil))
        #expect(found.map(\.slot.name.text) == ["a"])
        let spot = try home.folders.spot(of: local(path + "/a"))
        let text = Array(("Containers/" + path).utf8)
        let stepwise = try DeviceFolders.openStepwise(home.folders.home, text)
        let one = try FileSystemCalls.look(stepwise).stamp.identity
        #expect(try FileSystemCalls.look(spot.folder).stamp.identity == one)
    }

    @Test func performsAManyJobBatchInItsOrder() throws {
        var batch: [Installation] = []
        for number in 0..<40 {
            let folder = InstallJob(
                id: 1, item: item(1),
                task: .makeFolder(at: local("f\(number)"), mode: 0o755))
            let file = InstallJob(
                id: 2, item: item(2),
                task: .placeFile(
                    at: local("f\(number)/a"), .inline([]), facts("\(number)"), expected: nil))
            batch.append(Installation(folder))
            batch.append(Installation(file, .bytes(Array("\(number)".utf8))))
        }
        let outcomes = installer.perform(batch)
        #expect(outcomes.allSatisfy { $0.stamp != nil })
        #expect(home.text("f39/a") == "39")
        #expect(home.staged.isEmpty)
    }
}
