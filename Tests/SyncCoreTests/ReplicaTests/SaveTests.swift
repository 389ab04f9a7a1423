import SyncCore
import Testing

/// How programs save: one identity, no deletion, no conflict.
@Suite struct SaveTests {
    private func expectOneHistory(_ world: TestWorld, _ texts: [String]) {
        let item = world.a.item("note.md") ?? "none"
        let history = world.cloud.history(of: item)
        #expect(history.count == texts.count)
        #expect(!history.contains { !$0.hasContent })
        #expect(world.texts("note.md") == [texts.last])
        #expect(world.trash.isEmpty)
        #expect(world.conflicts == 0)
        #expect(world.b.tree == ["note.md": texts.last ?? ""])
        world.finish()
    }

    /// A log: the watcher tells of it after a minute, and it is never closed.
    @Test func whatIsWrittenForEverIsSentAfterAMinute() throws {
        let world = TestWorld(["log": "0"])
        let item = try #require(world.a.item("log"))
        let slot = try #require(world.a.replica?.slot(of: item))
        world.a.busy.insert(world.a.inode("log"))
        world.a.report(.written(Sighting(slot: slot, entry: nil)))
        world.a.run()
        world.pass(milliseconds: 60_000)
        world.a.write("log", "0, 1")
        world.settle(seconds: 1)
        #expect(world.b.read("log") == "0, 1")
        // The next minute begins with it.
        world.a.report(.written(Sighting(slot: slot, entry: nil)))
        world.a.run()
        world.pass(milliseconds: 10_000)
        world.a.write("log", "0, 1, 2")
        world.settle(seconds: 1)
        #expect(world.b.read("log") == "0, 1")
        world.settle(seconds: 60)
        #expect(world.b.read("log") == "0, 1, 2")
    }

    /// A14: `sed -i`, and most editors.
    @Test func aSaveByRenameThroughAnIgnoredName() {
        let world = TestWorld(["note.md": "0"])
        world.a.open("note.md")
        world.a.saveByRename("note.md", "1", through: "note.md.tmp")
        world.settle()
        expectOneHistory(world, ["0", "1"])
    }

    /// The temporary name is an ordinary one: it is seen only together with the rename.
    @Test func aSaveByRenameThroughAnOrdinaryNameInOneLook() {
        let world = TestWorld(["note.md": "0"])
        world.a.open("note.md")
        world.a.saveByRename("note.md", "1", through: "sedXYZ12")
        world.settle()
        expectOneHistory(world, ["0", "1"])
    }

    /// The watcher is faster than the program: the temporary file was seen, and read, alone.
    @Test func aSaveByRenameThroughAnOrdinaryNameThatWasSeen() {
        let world = TestWorld(["note.md": "0"])
        let item = world.a.item("note.md")
        world.a.open("note.md")
        world.a.write("sedXYZ12", "1")
        world.a.watch()
        world.a.move("sedXYZ12", to: "note.md")
        world.settle()
        #expect(world.a.item("note.md") == item)
        #expect(world.texts("note.md") == ["1"])
        #expect(world.b.tree == ["note.md": "1"])
        world.finish()
    }

    /// The temporary file has even been sent.
    @Test func aSaveByRenameThroughANameThatWasSent() {
        let world = TestWorld(["note.md": "0"])
        let item = world.a.item("note.md")
        world.a.open("note.md")
        world.a.write("sedXYZ12", "1")
        world.settle()
        #expect(world.b.tree == ["note.md": "0", "sedXYZ12": "1"])
        world.a.move("sedXYZ12", to: "note.md")
        world.settle()
        #expect(world.a.item("note.md") == item)
        #expect(world.b.tree == ["note.md": "1"])
        #expect(world.conflicts == 0)
        world.finish()
    }

    /// It is moved, and a program that never read what was installed saves over it at its new name
    /// before the move is told.
    @Test func aFileThatWasMovedIsSavedOverAtOnce() {
        let world = TestWorld(["note.md": "0"])
        let item = world.a.item("note.md")
        world.b.edit("note.md", "a line of B")
        world.settle()
        world.a.move("note.md", to: "other.md")
        world.a.watch()
        world.a.saveByRename("other.md", "a line of A", through: "other.md.tmp")
        world.settle()
        #expect(world.a.item("other.md") == item)
        #expect(world.texts("other.md") == ["a line of B", "a line of A"])
        #expect(world.trash.isEmpty)
        world.finish()
    }

    /// Hazard 15: vim with `backupcopy=no`.
    @Test func aSaveWithABackup() {
        let world = TestWorld(["note.md": "0"])
        world.a.open("note.md")
        world.a.saveWithBackup("note.md", "1")
        world.settle()
        expectOneHistory(world, ["0", "1"])
    }

    /// Hazard 15: each step of it is seen by itself.
    @Test func aSaveWithABackupSeenStepByStep() {
        let world = TestWorld(["note.md": "0"])
        world.a.open("note.md")
        world.a.move("note.md", to: "note.md~")
        world.a.watch()
        world.pass(milliseconds: 5)
        world.a.wake()
        world.a.write("note.md", "1")
        world.a.watch()
        world.a.remove("note.md~")
        world.settle()
        expectOneHistory(world, ["0", "1"])
    }

    /// Hazard 15: the other device edits the note while it is saved so.
    @Test func aSaveWithABackupAgainstAConcurrentEdit() {
        let world = TestWorld(["note.md": "0"])
        world.goOffline()
        world.b.edit("note.md", "b")
        world.a.open("note.md")
        world.a.saveWithBackup("note.md", "a")
        world.settle()
        world.b.goOnline()
        world.a.goOnline()
        world.settle()
        #expect(Set(world.texts("note.md")) == ["a", "b"])
        #expect(world.trash.isEmpty)
        world.finish()
    }

    /// Hazard 15: the watcher is slower than the quiet period, and tells of the first step only.
    @Test func aSaveWithABackupSeenLate() {
        let world = TestWorld(["note.md": "0"])
        world.a.open("note.md")
        world.a.move("note.md", to: "note.md~")
        world.a.watch()
        world.a.write("note.md", "1")
        world.a.disk.notices = []
        world.pass(milliseconds: 200)
        world.a.wake()
        world.settle()
        expectOneHistory(world, ["0", "1"])
    }

    /// The file is gone for a moment, and written anew.
    @Test func aSaveByRemovingAndWriting() {
        let world = TestWorld(["note.md": "0"])
        world.a.open("note.md")
        world.a.remove("note.md")
        world.a.watch()
        world.pass(milliseconds: 10)
        world.a.wake()
        world.a.write("note.md", "1")
        world.settle()
        expectOneHistory(world, ["0", "1"])
    }

    @Test func manySavesByRename() {
        let world = TestWorld(["note.md": "0"])
        let item = world.a.item("note.md")
        for number in 1...50 {
            world.a.open("note.md")
            world.a.saveByRename("note.md", "\(number)", through: "tmp\(number)")
            if number.isMultiple(of: 3) { world.a.watch() }
            if number.isMultiple(of: 7) { world.settle(seconds: 0) }
        }
        world.settle()
        #expect(world.a.item("note.md") == item)
        #expect(world.b.tree == ["note.md": "50"])
        #expect(world.conflicts == 0)
        world.finish()
    }

    // MARK: Renames

    @Test func aRenameKeepsTheItem() {
        let world = TestWorld(["old.md": "0"])
        let item = world.a.item("old.md")
        world.a.move("old.md", to: "new.md")
        world.settle()
        #expect(world.a.item("new.md") == item)
        #expect(world.b.tree == ["new.md": "0"])
        #expect(world.trash.isEmpty)
        world.finish()
    }

    /// Fast enough for the device to see only the end.
    @Test func aRenameAndAnEditAtOnce() {
        let world = TestWorld(["old.md": "0"])
        let item = world.a.item("old.md")
        world.a.move("old.md", to: "new.md")
        world.a.edit("new.md", "1")
        world.settle()
        #expect(world.a.item("new.md") == item)
        #expect(world.b.tree == ["new.md": "1"])
        world.finish()
    }

    @Test func aRenameWhileTheProgramIsDown() {
        let world = TestWorld(["old.md": "0", "F/": ""])
        let item = world.a.item("old.md")
        world.a.crash()
        world.a.move("old.md", to: "F/new.md")
        world.a.start()
        world.settle()
        #expect(world.a.item("F/new.md") == item)
        #expect(world.b.tree == ["F/": "", "F/new.md": "0"])
        world.finish()
    }

    /// Hazard 16: the program is down; `rm a`, and a new file gets the inode.
    @Test func aReusedInodeIsAnotherFile() {
        let world = TestWorld(["a": "0"])
        let item = world.a.item("a")
        let inode = world.a.inode("a")
        world.a.crash()
        world.a.remove("a")
        world.a.write("z", "new")
        #expect(world.a.inode("z") == inode)
        world.a.start()
        world.settle()
        #expect(world.a.item("z") != item)
        #expect(world.b.tree == ["z": "new"])
        #expect(world.trash == ["a"])
        world.finish()
    }

    @Test func twoFilesAreSwapped() {
        let world = TestWorld(["a": "1", "b": "2"])
        let items = (world.a.item("a"), world.a.item("b"))
        world.a.swap("a", "b")
        world.settle()
        #expect(world.a.item("a") == items.1)
        #expect(world.a.item("b") == items.0)
        #expect(world.b.tree == ["a": "2", "b": "1"])
        #expect(world.conflicts == 0)
        world.finish()
    }

    /// Hazard 18: `mv a t; mv b a; mv t b`, seen step by step.
    @Test func twoFilesAreSwappedThroughAThirdName() {
        let world = TestWorld(["a": "1", "b": "2"])
        let items = (world.a.item("a"), world.a.item("b"))
        world.a.move("a", to: "t")
        world.a.watch()
        world.a.move("b", to: "a")
        world.a.watch()
        world.a.move("t", to: "b")
        world.settle()
        #expect(world.a.item("a") == items.1)
        #expect(world.a.item("b") == items.0)
        #expect(world.b.tree == ["a": "2", "b": "1"])
        #expect(world.conflicts == 0)
        world.finish()
    }

    @Test func threeFilesGoRound() {
        let world = TestWorld(["a": "1", "b": "2", "c": "3"])
        world.a.move("a", to: "t")
        world.a.move("b", to: "a")
        world.a.move("c", to: "b")
        world.a.move("t", to: "c")
        world.settle()
        #expect(world.b.tree == ["a": "2", "b": "3", "c": "1"])
        #expect(world.trash.isEmpty)
        #expect(world.conflicts == 0)
        world.finish()
    }

    @Test func aRenameOntoAnotherFile() {
        let world = TestWorld(["a": "1", "b": "2"])
        world.a.move("a", to: "b")
        world.settle()
        #expect(world.b.tree == ["b": "1"])
        #expect(world.conflicts == 0)
        world.finish()
    }

    // MARK: Names that are left alone

    @Test func ignoredNamesStayHere() {
        let world = TestWorld(["note.md": "0"])
        world.a.write(".note.md.swp", "x")
        world.a.write("note.md~", "x")
        world.a.write("~$book.docx", "x")
        world.settle()
        #expect(world.b.tree == ["note.md": "0"])
        world.finish()
    }

    @Test func aFileThatGetsAnIgnoredNameIsDeletedForTheOthers() {
        let world = TestWorld(["note.md": "0"])
        world.a.move("note.md", to: "note.md~")
        world.settle()
        #expect(world.b.tree == [:])
        #expect(world.trash == ["note.md"])
        world.finish()
    }

    @Test func anIgnoredFileThatGetsAnOrdinaryNameIsSent() {
        let world = TestWorld()
        world.a.write("note.tmp", "0")
        world.settle()
        world.a.move("note.tmp", to: "note.md")
        world.settle()
        #expect(world.b.tree == ["note.md": "0"])
        world.finish()
    }

    // MARK: Hard links

    @Test func aSecondNameOfAFileIsAnItemOfItsOwn() {
        let world = TestWorld(["a": "0"])
        let item = world.a.item("a")
        world.a.makeHardLink("b", to: "a")
        world.settle()
        #expect(world.a.item("a") == item)
        #expect(world.b.tree == ["a": "0", "b": "0"])
        world.finish()
    }

    @Test func anEditThroughOneNameIsAnEditOfBoth() {
        let world = TestWorld(["a": "0"])
        world.a.makeHardLink("b", to: "a")
        world.settle()
        world.a.edit("b", "1")
        world.settle()
        #expect(world.b.tree == ["a": "1", "b": "1"])
        world.finish()
    }

    @Test func oneOfTwoNamesIsRemoved() {
        let world = TestWorld(["a": "0"])
        world.a.makeHardLink("b", to: "a")
        world.settle()
        world.a.remove("a")
        world.settle()
        #expect(world.b.tree == ["b": "0"])
        world.finish()
    }

    /// Each name is looked at once for a state of the file, and not once for each other name.
    @Test func namesOfAFileDoNotLookAtEachOther() {
        let world = TestWorld(["a": "0"])
        for number in 0..<300 { world.a.makeHardLink("b\(number)", to: "a") }
        world.settle()
        world.a.looks = 0
        world.a.edit("b7", "1")
        world.settle()
        #expect(Set(world.b.tree.values) == ["1"])
        #expect(world.b.tree.count == 301)
        #expect(world.a.looks < 1_200)
        world.finish()
    }

    /// Each look shows another state: a program writes on and on.
    @Test func namesOfAFileThatChangesDuringTheLooksAreNotLookedAtInAvalanches() {
        let world = TestWorld(["a": "0"])
        for number in 0..<100 { world.a.makeHardLink("b\(number)", to: "a") }
        world.settle()
        world.a.looks = 0
        var writes = 50
        world.a.beforeLook = { [weak device = world.a] in
            guard let device, writes > 0 else { return }
            writes -= 1
            device.edit("b3", "\(writes)")
        }
        world.a.edit("b7", "1")
        world.settle()
        #expect(writes == 0)
        #expect(Set(world.b.tree.values) == ["0"])
        #expect(world.a.looks < 1_000)
        world.finish()
    }
}
