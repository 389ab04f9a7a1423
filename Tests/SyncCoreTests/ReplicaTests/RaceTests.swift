import SyncCore
import Testing

/// What happens within the time that a look, a read or an install takes.
@Suite struct RaceTests {
    // MARK: Who has read what

    /// A mode or a time alone is no save: whoever reads the file then has read what was installed.
    @Test(arguments: [true, false]) func whoReadsAFileThatWasTouchedHasReadIt(isMadeAnew: Bool) {
        let world = TestWorld(["note.md": "0"])
        world.a.edit("note.md", "a")
        world.settle()
        let inode = world.b.inode("note.md")
        world.b.busy.insert(inode)
        world.b.setModified(1_000, of: "note.md")
        world.b.watch()
        world.b.open("note.md")
        world.b.busy.remove(inode)
        if isMadeAnew { world.b.remove("note.md") }
        world.b.write("note.md", "b")
        world.settle()
        #expect(world.texts("note.md") == ["b"])
        world.finish()
    }

    /// The watcher has lost who wrote to the file, and tells that it was read.
    @Test func whoReadsWhatWasSavedUnseenHasNotReadTheInstalled() throws {
        let world = TestWorld(["note.md": "0"])
        world.a.edit("note.md", "a")
        world.settle()
        let item = try #require(world.b.item("note.md"))
        let slot = try #require(world.b.replica?.slot(of: item))
        let inode = world.b.inode("note.md")
        world.b.busy.insert(inode)
        world.b.write("note.md", "b")
        world.b.disk.notices = []
        let entry = world.b.disk.place(of: world.b.names("note.md"))
            .flatMap { world.b.disk.entry(at: $0) }
        world.b.report(
            .listed(folder: slot.folder, entries: [Sighting(slot: slot, entry: entry)]))
        world.b.run()
        world.b.open("note.md")
        world.b.busy.remove(inode)
        world.b.write("note.md", "b, too")
        world.settle()
        #expect(world.texts("note.md") == ["a", "b, too"])
        world.finish()
    }

    /// An editor has put its file aside, and somebody moves another one to the name, which nobody
    /// here has read: what the editor writes into it then has not replaced it.
    @Test func anUnreadFileUnderTheNameOfOneThatIsSavedIsNotRead() {
        let world = TestWorld(["note.md": "0", "other.md": "1"])
        world.a.edit("other.md", "a")
        world.settle()
        world.b.open("note.md")
        world.b.move("note.md", to: "note.md~")
        world.b.watch()
        world.b.move("other.md", to: "note.md")
        world.b.watch()
        world.b.write("note.md", "b")
        world.b.remove("note.md~")
        world.settle()
        #expect(world.texts("note.md") == ["a", "b"])
        world.finish()
    }

    @Test func aReadFileUnderTheNameOfOneThatIsSavedIsReplaced() {
        let world = TestWorld(["note.md": "0", "other.md": "1"])
        world.a.edit("other.md", "a")
        world.settle()
        world.b.open("note.md")
        world.b.move("note.md", to: "note.md~")
        world.b.watch()
        world.b.move("other.md", to: "note.md")
        world.b.watch()
        world.b.open("note.md")
        world.b.write("note.md", "b")
        world.b.remove("note.md~")
        world.settle()
        #expect(world.texts("note.md") == ["b"])
        world.finish()
    }

    // MARK: Installs

    /// While the file was moved to where the log had it, the log has told of another place.
    @Test func aMoveThatIsOvertakenIsNoNameOfTheDevice() {
        let world = TestWorld(["F/": "", "n": "1"])
        let length = world.cloud.length
        world.b.beforeInstall = {
            world.a.move("F/n", to: "m")
            for _ in 0..<20 {
                world.a.watch()
                world.pass(milliseconds: 20)
                world.a.wake()
                _ = world.a.exchange()
                world.a.deliver()
            }
            for event in world.b.incoming { world.b.report(event) }
            world.b.incoming = []
        }
        world.a.move("n", to: "F/n")
        world.settle()
        #expect(world.b.tree == ["F/": "", "m": "1"])
        #expect(world.cloud.length == length + 2, "each move is told once")
        world.finish()
    }

    /// Two folders change names, and one is put aside for that, when a file deep in it is to come.
    @Test func aFileBelowAFolderThatIsPutAsideArrives() {
        let world = TestWorld(["F/": "", "F/G/": "", "H/": ""])
        world.b.goOffline()
        world.a.move("F", to: "between")
        world.a.move("H", to: "F")
        world.a.move("between", to: "H")
        world.settle()
        world.a.write("H/G/n", "1")
        world.settle()
        world.b.goOnline()
        world.settle()
        #expect(world.b.tree == ["F/": "", "H/": "", "H/G/": "", "H/G/n": "1"])
        world.finish()
    }

    /// A file arrives in a folder, and before that is recorded the folder is put aside: the file is
    /// known all the same, as is what somebody makes in the folder just then.
    @Test func whatCameIntoAFolderThatIsPutAsideIsKnown() throws {
        let world = TestWorld(["F/": "", "H/": ""])
        let folder = try #require(world.b.item("F"))
        world.b.goOffline()
        world.a.write("F/n", "1")
        world.settle()
        world.a.move("F", to: "between")
        world.a.move("H", to: "F")
        world.a.move("between", to: "H")
        world.settle()
        world.b.beforeInstall = {
            world.b.write("F/mine", "2")
            world.b.makeFolder("F/G")
            world.b.write("F/G/mine", "3")
            world.b.disk.notices = []
            let sightings = ["mine", "G"].map { name in
                Sighting(
                    slot: Slot(folder: folder, name: TestDevice.name(name)),
                    entry: world.b.disk.place(of: world.b.names("F/" + name))
                        .flatMap { world.b.disk.entry(at: $0) })
            }
            world.b.report(.seen(sightings))
        }
        world.b.goOnline()
        world.settle()
        let tree = [
            "F/": "", "H/": "", "H/n": "1", "H/mine": "2", "H/G/": "", "H/G/mine": "3",
        ]
        #expect(world.b.tree == tree)
        world.a.remove("H/n")
        world.settle()
        #expect(world.b.tree["H/n"] == nil)
        world.finish()
    }

    /// Here a folder was moved into another; in the account that one was moved into it.
    ///
    /// And its old name is another's: it leaves, and what is around it is not put aside for that.
    @Test func whatWouldBePutAsideWithItsOwnPlaceIsNot() {
        let world = TestWorld(["F/": "", "F/G/": "", "H/": ""])
        world.goOffline()
        world.b.move("H", to: "F/G/H")
        world.b.watch()
        world.a.move("F", to: "H/F")
        world.settle()
        world.a.makeFolder("F")
        world.settle()
        world.a.goOnline()
        world.settle()
        world.b.goOnline()
        world.settle()
        #expect(world.b.tree == ["F/": "", "H/": "", "H/F/": "", "H/F/G/": ""])
        world.finish()
    }

    /// Three names go round, and one of them is within what is in the way.
    @Test func namesGoRoundThroughAFolderWithinAnother() {
        let world = TestWorld(["F/": "", "F/G/": "", "H/": ""])
        world.b.goOffline()
        world.a.move("H", to: "between")
        world.a.move("F/G", to: "H")
        world.a.move("F", to: "H/F")
        world.a.move("between", to: "F")
        world.settle()
        world.b.goOnline()
        world.settle()
        #expect(world.b.tree == ["F/": "", "H/": "", "H/F/": ""])
        world.finish()
    }

    /// A folder was deleted here and lives on under the name of another that was deleted there.
    ///
    /// What is in that one belongs into the first.
    @Test func whatIsInAFolderThatGoesIsPutAsideForTheOneThatTakesItsName() {
        let world = TestWorld(["F/": "", "F/n": "1", "G/": "", "G/m": "2", "G/k": "3"])
        world.b.goOffline()
        world.a.move("G/m", to: "F/m")
        world.a.move("G/k", to: "F/k")
        world.settle()
        world.a.remove("G")
        world.settle()
        world.a.move("F", to: "G")
        world.settle()
        world.b.remove("F/n")
        world.b.remove("F")
        world.settle()
        world.b.goOnline()
        world.settle()
        #expect(world.b.tree == ["G/": "", "G/m": "2", "G/k": "3"])
        world.finish()
    }

    /// A crash between swap and record, and somebody changes the file's time before the start.
    ///
    /// It is the account's again, as on a disk that cannot hold the time.
    @Test(arguments: [true, false])
    func anInstallThatWasNotRecordedIsMadeAgainIfItReadsBackOtherwise(isNew: Bool) {
        let world = isNew ? TestWorld() : TestWorld(["n": "0"])
        world.b.dies = { if case .install = $0 { true } else { false } }
        world.a.write("n", "a")
        world.settle()
        #expect(world.b.read("n") == "a")
        world.b.setModified(1_000, of: "n")
        world.b.start()
        world.settle()
        let times = world.devices.map { $0.disk.files[$0.inode("n")]?.modified }
        #expect(times[0] == times[1])
        #expect(world.conflicts == 0)
        world.b.edit("n", "b")
        world.settle()
        #expect(world.texts("n") == ["b"])
        world.finish()
    }

    /// The same, and it is edited before the account's mode and time are there again.
    @Test func anEditOverAnInstallThatIsToBeMadeAgainReplacesIt() {
        let world = TestWorld(["n": "0"])
        world.b.dies = { if case .install = $0 { true } else { false } }
        world.a.write("n", "a")
        world.settle()
        world.b.goOffline()
        world.b.setModified(1_000, of: "n")
        world.b.start()
        world.settle()
        world.b.edit("n", "b")
        world.settle()
        world.b.edit("n", "a")
        world.settle()
        world.b.goOnline()
        world.settle()
        #expect(world.texts("n") == ["a"])
        #expect(
            world.cloud.history(of: world.b.item("n") ?? "none").count == 4, "an undo is a version")
        world.finish()
    }

    /// Two items had one file for a moment, and the program died before one was told to be gone.
    @Test func ofTwoItemsThatHaveOneFileTheOneHasItAtWhoseNameItStands() {
        for names in [("a", "b"), ("b", "a")] {
            let world = TestWorld(["a": "1", "b": "2"])
            let item = world.b.item(names.0)
            world.b.move(names.0, to: names.0 + "~")
            world.b.watch()
            world.b.move(names.1, to: names.0)
            world.b.watch()
            world.b.restart()
            world.b.move(names.0, to: "c")
            world.settle()
            #expect(world.b.item("c") == item)
            world.b.remove(names.0 + "~")
            world.finish()
        }
    }
}
