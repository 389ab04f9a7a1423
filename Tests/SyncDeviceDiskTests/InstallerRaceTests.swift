import Glibc
import SyncCore
import Synchronization
import Testing

@testable import SyncDevice

/// Other programs that come in between looking, swapping and judging.
@Suite struct InstallerRaceTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    /// An installer whose job meets other programs at two moments.
    private func installer(
        staged: @escaping @Sendable () -> Void = {}, swapped: @escaping @Sendable () -> Void = {}
    ) -> Installer {
        Installer(
            home.folders, isIgnored: { _ in false },
            observe: { _, moment in
                switch moment {
                case .staged: staged()
                case .swapped: swapped()
                case .setAside: break
                }
            })
    }

    private func known() throws -> FileStamp {
        try #require(Installer(home).place("known", at: "a").stamp)
    }

    /// Saves as editors do: another file, then a rename.
    private func save(_ text: String) {
        try? home.write(text, to: "a.new")
        rename(home.file("a.new"), home.file("a"))
    }

    private func remove(_ installer: Installer, _ stamp: FileStamp) -> JobOutcome {
        installer.perform(.remove(at: local("a"), kind: .file, expected: stamp))
    }

    // MARK: Replacing

    @Test func givesBackASaveByRename() throws {
        let stamp = try known()
        let outcome = installer(staged: { save("saved") })
            .place("new", at: "a", expected: stamp)
        #expect(outcome.found(try home.stamp("a")))
        #expect(home.text("a") == "saved")
        #expect(home.staged.isEmpty)
        #expect(home.setAside.isEmpty)
    }

    @Test func givesBackASaveInPlace() throws {
        let stamp = try known()
        let outcome = installer(staged: { try? home.write("saved", to: "a") })
            .place("new", at: "a", expected: stamp)
        #expect(outcome.found(try home.stamp("a")))
        #expect(home.text("a") == "saved")
        #expect(home.staged.isEmpty)
    }

    @Test func givesBackAFileThatWasOpenedForWriting() throws {
        let stamp = try known()
        let writer = Mutex<Int32>(-1)
        let outcome = installer(staged: {
            writer.withLock { $0 = openAsOther(home.file("a"), O_WRONLY) }
        }).place("new", at: "a", expected: stamp)
        #expect(outcome == .busy)
        writer.withLock { number in
            Glibc.write(number, "KN", 2)
            close(number)
        }
        #expect(home.text("a") == "KNown")
        #expect(home.staged.isEmpty)
    }

    @Test func keepsTheNewerOfTwoSavesAndSetsTheOlderAside() throws {
        let stamp = try known()
        let outcome = installer(staged: { save("first") }, swapped: { save("second") })
            .place("new", at: "a", expected: stamp)
        #expect(outcome.found(try home.stamp("a")))
        #expect(home.text("a") == "second")
        #expect(home.setAside == ["a": "first"])
        #expect(home.staged.isEmpty)
    }

    @Test func keepsWhatWasWrittenIntoTheNewFile() throws {
        let stamp = try known()
        let outcome = installer(
            staged: { save("first") }, swapped: { try? home.write("second", to: "a") }
        ).place("new", at: "a", expected: stamp)
        #expect(outcome.found(try home.stamp("a")))
        #expect(home.text("a") == "second")
        #expect(home.setAside == ["a": "first"])
    }

    @Test func setsAsideASaveWhoseNameWasThenRemoved() throws {
        let stamp = try known()
        let outcome = installer(
            staged: { save("saved") }, swapped: { unlink(home.file("a")) }
        ).place("new", at: "a", expected: stamp)
        #expect(outcome == .unexpected(nil))
        #expect(home.setAside == ["a": "saved"])
        #expect(home.staged.isEmpty)
    }

    @Test func doesNotTakeALaterSaveForTheVersion() throws {
        let stamp = try known()
        let outcome = installer(swapped: { try? home.write("saved", to: "a") })
            .place("new", at: "a", expected: stamp)
        let recorded = try #require(outcome.stamp)
        #expect(!(try home.stamp("a").isUntouched(since: recorded)))
        #expect(home.text("a") == "saved")
    }

    @Test func doesNotTakeAnotherFileForTheVersion() throws {
        let stamp = try known()
        let outcome = installer(swapped: { save("saved") })
            .place("new", at: "a", expected: stamp)
        #expect(try home.stamp("a").identity != outcome.stamp?.identity)
        #expect(outcome.stamp != nil)
        #expect(home.text("a") == "saved")
    }

    @Test func yieldsANewNameToWhoeverTakesIt() throws {
        let outcome = installer(staged: { save("saved") }).place("new", at: "a")
        #expect(outcome.found(try home.stamp("a")))
        #expect(home.text("a") == "saved")
        #expect(home.staged.isEmpty)
    }

    @Test func putsBackAFolderThatTookTheName() throws {
        let stamp = try known()
        let outcome = installer(staged: {
            unlink(home.file("a"))
            mkdir(home.file("a"), 0o755)
            try? home.write("inner", to: "a/b")
        }).place("new", at: "a", expected: stamp)
        #expect(outcome.isUnexpected)
        #expect(home.text("a/b") == "inner")
        #expect(home.staged.isEmpty)
    }

    // MARK: Removing

    @Test func putsBackWhatWasSavedBeforeARemoval() throws {
        let stamp = try known()
        // A hard link lets a save come between the look and the judgement.
        let outcome = remove(
            installer(swapped: {
                let out = listing(home.state + "/staging").first { $0.hasPrefix("out_") } ?? ""
                try? writeBytes(Array("saved".utf8), to: "\(home.state)/staging/\(out)")
            }), stamp)
        #expect(outcome.found(try home.stamp("a")))
        #expect(home.text("a") == "saved")
    }

    @Test func setsAsideWhatCannotGoBack() throws {
        let stamp = try known()
        let outcome = remove(
            installer(swapped: {
                let out = listing(home.state + "/staging").first { $0.hasPrefix("out_") } ?? ""
                try? writeBytes(Array("saved".utf8), to: "\(home.state)/staging/\(out)")
                save("again")
            }), stamp)
        #expect(outcome.found(try home.stamp("a")))
        #expect(home.text("a") == "again")
        #expect(home.setAside == ["a": "saved"])
    }

    // MARK: By turns

    private func replaceByTurns(
        _ installer: Installer, expected: FileStamp
    ) throws -> JobOutcome {
        let spot = installer.newSpot()
        let file = try StagedFile(spot)
        try file.append(Array("new".utf8))
        #expect(try file.complete(as: facts("new"), syncs: false))
        let open = try FileSystemCalls.openEntry(spot)
        let out = Spot(home.folders.staging, "in_test")
        let job = InstallJob(
            id: 1, item: item(1),
            task: .placeFile(at: local("a"), .inline([]), facts("new"), expected: expected))
        let swap = Swap(
            job: job, staged: file.entry, out: out, place: try home.folders.spot(of: local("a")),
            ours: try FileSystemCalls.look(open).stamp)
        try FileSystemCalls.rename(spot, to: out)
        file.entry.isHandedOver = true
        return try installer.replaceByTurns(swap, open, .file, expected: expected)
    }

    @Test func replacesByTurns() throws {
        let stamp = try known()
        #expect(try replaceByTurns(installer(), expected: stamp).stamp != nil)
        #expect(home.text("a") == "new")
        #expect(home.staged.isEmpty)
    }

    @Test func yieldsByTurns() throws {
        let stamp = try known()
        let outcome = try replaceByTurns(installer(swapped: { save("saved") }), expected: stamp)
        #expect(outcome.found(try home.stamp("a")))
        #expect(home.text("a") == "saved")
        #expect(home.staged.isEmpty)
    }

    @Test func putsBackByTurns() throws {
        let stamp = try known()
        save("saved")
        let outcome = try replaceByTurns(installer(), expected: stamp)
        #expect(outcome.found(try home.stamp("a")))
        #expect(home.text("a") == "saved")
        unlink(home.file("a"))
        #expect(try replaceByTurns(installer(), expected: stamp) == .unexpected(nil))
        #expect(home.staged.isEmpty)
    }

    @Test func renamesWithoutTheFlag() throws {
        let refusal = DiskError(code: EINVAL, call: "renameat2")
        let tree = try home.folders.folder(at: [])
        let (a, b, d, e) = (Spot(tree, "a"), Spot(tree, "b"), Spot(tree, "d"), Spot(tree, "e"))
        try home.write("x", to: "a")
        mkdir(home.file("d"), 0o755)
        try FileSystemCalls.renameByLink(a, to: b, otherwise: refusal)
        try FileSystemCalls.renameByLink(d, to: e, otherwise: refusal)
        #expect(listing(home.tree) == ["b", "e"])
        for (from, to) in [(b, e), (e, b)] {
            let error = #expect(throws: DiskError.self) {
                try FileSystemCalls.renameByLink(from, to: to, otherwise: refusal)
            }
            #expect(error?.isTaken == true)
        }
    }

    // MARK: A real editor

    /// A program saves as fast as it can while installs come: no save is ever lost.
    ///
    /// Its last save stands at the name, or under it is a version that replaced exactly that.
    @Test func losesNoSaveOfAFastEditor() throws {
        let stop = Atomic(false)
        let saves = Atomic(1)
        save("save 1")
        let thread = ThreadOfAnEditor {
            while !stop.load(ordering: .relaxed) {
                let number = saves.add(1, ordering: .relaxed).newValue
                self.save("save \(number)")
            }
        }
        thread.start()
        let plain = Installer(home)
        var installed: [String: String] = [:]
        for round in 0..<300 {
            guard let standing = try home.entry("a") else { continue }
            let text = home.text("a") ?? ""
            guard try home.entry("a")?.stamp == standing.stamp else { continue }
            let outcome = plain.place("version \(round)", at: "a", expected: standing.stamp)
            if outcome.stamp != nil { installed["version \(round)"] = text }
        }
        stop.store(true, ordering: .relaxed)
        thread.join()
        let last = "save \(saves.load(ordering: .relaxed))"
        let text = try #require(home.text("a"))
        #expect(text == last || installed[text] == last)
        #expect(home.staged.isEmpty)
        #expect(listing(home.tree).filter { $0 != "a" } == [])
    }
}
