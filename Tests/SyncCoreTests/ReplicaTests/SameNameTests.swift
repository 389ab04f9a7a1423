import SyncCore
import Testing

/// One name on two devices, and names that go round.
@Suite struct SameNameTests {
    /// Hazard 17: `2026-11-30.md` on both, offline.
    @Test func theSameFileNameMadeOfflineOnBothIsOneItemWithTwoHeads() {
        let world = TestWorld()
        world.goOffline()
        world.a.write("today.md", "a")
        world.b.write("today.md", "b")
        world.settle()
        world.a.goOnline()
        world.settle()
        world.b.goOnline()
        world.settle()
        #expect(world.texts("today.md") == ["a", "b"])
        #expect(world.a.tree == ["today.md": "a"])
        #expect(world.b.tree == ["today.md": "a"])
        world.finish()
    }

    @Test func typingOnInAFileThatWasTakenIntoAnother() {
        let world = TestWorld()
        world.goOffline()
        world.a.write("today.md", "a")
        world.settle()
        world.a.goOnline()
        world.settle()
        world.b.write("today.md", "b")
        world.settle()
        world.b.goOnline()
        world.settle(seconds: 1)
        world.b.edit("today.md", "b2")
        world.settle()
        #expect(world.texts("today.md") == ["a", "b2"])
        world.finish()
    }

    @Test func theSameFolderMadeOfflineOnBothIsOneFolder() {
        let world = TestWorld()
        world.goOffline()
        world.a.makeFolder("F")
        world.a.write("F/a", "a")
        world.b.makeFolder("F")
        world.b.write("F/b", "b")
        world.settle()
        world.a.goOnline()
        world.settle()
        world.b.goOnline()
        world.settle()
        #expect(world.a.tree == ["F/": "", "F/a": "a", "F/b": "b"])
        #expect(world.b.tree == world.a.tree)
        world.finish()
    }

    @Test func theSameTreeMadeOfflineOnBoth() {
        let world = TestWorld()
        world.goOffline()
        for device in world.devices {
            device.makeFolder("F")
            device.makeFolder("F/G")
            device.write("F/G/x", "\(device.id)")
            device.write("F/\(device.id)", "")
        }
        world.settle()
        world.a.goOnline()
        world.b.goOnline()
        world.settle()
        #expect(world.conflicts == 1)
        #expect(world.a.tree.keys.sorted() == ["F/", "F/G/", "F/G/x", "F/a", "F/b"])
        #expect(world.b.tree == world.a.tree)
        world.finish()
    }

    /// Work goes on in the folder that is taken into another, before its device knows.
    @Test func aFolderIsTakenIntoAnotherWhileItsOwnerWritesInIt() {
        let world = TestWorld()
        world.goOffline()
        world.a.makeFolder("F")
        world.b.makeFolder("F")
        world.settle()
        world.a.goOnline()
        world.settle()
        world.b.goOnline()
        world.b.watch()
        world.b.deliver()
        #expect(world.b.exchange())
        world.b.write("F/new", "b")
        world.b.watch()
        world.settle()
        #expect(world.a.tree == ["F/": "", "F/new": "b"])
        world.finish()
    }

    @Test func anotherKindUnderTheNameGetsTheNextFreeName() {
        let world = TestWorld()
        world.goOffline()
        world.a.write("x.md", "a")
        world.b.makeFolder("x.md")
        world.b.write("x.md/in", "b")
        world.settle()
        world.a.goOnline()
        world.settle()
        world.b.goOnline()
        world.settle()
        #expect(world.a.tree == ["x.md": "a", "x 2.md/": "", "x 2.md/in": "b"])
        #expect(world.b.tree == world.a.tree)
        world.finish()
    }

    @Test func aRenameOntoANameThatWasTakenMeanwhileGetsTheNextFreeName() {
        let world = TestWorld(["one": "1"])
        world.goOffline()
        world.a.write("two", "2")
        world.b.move("one", to: "two")
        world.settle()
        world.a.goOnline()
        world.settle()
        world.b.goOnline()
        world.settle()
        #expect(world.a.tree == ["two": "2", "two 2": "1"])
        world.finish()
    }

    @Test func aFolderRenamedOntoANameThatWasTakenMeanwhile() {
        let world = TestWorld(["one/": "", "one/in": "1"])
        world.goOffline()
        world.a.makeFolder("two")
        world.a.write("two/other", "2")
        world.b.move("one", to: "two")
        world.settle()
        world.a.goOnline()
        world.settle()
        world.b.goOnline()
        world.settle()
        #expect(
            world.a.tree == ["two/": "", "two/other": "2", "two 2/": "", "two 2/in": "1"])
        world.finish()
    }

    @Test func bothMakeAFileUnderTheNameThatAThirdWasRenamedFrom() {
        let world = TestWorld(["n": "0"])
        world.goOffline()
        world.a.move("n", to: "old")
        world.settle()
        world.a.write("n", "a")
        world.b.edit("n", "b")
        world.settle()
        world.a.goOnline()
        world.settle()
        world.b.goOnline()
        world.settle()
        #expect(world.a.tree == ["n": "a", "old": "b"])
        #expect(world.conflicts == 0)
        world.finish()
    }

    // MARK: A holder that has another name here

    /// B gives a file the name that A, apart, makes a file under; and while A clears its own out of
    /// the way somebody saves over it.
    @Test func whatIsSavedOverAFileThatStandsInItsHoldersWayIsKept() {
        let world = TestWorld(["p": "0"])
        world.a.goOffline()
        world.b.move("p", to: "n")
        world.a.write("n", "new")
        world.settle()
        let a = world.a
        a.beforeInstall = { a.saveByRename("n", "saved over", through: "n.tmp") }
        a.goOnline()
        world.settle()
        #expect(world.texts("n") == ["0", "new", "saved over"])
        world.finish()
    }

    /// The file in the way goes with its folder: it stands for no item of the account.
    @Test func aFolderIsRemovedWithAFileThatStandsInItsHoldersWay() {
        let world = TestWorld(["F/": "", "p": "0"])
        world.a.goOffline()
        world.b.move("p", to: "F/n")
        world.a.write("F/n", "new")
        world.settle()
        let a = world.a
        a.beforeInstall = {
            a.beforeInstall = nil
            a.remove("F/n")
            a.remove("F")
        }
        a.goOnline()
        world.settle()
        #expect(world.texts("F/n") == ["0", "new"])
        #expect(world.b.tree == a.tree)
        world.finish()
    }

    /// A makes a folder and moves another one into it, which B, apart, gives the new one's name.
    @Test func aFolderThatIsMovedIntoWhatTurnsOutToBeItself() {
        let world = TestWorld(["H/": "", "H/x": "1", "H/sub/": "", "H/sub/y": "2"])
        world.a.goOffline()
        world.b.move("H", to: "G")
        world.settle()
        world.a.makeFolder("G")
        world.a.write("G/new", "3")
        world.a.move("H", to: "G/G")
        world.settle()
        world.a.goOnline()
        world.settle()
        #expect(
            world.a.tree == ["G/": "", "G/x": "1", "G/sub/": "", "G/sub/y": "2", "G/new": "3"])
        #expect(world.b.tree == world.a.tree)
        world.finish()
    }

    /// The holder's folder goes from this disk while another one stands in its way.
    @Test func aFolderInTheWayOfItsHolderBecomesTheHolder() {
        let world = TestWorld(["H/": "", "H/x": "1", "y": "2"])
        let a = world.a
        a.crash()
        for name in ["H/x", "H", "y"] { a.remove(name) }
        a.start()
        a.goOnline()
        world.b.move("H", to: "G")
        world.settle(seconds: 5)
        a.makeFolder("G")
        a.write("G/new", "3")
        world.settle(seconds: 5)
        a.tell(.confirm(isMeant: true))
        world.settle()
        #expect(a.tree == ["G/": "", "G/new": "3"])
        #expect(world.b.tree == a.tree)
        world.finish()
    }

    // MARK: Names go round, applied on the other device

    @Test func aSwapIsInstalled() {
        let world = TestWorld(["a": "1", "b": "2"])
        let items = (world.b.item("a"), world.b.item("b"))
        world.a.swap("a", "b")
        world.settle()
        #expect(world.b.tree == ["a": "2", "b": "1"])
        #expect(world.b.item("a") == items.1)
        #expect(world.b.item("b") == items.0)
        world.finish()
    }

    @Test func aSwapOfFoldersIsInstalled() {
        let world = TestWorld(["F/": "", "F/x": "1", "G/": "", "G/y": "2"])
        world.a.swap("F", "G")
        world.settle()
        #expect(world.b.tree == ["F/": "", "F/y": "2", "G/": "", "G/x": "1"])
        #expect(world.trash.isEmpty)
        world.finish()
    }

    @Test func aSwapOfAFileAndAFolderIsInstalled() {
        let world = TestWorld(["F/": "", "F/x": "1", "n": "2"])
        world.a.swap("F", "n")
        world.settle()
        #expect(world.b.tree == ["n/": "", "n/x": "1", "F": "2"])
        world.finish()
    }

    @Test func aFolderAndItsParentChangePlaces() {
        let world = TestWorld(["F/": "", "F/G/": "", "F/G/x": "1"])
        world.a.move("F/G", to: "G")
        world.a.move("F", to: "G/F")
        world.settle()
        #expect(world.b.tree == ["G/": "", "G/F/": "", "G/x": "1"])
        #expect(world.trash.isEmpty)
        world.finish()
    }

    @Test func aFolderAndItsParentOfTheSameNameChangePlaces() {
        let world = TestWorld(["F/": "", "F/outer": "1", "F/F/": "", "F/F/inner": "2"])
        world.a.move("F/F", to: "t")
        world.a.move("F", to: "t/F")
        world.a.move("t", to: "F")
        world.settle()
        #expect(
            world.b.tree == ["F/": "", "F/inner": "2", "F/F/": "", "F/F/outer": "1"])
        #expect(world.trash.isEmpty)
        world.finish()
    }

    @Test func aSwapAndAnEditAtOnceAreInstalled() {
        let world = TestWorld(["a": "1", "b": "2"])
        world.a.goOffline()
        world.a.swap("a", "b")
        world.a.edit("a", "2!")
        world.settle()
        world.a.goOnline()
        world.settle()
        #expect(world.b.tree == ["a": "2!", "b": "1"])
        #expect(world.conflicts == 0)
        world.finish()
    }

    @Test func aSwapMeetsAnEditOfTheOtherDevice() {
        let world = TestWorld(["a": "1", "b": "2"])
        world.goOffline()
        world.a.swap("a", "b")
        world.b.edit("a", "1!")
        world.settle()
        world.a.goOnline()
        world.settle()
        world.b.goOnline()
        world.settle()
        #expect(world.a.tree == ["a": "2", "b": "1!"])
        #expect(world.conflicts == 0)
        world.finish()
    }

    @Test func bothSwapTheSameNames() {
        let world = TestWorld(["a": "1", "b": "2"])
        world.goOffline()
        world.a.swap("a", "b")
        world.b.swap("a", "b")
        world.settle()
        world.a.goOnline()
        world.b.goOnline()
        world.settle()
        #expect(world.a.tree == ["a": "2", "b": "1"])
        #expect(world.conflicts == 0)
        world.finish()
    }

    // MARK: Names as bytes

    /// A1: a rename of the case only, then delete, make anew, edit elsewhere.
    @Test func aRenameOfTheCaseOnly() {
        let world = TestWorld(["AAA.txt": "1"])
        world.a.move("AAA.txt", to: "aaa.txt")
        world.settle()
        #expect(world.b.tree == ["aaa.txt": "1"])
        world.a.remove("aaa.txt")
        world.settle()
        world.a.write("aaa.txt", "2")
        world.settle()
        world.b.edit("aaa.txt", "3")
        world.settle()
        world.b.write("AAA.txt", "4")
        world.settle()
        #expect(world.a.tree == ["aaa.txt": "3", "AAA.txt": "4"])
        world.finish()
    }

    /// A2: two names that are equal as Strings.
    @Test func namesThatLookAlikeAreTwoNames() {
        let world = TestWorld()
        world.a.write("caf\u{E9}", "1")
        world.a.write("cafe\u{301}", "2")
        world.settle()
        #expect(world.b.read("caf\u{E9}") == "1")
        #expect(world.b.read("cafe\u{301}") == "2")
        world.finish()
    }

    /// A3 and A4: newline, tab, 255 bytes.
    @Test func strangeAndLongNamesArrive() {
        let world = TestWorld()
        let names = [
            "a\nb", "c\td", " leading", "trailing ", String(repeating: "n", count: 255),
            String(repeating: "字", count: 85), ".hidden",
        ]
        for name in names { world.a.write(name, "x") }
        world.settle()
        #expect(Set(world.b.tree.keys) == Set(names))
        world.finish()
    }

    @Test func aFreeNameBesideALongOneIsShortened() {
        let world = TestWorld()
        let name = String(repeating: "n", count: 252) + ".md"
        world.goOffline()
        world.a.write(name, "a")
        world.b.makeFolder(name)
        world.settle()
        world.a.goOnline()
        world.settle()
        world.b.goOnline()
        world.settle()
        let short = String(repeating: "n", count: 250) + " 2.md"
        #expect(world.a.tree == [name: "a", short + "/": ""])
        world.finish()
    }
}
