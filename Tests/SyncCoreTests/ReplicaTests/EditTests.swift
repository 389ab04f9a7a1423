import SyncCore
import SyncStore
import Testing

/// What an edit was made from, and what becomes of two.
@Suite struct EditTests {
    @Test func theContainerIsThereOnBothDevices() {
        let world = TestWorld()
        #expect(world.a.tree == [:])
        #expect(world.cloud.length == 2, "the container and its documents")
        world.finish()
    }

    @Test func aFileIsWrittenOnOneAndReadOnTheOther() {
        let world = TestWorld()
        world.a.write("note.md", "hello")
        world.settle()
        #expect(world.b.tree == ["note.md": "hello"])
        world.finish()
    }

    @Test func editsInTurnsAreOneHistory() {
        let world = TestWorld(["note.md": "0"])
        for turn in 1...4 {
            let device = turn.isMultiple(of: 2) ? world.a : world.b
            device.edit("note.md", "\(turn)")
            world.settle()
        }
        #expect(world.texts("note.md") == ["4"])
        #expect(world.a.tree == world.b.tree)
        world.finish()
    }

    @Test func editsThatDidNotSeeEachOtherAreBothKept() {
        let world = TestWorld(["note.md": "0"])
        world.goOffline()
        world.a.edit("note.md", "a")
        world.b.edit("note.md", "b")
        world.settle()
        world.a.goOnline()
        world.settle()
        world.b.goOnline()
        world.settle()
        #expect(world.texts("note.md") == ["a", "b"])
        #expect(world.a.read("note.md") == "a")
        #expect(world.b.read("note.md") == "a", "the first head shows")
        world.finish()
    }

    /// A mode that is changed and changed back, before the first change is in the log.
    @Test func aModeThatIsChangedBackIsAVersionOfItsOwn() {
        let world = TestWorld(["n": "0"])
        world.goOffline()
        world.a.setMode(0o600, of: "n")
        world.settle(seconds: 5)
        world.a.setMode(0o644, of: "n")
        world.settle(seconds: 5)
        world.a.edit("n", "1")
        world.settle(seconds: 5)
        world.a.goOnline()
        world.b.goOnline()
        world.settle()
        #expect(world.texts("n") == ["1"])
        #expect(world.conflicts == 0)
        #expect(world.a.disk.files[world.a.inode("n")]?.mode == 0o644)
        world.finish()
    }

    /// Two names are swapped, and one of the files is written to under its new name before the
    /// watcher tells of any of it.
    @Test func aFileThatIsWrittenAfterASwapIsTheOneThatWasWritten() {
        let world = TestWorld(["x": "0", "y": "0"])
        world.b.edit("x", "x of B")
        world.b.edit("y", "y of B")
        world.settle()
        world.a.swap("x", "y")
        if let slot = world.a.item("y").flatMap({ world.a.replica?.slot(of: $0) }) {
            world.a.report(.written(Sighting(slot: slot, entry: nil)))
        }
        world.a.write("y", "x of B and more")
        world.settle()
        world.a.open("x")
        world.a.write("x", "y of A")
        world.settle()
        #expect(world.texts("x") == ["y of A"])
        #expect(world.conflicts == 0)
        world.finish()
    }

    /// Its file became another item's, and comes back as another file.
    @Test func whoReadsAFileThatWasAnItemsHasNotReadTheItem() {
        let world = TestWorld(["x": "0", "y": "0"])
        world.b.edit("x", "a line of B")
        world.settle()
        world.a.open("y")
        world.a.move("x", to: "y")
        world.settle()
        world.b.restore("x")
        world.settle()
        #expect(world.a.tree == ["x": "a line of B", "y": "a line of B"])
        world.a.open("y")
        world.a.write("x", "a line of A")
        world.settle()
        #expect(world.texts("x") == ["a line of B", "a line of A"])
        world.finish()
    }

    /// Hazard 1: B's editor read v0; A's line is installed beneath it; it saves its buffer.
    @Test func aBufferFromBeforeTheInstallDoesNotReplaceWhatItNeverRead() {
        let world = TestWorld(["note.md": "0"])
        world.a.edit("note.md", "0 and a line of A")
        world.settle()
        #expect(world.b.read("note.md") == "0 and a line of A")
        world.b.write("note.md", "0 and a line of B")
        world.settle()
        #expect(world.texts("note.md") == ["0 and a line of A", "0 and a line of B"])
        world.finish()
    }

    /// Hazard 1: the same, but B's editor read the file again before it saved.
    @Test func aBufferFromAfterTheInstallReplacesIt() {
        let world = TestWorld(["note.md": "0"])
        world.a.edit("note.md", "0 and a line of A")
        world.settle()
        world.b.open("note.md")
        world.b.write("note.md", "0 and a line of B")
        world.settle()
        #expect(world.texts("note.md") == ["0 and a line of B"])
        world.finish()
    }

    /// Hazard 1: `echo >>` reads nothing, but what the install brought is still there.
    @Test func anAppendCountsAsHavingRead() {
        let world = TestWorld(["log": "0"])
        world.a.edit("log", "0 1")
        world.settle()
        world.b.write("log", "0 1 2")
        world.settle()
        #expect(world.texts("log") == ["0 1 2"])
        world.finish()
    }

    /// Hazard 2: the answer to e1 is lost, e2 is saved meanwhile.
    ///
    /// The watcher tells of the writing before the core has heard of the move.
    @Test func whoReadsWhatWasWrittenAfterAMoveHasNotReadTheInstalled() throws {
        let world = TestWorld(["f": "0"])
        world.a.edit("f", "of A")
        world.settle()
        let item = try #require(world.b.item("f"))
        let old = try #require(world.b.replica?.slot(of: item))
        world.b.move("f", to: "g")
        world.b.write("g", "of B")
        let stamp = try #require(world.b.disk.stamp(of: world.b.inode("g")))
        let slot = Slot(folder: old.folder, name: TestDevice.name("g"))
        let entry = DiskEntry(kind: .file, stamp: stamp)
        world.b.report(.written(Sighting(slot: slot, entry: entry)))
        world.b.report(.opened(item))
        world.settle()
        #expect(world.texts("g") == ["of A", "of B"])
        world.finish()
    }

    /// Nobody can tell who reads a link.
    @Test func aLinkThatIsMadeAnewInTurnsIsOneHistory() {
        let world = TestWorld()
        world.a.makeLink("newest", to: "0")
        world.settle()
        for turn in 1...3 {
            let device = turn.isMultiple(of: 2) ? world.a : world.b
            device.remove("newest")
            device.makeLink("newest", to: "\(turn)")
            world.settle()
        }
        #expect(world.texts("newest") == ["3"])
        #expect(world.a.tree == world.b.tree)
        world.finish()
    }

    @Test func equalBytesThatStoodInTheWayOfAnInstallKeepTheirOwnTime() {
        let world = TestWorld(["note.md": "0"])
        world.b.beforeInstall = {
            world.b.edit("note.md", "1")
            world.b.setModified(1_000, of: "note.md")
        }
        world.a.edit("note.md", "1")
        world.settle()
        #expect(world.texts("note.md") == ["1"])
        world.finish()
    }

    @Test func aSaveAfterALostAnswerIsNoConflict() {
        let world = TestWorld(["note.md": "0"])
        world.a.losesAnswers = true
        world.cloud.listeners[world.a.id] = nil
        world.a.edit("note.md", "1")
        world.a.watch()
        #expect(world.a.exchange())
        world.a.deliver()
        world.a.edit("note.md", "2")
        world.a.watch()
        world.a.losesAnswers = false
        world.a.goOnline()
        world.settle()
        #expect(world.texts("note.md") == ["2"])
        world.finish()
    }

    /// The next save may be what a failure of power has left of the file.
    @Test func eachShortSaveIsAVersionThoughItWasNeverSent() {
        let world = TestWorld(["note.md": "0"])
        world.a.goOffline()
        let length = world.cloud.length
        for text in ["1", "2", "3"] {
            world.a.edit("note.md", text)
            world.settle()
        }
        world.a.goOnline()
        world.settle()
        #expect(world.cloud.length == length + 3)
        #expect(world.b.read("note.md") == "3")
        world.finish()
    }

    /// Hazard 4: back to the bytes of an older version.
    @Test func anUndoIsAVersionOfItsOwn() {
        let world = TestWorld(["note.md": "0"])
        for text in ["1", "2", "1", "0"] {
            world.a.edit("note.md", text)
            world.settle()
            #expect(world.b.read("note.md") == text)
        }
        world.finish()
    }

    /// Hazard 9: who types on the second head does not make it the first.
    @Test func typingOnDoesNotChangeWhichHeadShows() {
        let world = TestWorld(["note.md": "0"])
        world.goOffline()
        world.a.edit("note.md", "a")
        world.settle()
        world.a.goOnline()
        world.settle()
        world.b.edit("note.md", "b")
        world.settle()
        world.b.goOnline()
        // B types on before the first head is installed under its editor.
        world.settle(seconds: 1)
        #expect(world.b.read("note.md") == "b")
        world.b.edit("note.md", "b2")
        world.settle()
        #expect(world.texts("note.md") == ["a", "b2"])
        #expect(world.b.read("note.md") == "a")
        world.finish()
    }

    @Test func aHeadThatDoesNotShowIsReadableOnBothDevices() {
        let world = TestWorld(["note.md": "0"])
        world.goOffline()
        world.a.edit("note.md", "a")
        world.b.edit("note.md", "b")
        world.settle()
        world.a.goOnline()
        world.b.goOnline()
        world.settle()
        world.finish()
        world.goOffline()
        let hidden = world.state("note.md")?.heads.last?.version ?? "none"
        for device in world.devices {
            #expect(device.store.committed.contents[hidden] != nil, "\(device.id)")
        }
    }

    /// Hazard 12: A sees only the first head and deletes the file.
    @Test func aDeletionTakesOnlyTheHeadThatStood() {
        let world = TestWorld(["note.md": "0"])
        world.goOffline()
        world.a.edit("note.md", "a")
        world.b.edit("note.md", "b")
        world.settle()
        world.a.goOnline()
        world.settle()
        world.a.goOffline()
        world.b.goOnline()
        world.settle()
        world.a.remove("note.md")
        world.settle()
        world.a.goOnline()
        world.settle()
        #expect(world.texts("note.md") == ["b"])
        #expect(world.a.read("note.md") == "b")
        world.finish()
    }

    /// Hazard 13: both settle the same conflict, each its own way.
    @Test func theFirstSettlementStands() {
        let world = TestWorld(["note.md": "0"])
        world.goOffline()
        world.a.edit("note.md", "a")
        world.b.edit("note.md", "b")
        world.settle()
        world.a.goOnline()
        world.b.goOnline()
        world.settle()
        world.goOffline()
        keep("a", on: world.a, world)
        keep("b", on: world.b, world)
        world.settle()
        world.b.goOnline()
        world.settle()
        world.a.goOnline()
        world.settle()
        #expect(world.texts("note.md") == ["b"])
        #expect(world.a.read("note.md") == "b")
        world.finish()
    }

    @Test func keepingBothMakesASecondItem() {
        let world = TestWorld(["note.md": "0"])
        world.goOffline()
        world.a.edit("note.md", "a")
        world.b.edit("note.md", "b")
        world.settle()
        world.a.goOnline()
        world.b.goOnline()
        world.settle()
        keep("a", aside: ["b"], on: world.a, world)
        #expect(world.a.request?.1.count == 2, "the copy goes with the choice")
        world.settle()
        #expect(world.a.tree == ["note.md": "a", "note 2.md": "b"])
        #expect(world.conflicts == 0)
        world.finish()
    }

    private func keep(
        _ text: String, aside: [String] = [], on device: TestDevice, _ world: TestWorld
    ) {
        guard let state = world.state("note.md") else { return }
        func head(_ text: String) -> HeadContent? {
            state.heads.first {
                world.cloud.version($0.version)?.content == .inline(Array(text.utf8))
            }
            .map { HeadContent(version: $0.version, content: .inline(Array(text.utf8))) }
        }
        guard let kept = head(text) else {
            Issue.record("no head \(text)")
            return
        }
        device.report(
            .command(
                .resolve(
                    state.id, keep: kept, aside: aside.compactMap(head),
                    seen: state.heads.map { $0.version })))
        device.run()
    }

    // MARK: Metadata

    @Test func aModeIsCarried() {
        let world = TestWorld(["script": "x"])
        world.a.setMode(0o755, of: "script")
        world.settle()
        #expect(world.b.disk.files[world.b.inode("script")]?.mode == 0o755)
        #expect(world.cloud.history(of: world.b.item("script") ?? "none").count == 2)
        world.finish()
    }

    /// A5: before 1970, to the sub-second.
    @Test func aTimeBefore1970IsCarried() {
        let world = TestWorld(["old": "x"])
        world.a.setModified(-141_003_603, of: "old")
        world.settle()
        let time = world.b.disk.files[world.b.inode("old")]?.modified
        #expect(time == FileTime(seconds: -141_003_603, nanoseconds: 250_000_000))
        world.finish()
    }

    /// Hazard 32: a file system that cannot hold the version's mode and time.
    @Test(arguments: [false, true]) func whatTheDiskCannotHoldIsNoEdit(isRacy: Bool) {
        let world = TestWorld()
        world.b.disk.makesRacyStamps = isRacy
        world.b.disk.clamp = { file in
            if file.kind == .file { file.mode = 0o644 }
            if file.modified.seconds > 2_000_000_000 { file.modified.seconds = 2_000_000_000 }
        }
        world.a.write("script", "x")
        world.a.setMode(0o755, of: "script")
        world.a.setModified(32_500_000_000, of: "script")
        world.settle()
        #expect(world.b.read("script") == "x")
        #expect(world.cloud.history(of: world.b.item("script") ?? "none").count == 1)
        world.finish()
        // An edit here keeps what this disk cannot hold.
        world.b.edit("script", "y")
        world.settle()
        #expect(world.a.disk.files[world.a.inode("script")]?.mode == 0o755)
        world.finish()
    }

    /// Hazard 33: a stamp that is too young proves nothing; the bytes do.
    @Test func racyStampsAreReadAgainAndTellNothingNew() {
        let world = TestWorld()
        for device in world.devices { device.disk.makesRacyStamps = true }
        world.a.write("note.md", "0")
        world.settle()
        let length = world.cloud.length
        world.finish()
        #expect(world.cloud.length == length)
    }

    /// Hazard 33: size and times are the same, and the program died before it could tell.
    @Test func aSaveThatItsStampDoesNotTellIsFoundAtTheNextStart() {
        let world = TestWorld(["note.md": "1"])
        world.a.disk.makesRacyStamps = true
        world.a.edit("note.md", "2")
        world.settle()
        let inode = world.a.inode("note.md")
        world.a.crash()
        world.a.disk.writeUnseen(Array("3".utf8), to: inode)
        world.a.start()
        world.settle()
        #expect(world.b.read("note.md") == "3")
        world.finish()
    }

    @Test func contentOfManyChunksTravels() {
        let world = TestWorld()
        let text = String(repeating: "0123456789", count: 50)
        world.a.write("big", text)
        world.settle()
        #expect(world.b.read("big") == text)
        world.b.edit("big", text + "!")
        world.settle()
        #expect(world.a.read("big") == text + "!")
        world.finish()
    }
}
