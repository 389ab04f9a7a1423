import Glibc
import SyncCore
import SyncStore
import Testing

@testable import SyncDevice

/// Packages on a real file system: read whole, installed whole, judged by all that is in them.
@Suite struct PackageTests {
    let home: TemporaryHome
    let installer: Installer
    let chunks: ChunkFolder
    let reader: ContentReader
    private let old = FileTime(seconds: 1_000_000_000, nanoseconds: 123_456_789)

    init() throws {
        home = try TemporaryHome()
        installer = Installer(home)
        chunks = ChunkFolder(home.folders)
        reader = ContentReader(home.folders, chunks: chunks)
    }

    // MARK: Helpers

    private func make(_ path: String, _ texts: [String: String]) throws {
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
            let names = (path + "/" + name).split(separator: "/")
            for count in 1..<names.count {
                mkdir(home.file(names[..<count].joined(separator: "/")), 0o755)
            }
            try home.write(text, to: path + "/" + name)
        }
    }

    private func spot(_ path: String) throws -> Spot { try home.folders.spot(of: local(path)) }

    private func walk(_ path: String) throws -> PackageWalk { try PackageWalk(spot(path)) }

    private func read(_ path: String, known: Set<ChunkID> = []) -> ReadContent? {
        let request = ReadRequest(
            slot: slot(path), path: local(path), kind: .package, prefix: nil)
        // Another test that starts a program has every file open for a moment.
        for _ in 0..<1_000 {
            switch reader.read(request, known: known) {
            case .content(let content): return content
            case .busy: usleep(1_000)
            case .gone, .failed: return nil
            }
        }
        return nil
    }

    private func facts(of content: ReadContent) -> VersionFacts {
        VersionFacts(
            digest: content.digest, size: content.content.storedSize, mode: 0o750,
            modified: content.stamp.modified)
    }

    private func bytes(of content: ReadContent) throws -> [UInt8] {
        switch content.content {
        case .none: return []
        case .inline(let bytes): return bytes
        case .chunks(let list): return try list.flatMap { try chunks.read($0) ?? [] }
        }
    }

    private func place(
        _ content: ReadContent, at path: String, over expected: FileStamp? = nil,
        by other: Installer? = nil
    ) throws -> JobOutcome {
        let bytes = try bytes(of: content)
        let facts = facts(of: content)
        return untilQuiet {
            (other ?? installer).perform(
                .placePackage(at: local(path), .inline(bytes), facts, expected: expected),
                .bytes(bytes))
        }
    }

    private func texts(_ path: String) throws -> [String: String] {
        var texts: [String: String] = [:]
        for entry in try walk(path).entries where entry.kind == .file {
            let name = String(decoding: entry.path, as: UTF8.self)
            texts[name] = home.text(path + "/" + name)
        }
        return texts
    }

    private let document = ["text.md": "hello\n", "assets/a.png": "A\u{0}", "info.json": "{}"]

    // MARK: Reading

    @Test func aPackageComesBackAsItWas() throws {
        try make("x.rtfd", document)
        symlink("nowhere", home.file("x.rtfd/link"))
        mkdir(home.file("x.rtfd/empty"), 0o711)
        chmod(home.file("x.rtfd/text.md"), 0o600)
        try FileSystemCalls.setModified(spot("x.rtfd/text.md"), old)
        let read = try #require(self.read("x.rtfd"))
        let stamp = try #require(try place(read, at: "y.rtfd").stamp)
        #expect(try texts("y.rtfd") == document)
        #expect(try walk("y.rtfd").list == walk("x.rtfd").list)
        #expect(try home.stamp("y.rtfd").mode == 0o750)
        #expect(try walk("y.rtfd").stamp.isUntouched(since: stamp))
        #expect(home.staged.isEmpty)
        #expect(self.read("y.rtfd")?.digest == read.digest)
    }

    @Test func whatStaysOnItsDeviceIsNotRead() throws {
        try make("x.rtfd", document)
        let before = read("x.rtfd")?.digest
        try make("x.rtfd", ["text.md~": "backup", "sub.nosync/in": "x", ".DS_Store": "x"])
        mkfifo(home.file("x.rtfd/pipe"), 0o600)
        #expect(read("x.rtfd")?.digest == before)
        #expect(try walk("x.rtfd").leftAlone.count == 4)
    }

    @Test(arguments: ["write", "add", "remove", "rename", "mode", "swap"])
    func eachChangeOfAMemberChangesTheStamp(_ change: String) throws {
        try make("x.rtfd", document)
        try FileSystemCalls.setModified(spot("x.rtfd/info.json"), old)
        let before = try walk("x.rtfd").stamp
        switch change {
        case "write": try home.write("hallo\n", to: "x.rtfd/text.md")
        case "add": mkdir(home.file("x.rtfd/assets/new"), 0o755)
        case "remove": unlink(home.file("x.rtfd/assets/a.png"))
        case "rename": rename(home.file("x.rtfd/info.json"), home.file("x.rtfd/info"))
        case "mode": chmod(home.file("x.rtfd/info.json"), 0o600)
        default:
            // The same size and time: only the inode tells.
            try home.write("[]", to: "other")
            try FileSystemCalls.setModified(spot("other"), old)
            rename(home.file("other"), home.file("x.rtfd/info.json"))
        }
        #expect(try !walk("x.rtfd").stamp.isUntouched(since: before))
    }

    @Test func aPackageInWhichSomebodyWritesIsNotRead() throws {
        try make("x.rtfd", document)
        let file = openAsOther(home.file("x.rtfd/text.md"), O_WRONLY)
        defer { close(file) }
        let request = ReadRequest(
            slot: slot("x.rtfd"), path: local("x.rtfd"), kind: .package, prefix: nil)
        #expect(reader.read(request) == .busy)
    }

    /// Of a long package whose text changed only the list and the text are kept to be sent.
    @Test func membersThatDidNotChangeAreNotKeptAgain() throws {
        try make("x.textbundle", document)
        try writeBytes(noise(3_000_000), to: home.file("x.textbundle/assets/big"))
        let first = try #require(read("x.textbundle"))
        guard case .chunks(let before) = first.content else {
            Issue.record("it is short")
            return
        }
        try home.write("another text\n", to: "x.textbundle/text.md")
        for id in try chunks.list() { try chunks.remove(id) }
        let second = try #require(read("x.textbundle", known: Set(before.map(\.id))))
        #expect(second.digest != first.digest)
        let kept = try chunks.list()
        #expect(kept.count == 2)
        guard case .chunks(let after) = second.content else { return }
        #expect(Set(after.map(\.id)).subtracting(before.map(\.id)) == Set(kept))
        // All but the list is found again in the folder itself.
        let source = try #require(
            reader.openPackage(
                local("x.textbundle"), chunks: after, Watcher(home.folders)))
        var offset: UInt64 = 0
        var found = 0
        for chunk in after {
            if let bytes = source.read(at: offset, count: Int(chunk.size)),
                SHA256.hash(bytes) == chunk.id
            {
                found += 1
            }
            offset += UInt64(chunk.size)
        }
        #expect(found == after.count - 1)
    }

    @Test func aContentThatWasMadeHereIsCutAsOneThatWasRead() throws {
        try make("x.textbundle", document)
        try writeBytes(noise(300_000), to: home.file("x.textbundle/assets/big"))
        let read = try #require(self.read("x.textbundle"))
        let bytes = try bytes(of: read)
        let list = try #require(PackageList(front: bytes))
        #expect(try chunks.keep(bytes, sections: list.sections) == read.content)
    }

    // MARK: Installing

    @Test func aPackageReplacesAnotherAndKeepsWhatStaysOnTheDevice() throws {
        try make("new.rtfd", ["text.md": "new\n", "assets/b.png": "B"])
        let new = try #require(read("new.rtfd"))
        try make("x.rtfd", document)
        try make("x.rtfd", ["assets/.a.swp": "mine", "gone/.b.swp": "mine too", "gone/x": "1"])
        let stamp = try walk("x.rtfd").stamp
        let outcome = try place(new, at: "x.rtfd", over: stamp)
        let installed = try #require(outcome.stamp)
        #expect(try texts("x.rtfd") == ["text.md": "new\n", "assets/b.png": "B"])
        #expect(try walk("x.rtfd").stamp.isUntouched(since: installed))
        #expect(home.text("x.rtfd/assets/.a.swp") == "mine")
        #expect(home.setAside == [".b.swp": "mine too"])
        #expect(home.staged.isEmpty)
    }

    @Test(arguments: ["text.md", "assets/new"])
    func aPackageThatWasChangedIsNotReplaced(_ name: String) throws {
        try make("new.rtfd", ["text.md": "new\n"])
        let new = try #require(read("new.rtfd"))
        try make("x.rtfd", document)
        let stamp = try walk("x.rtfd").stamp
        // Before the look, and between the look and the swap.
        for isLate in [false, true] {
            let save: @Sendable () -> Void = { [home] in
                try? home.write("saved", to: "x.rtfd/" + name)
            }
            let other = Installer(
                home.folders, isIgnored: { _ in false },
                observe: { _, moment in if isLate, case .staged = moment { save() } })
            if !isLate { save() }
            let outcome = try place(new, at: "x.rtfd", over: stamp, by: other)
            #expect(outcome.found(try walk("x.rtfd").stamp))
            #expect(home.text("x.rtfd/" + name) == "saved")
            #expect(home.text("x.rtfd/info.json") == "{}")
            #expect(home.staged.isEmpty)
            #expect(home.setAside.isEmpty)
        }
    }

    @Test func aPackageThatSomebodyHasOpenForWritingWaits() throws {
        try make("new.rtfd", ["text.md": "new\n"])
        let new = try #require(read("new.rtfd"))
        try make("x.rtfd", document)
        let stamp = try walk("x.rtfd").stamp
        let file = openAsOther(home.file("x.rtfd/text.md"), O_WRONLY)
        let bytes = try bytes(of: new)
        let task = InstallJob.Task.placePackage(
            at: local("x.rtfd"), .inline(bytes), facts(of: new), expected: stamp)
        #expect(installer.perform(task, .bytes(bytes)) == .busy)
        close(file)
        #expect(try texts("x.rtfd") == document)
        #expect(try place(new, at: "x.rtfd", over: stamp).stamp != nil)
    }

    @Test func aPackageIsRemovedOnlyAsItIsKnown() throws {
        try make("x.rtfd", document)
        let stamp = try walk("x.rtfd").stamp
        let task = InstallJob.Task.remove(at: local("x.rtfd"), kind: .package, expected: stamp)
        try home.write("saved", to: "x.rtfd/assets/new")
        #expect(untilQuiet { installer.perform(task) }.isUnexpected)
        #expect(home.text("x.rtfd/assets/new") == "saved")
        unlink(home.file("x.rtfd/assets/new"))
        #expect(untilQuiet { installer.perform(task) } == .done(nil))
        #expect(home.names(in: home.tree).isEmpty)
        #expect(home.staged.isEmpty)
    }

    @Test func aContentThatIsNoPackageIsNotInstalled() throws {
        let bytes = Array("no package".utf8)
        let task = InstallJob.Task.placePackage(
            at: local("x.rtfd"), .inline(bytes), SyncDeviceDiskTests.facts("no package"),
            expected: nil)
        #expect(installer.perform(task, .bytes(bytes)) == .failed(.other))
        #expect(home.names(in: home.tree).isEmpty)
        #expect(home.staged.isEmpty)
    }

    /// What `rename` asks of a folder that changes its parent, and of the folders within it.
    @Test func packagesThatMayNotBeWrittenToAreReplaced() throws {
        try make("new.rtfd", ["assets/b": "B"])
        chmod(home.file("new.rtfd/assets"), 0o555)
        let new = try #require(read("new.rtfd"))
        chmod(home.file("new.rtfd/assets"), 0o755)
        try make("x.rtfd", document)
        chmod(home.file("x.rtfd/assets"), 0o555)
        chmod(home.file("x.rtfd"), 0o555)
        let stamp = try #require(try place(new, at: "x.rtfd", over: walk("x.rtfd").stamp).stamp)
        #expect(try texts("x.rtfd") == ["assets/b": "B"])
        #expect(try home.stamp("x.rtfd/assets").mode == 0o555)
        let again = try place(new, at: "x.rtfd", over: stamp)
        #expect(again.stamp != nil)
        #expect(home.staged.isEmpty)
    }

    // MARK: After a crash

    private func recover() throws -> [Installer.Recovered] {
        try installer.recover { $0 == item(1) ? local("x.rtfd") : nil }
    }

    private func stage(_ path: String, as name: StagingName) {
        #expect(rename(home.file(path), "\(home.state)/staging/\(name.text)") == 0)
    }

    /// Its time is told by the kernel, whose clock moves in ticks.
    private func judgedNow() -> FileTime {
        usleep(30_000)
        defer { usleep(30_000) }
        return FileSystemCalls.wallClock()
    }

    @Test func theRestOfAPackageThatWasBeingRemovedGoes() throws {
        try make("gone", document)
        stage("gone", as: .leaving(1, item(1), judgedAt: judgedNow()))
        #expect(try recover().isEmpty)
        #expect(home.staged.isEmpty)
        #expect(home.setAside.isEmpty)
    }

    /// A program that stands in its folder goes on, whatever becomes of the daemon.
    @Test func whatWasWrittenIntoTheRestOfAPackageIsSetAside() throws {
        try make("gone", document)
        let name = StagingName.leaving(1, item(1), judgedAt: judgedNow())
        stage("gone", as: name)
        let folder = "\(home.state)/staging/\(name.text)"
        try writeBytes(Array("saved".utf8), to: folder + "/text.md")
        try writeBytes(Array("made".utf8), to: folder + "/assets/new")
        #expect(try recover().count == 1)
        #expect(home.setAside == ["text.md": "saved", "new": "made"])
        #expect(home.staged.isEmpty)
    }

    @Test func afterAClockWasSetBackTheRestOfAPackageIsSetAsideWhole() throws {
        try make("gone", document)
        let later = FileTime(seconds: FileSystemCalls.wallClock().seconds + 60, nanoseconds: 0)
        stage("gone", as: .leaving(1, item(1), judgedAt: later))
        #expect(try recover().count == 1)
        #expect(home.staged.isEmpty)
        let aside = try #require(listing(home.state + "/set-aside").first)
        #expect(
            listing("\(home.state)/set-aside/\(aside)/x.rtfd") == [
                "assets", "info.json", "text.md",
            ])
    }

    // MARK: What is removed

    @Test func aPackageThatIsNotAsItWasJudgedIsSetAsideWhole() throws {
        try make("x.rtfd", document)
        let judged = try walk("x.rtfd").stamp
        try home.write("saved", to: "x.rtfd/text.md")
        stage("x.rtfd", as: .fresh(1))
        let spot = Spot(home.folders.staging, StagingName.fresh(1).text)
        try installer.removeKnown(spot, item(1), judgedAs: judged)
        #expect(home.staged.isEmpty)
        let aside = try #require(listing(home.state + "/set-aside").first)
        #expect(readText("\(home.state)/set-aside/\(aside)/new_1/text.md") == "saved")
    }

    @Test func aMemberThatSomebodyWritesIsSetAsideAndTheOthersGo() throws {
        try make("x.rtfd", document)
        let judged = try walk("x.rtfd").stamp
        stage("x.rtfd", as: .fresh(1))
        let spot = Spot(home.folders.staging, StagingName.fresh(1).text)
        let file = openAsOther("\(home.state)/staging/new_1/text.md", O_WRONLY)
        defer { close(file) }
        try installer.removeKnown(spot, item(1), judgedAs: judged)
        #expect(home.staged.isEmpty)
        #expect(Array(home.setAside.keys) == ["text.md"])
    }

    @Test func aPackageThatWasBeingPutTogetherGoes() throws {
        try make("half", document)
        stage("half", as: .fresh(1))
        #expect(try recover().isEmpty)
        #expect(home.staged.isEmpty)
    }

    @Test func theOldPackageGoesAfterASwap() throws {
        try make("x.rtfd", ["text.md": "new"])
        try make("out", document)
        let (ours, expected) = (try walk("x.rtfd").stamp, try walk("out").stamp)
        stage(
            "out",
            as: .incoming(ours: FileMark(ours), item(1), expected: FileMark(expected)))
        #expect(try recover().isEmpty)
        #expect(try texts("x.rtfd") == ["text.md": "new"])
        #expect(home.staged.isEmpty)
    }

    @Test func aChangedPackageGoesBackAfterASwap() throws {
        try make("x.rtfd", ["text.md": "new"])
        try make("out", document)
        let (ours, expected) = (try walk("x.rtfd").stamp, try walk("out").stamp)
        try home.write("saved", to: "out/assets/a.png")
        stage(
            "out",
            as: .incoming(ours: FileMark(ours), item(1), expected: FileMark(expected)))
        #expect(try recover() == [.putBack(item(1))])
        #expect(home.text("x.rtfd/assets/a.png") == "saved")
        #expect(home.text("x.rtfd/text.md") == "hello\n")
        #expect(home.staged.isEmpty)
    }

    @Test func aRemovedPackageGoesAndAChangedOneComesBack() throws {
        for isChanged in [false, true] {
            try make("x.rtfd", document)
            let stamp = try walk("x.rtfd").stamp
            if isChanged { try home.write("saved", to: "x.rtfd/new") }
            stage("x.rtfd", as: .removed(2, item(1), expected: FileMark(stamp)))
            #expect(try recover() == (isChanged ? [.putBack(item(1))] : []))
            #expect(home.text("x.rtfd/new") == (isChanged ? "saved" : nil))
        }
    }

    // MARK: Watching

    @Test func whatHappensInAPackageIsToldOfThePackage() throws {
        try make("x.rtfd", document)
        let watcher = try Watcher(home.folders)
        let identity = try walk("x.rtfd").stamp.identity
        var isNew = false
        func look() throws {
            _ = try PackageWalk(spot("x.rtfd")) { (open) throws(DiskError) in
                if try watcher.watch(open, inPackage: identity) { isNew = true }
            }
        }
        func events() throws -> [WatchEvent] {
            try watcher.read(at: Instant(nanoseconds: 0)) { _ in nil }
        }
        try look()
        #expect(isNew)
        isNew = false
        try look()
        #expect(!isNew && watcher.isWatching(package: identity))
        try home.write("B", to: "x.rtfd/assets/a.png")
        #expect(try events() == [.stirred(identity)])
        try home.write("x", to: "x.rtfd/text.md~")
        #expect(try events().isEmpty)
        mkdir(home.file("x.rtfd/more"), 0o755)
        #expect(try events() == [.stirred(identity)])
        try look()
        #expect(isNew)
        try home.write("x", to: "x.rtfd/more/in")
        #expect(try events() == [.stirred(identity)])
        watcher.unwatch(package: identity)
        try home.write("y", to: "x.rtfd/more/in")
        #expect(try events().isEmpty)
    }

    @Test func whoReadsAPackageIsToldOnce() throws {
        try make("x.rtfd", document)
        let watcher = try Watcher(home.folders)
        let identity = try walk("x.rtfd").stamp.identity
        let spot = try spot("x.rtfd")
        func watch() {
            watcher.watchReading(item(1), ofPackage: identity) { () throws(DiskError) in
                _ = try PackageWalk(spot) { (open) throws(DiskError) in
                    _ = try watcher.watch(open, inPackage: identity)
                }
            }
        }
        func events() throws -> [WatchEvent] {
            try watcher.read(at: Instant(nanoseconds: 0)) { _ in nil }
        }
        _ = home.text("x.rtfd/text.md")
        watch()
        // Who looks into it has read nothing of it; nor do we, when we read.
        _ = try walk("x.rtfd")
        try watcher.readingOurselves(identity) { _ = home.text("x.rtfd/text.md") }
        #expect(try events().isEmpty)
        #expect(home.text("x.rtfd/assets/a.png") != nil)
        #expect(try events() == [.opened(item(1))])
        _ = home.text("x.rtfd/text.md")
        #expect(try events().isEmpty)
        watch()
        try home.write("saved unread", to: "x.rtfd/text.md")
        #expect(try events() == [.stirred(identity)])
        #expect(watcher.forgetReading(item(1)))
        _ = home.text("x.rtfd/text.md")
        // What was read before is not told, though it is in the queue still.
        watch()
        #expect(try events().isEmpty)
    }

    @Test func endingsAreReadFromTheHome() throws {
        let text = "sketch\n.Pages  # Apple's\n\nfoo merge\nbad.one\na b c\n# all\n"
        let types = PackageTypes(Array(text.utf8))
        #expect(types.contains(Name("a.sketch")!))
        #expect(types.contains(Name("a.pages")!))
        #expect(types.merges(Name("a.foo")!))
        #expect(!types.contains(Name("a.one")!))
        #expect(!types.contains(Name("a.a")!))
    }
}
