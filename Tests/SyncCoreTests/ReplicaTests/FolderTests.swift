import SyncCore
import Testing

/// Folders: moved, deleted, and met by what the other device did in them.
@Suite struct FolderTests {
    let world = TestWorld(["F/": "", "F/one": "1", "F/sub/": "", "F/sub/two": "2"])
    var a: TestDevice { world.a }
    var b: TestDevice { world.b }

    private func connect(_ first: TestDevice, _ second: TestDevice) {
        world.settle()
        first.goOnline()
        world.settle()
        second.goOnline()
        world.settle()
    }

    // MARK: Renames

    @Test func aRenamedFolderIsOneSmallOperation() {
        let length = world.cloud.length
        a.move("F", to: "G")
        world.settle()
        #expect(world.cloud.length == length + 1)
        #expect(b.tree == ["G/": "", "G/one": "1", "G/sub/": "", "G/sub/two": "2"])
        world.finish()
    }

    @Test func aFolderIsRenamedWhileTheOtherEditsInIt() {
        world.goOffline()
        a.move("F", to: "G")
        b.edit("F/one", "b")
        b.write("F/new", "new")
        connect(a, b)
        #expect(
            a.tree
                == [
                    "G/": "", "G/one": "b", "G/sub/": "", "G/sub/two": "2", "G/new": "new",
                ])
        #expect(b.tree == a.tree)
        world.finish()
    }

    /// A9: the parent folder is renamed twice while the other device edits offline.
    @Test func aFolderIsRenamedTwiceWhileTheOtherEditsInIt() {
        a.goOffline()
        a.edit("F/sub/two", "a")
        b.move("F", to: "G")
        world.settle()
        b.move("G", to: "H")
        world.settle()
        a.goOnline()
        world.settle()
        #expect(a.tree == ["H/": "", "H/one": "1", "H/sub/": "", "H/sub/two": "a"])
        #expect(world.conflicts == 0)
        world.finish()
    }

    /// A15: what happens in a folder that was renamed unseen is seen, then and later.
    @Test func aFolderIsRenamedWhileTheWatcherOverflows() {
        let length = world.cloud.length
        a.move("F", to: "G")
        a.edit("G/one", "after")
        a.edit("G/sub/two", "deep")
        a.overflow()
        world.settle()
        #expect(b.tree == ["G/": "", "G/one": "after", "G/sub/": "", "G/sub/two": "deep"])
        #expect(world.cloud.length == length + 3)
        a.edit("G/sub/two", "later")
        world.settle()
        #expect(b.tree["G/sub/two"] == "later")
        world.finish()
    }

    @Test func aFolderIsRenamedThenWrittenToAtOnce() {
        a.move("F", to: "G")
        a.write("G/new", "new")
        a.edit("G/one", "1!")
        world.settle()
        #expect(b.tree["G/new"] == "new")
        #expect(b.tree["G/one"] == "1!")
        world.finish()
    }

    @Test func aFolderIsRenamedWhileTheProgramIsDown() {
        let item = a.item("F/sub/two")
        a.crash()
        a.move("F", to: "G")
        a.move("G/sub", to: "sub")
        a.start()
        world.settle()
        #expect(b.tree == ["G/": "", "G/one": "1", "sub/": "", "sub/two": "2"])
        #expect(a.item("sub/two") == item)
        #expect(world.trash.isEmpty)
        world.finish()
    }

    /// Hazard 19: Monday's rename stands, Tuesday's device connects later.
    @Test func ofTwoRenamesTheFirstAcceptedStands() {
        world.goOffline()
        a.move("F", to: "G")
        b.move("F", to: "H")
        connect(a, b)
        #expect(b.tree.keys.contains("G/"))
        #expect(!b.tree.keys.contains("H/"))
        world.finish()
    }

    /// Hazard 19: A puts X into Y, B puts Y into X.
    @Test func crossingMovesEndAsTheFirstAccepted() {
        a.makeFolder("X")
        a.makeFolder("Y")
        world.settle()
        world.goOffline()
        a.move("X", to: "Y/X")
        b.move("Y", to: "X/Y")
        connect(a, b)
        #expect(b.tree.keys.contains("Y/X/"))
        #expect(b.tree == a.tree)
        world.finish()
    }

    @Test func aFileIsMovedIntoAFolderThatIsRenamedMeanwhile() {
        a.write("out", "out")
        world.settle()
        world.goOffline()
        a.move("F", to: "G")
        b.move("out", to: "F/in")
        connect(a, b)
        #expect(a.tree["G/in"] == "out")
        world.finish()
    }

    // MARK: Deletions

    /// The account has the inner folder elsewhere still when the outer one is deleted.
    @Test func whatWasOnlyHeardOfOutlivesTheFolderThatItsOwnWasMovedInto() {
        let long = String(repeating: "0123456789", count: 30)
        let world = TestWorld(["F/": "", "F/m": "m", "X/": "", "X/n": "0"])
        world.a.cannotFetch = true
        world.b.write("X/new", long)
        world.settle(seconds: 5)
        world.a.goOffline()
        world.a.move("X", to: "F/X")
        world.settle(seconds: 5)
        world.a.remove("F")
        world.settle(seconds: 5)
        world.a.cannotFetch = false
        world.a.goOnline()
        world.settle()
        #expect(world.b.tree.values.contains(long))
        world.finish()
    }

    @Test func aDeletedFolderIsOneOperation() {
        let length = world.cloud.length
        a.move("F", to: ".F.tmp")
        world.settle()
        #expect(world.cloud.length == length + 1)
        #expect(b.tree == [:])
        world.finish()
    }

    @Test func aFolderIsDeletedMemberByMember() {
        a.remove("F")
        world.settle()
        #expect(b.tree == [:])
        #expect(world.trash == ["F", "one", "sub", "two"])
        world.finish()
    }

    @Test func aFolderIsDeletedWhileTheProgramIsDown() {
        a.write("other", "o")
        world.settle()
        a.crash()
        a.remove("F")
        a.start()
        world.settle()
        #expect(b.tree == ["other": "o"])
        world.finish()
    }

    @Test func aNewFileSavesTheFolderThatIsDeletedMeanwhile() {
        world.goOffline()
        a.remove("F")
        b.write("F/sub/new", "new")
        connect(a, b)
        #expect(a.tree == ["F/": "", "F/sub/": "", "F/sub/new": "new"])
        #expect(b.tree == a.tree)
        world.finish()
    }

    @Test func aNewFileThatCameFirstSavesTheFolder() {
        world.goOffline()
        a.remove("F")
        b.write("F/sub/new", "new")
        connect(b, a)
        #expect(a.tree == ["F/": "", "F/sub/": "", "F/sub/new": "new"])
        #expect(b.tree == a.tree)
        world.finish()
    }

    /// A8: deleted here, edited there.
    @Test(arguments: [true, false]) func anEditBeatsADeletion(deletionFirst: Bool) {
        world.goOffline()
        a.remove("F/one")
        b.edit("F/one", "b")
        connect(deletionFirst ? a : b, deletionFirst ? b : a)
        #expect(a.tree["F/one"] == "b")
        #expect(b.tree == a.tree)
        world.finish()
    }

    @Test(arguments: [true, false]) func anEditBeatsTheDeletionOfItsFolder(deletionFirst: Bool) {
        world.goOffline()
        a.remove("F")
        b.edit("F/sub/two", "b")
        connect(deletionFirst ? a : b, deletionFirst ? b : a)
        #expect(a.tree == ["F/": "", "F/sub/": "", "F/sub/two": "b"])
        #expect(b.tree == a.tree)
        world.finish()
    }

    @Test func whatIsMovedOutOfADeletedFolderLivesOn() {
        a.move("F/one", to: "one")
        a.remove("F")
        world.settle()
        #expect(b.tree == ["one": "1"])
        world.finish()
    }

    @Test func whatTheOtherMovedOutOfADeletedFolderLivesOn() {
        world.goOffline()
        a.remove("F")
        b.move("F/one", to: "one")
        connect(b, a)
        #expect(a.tree == ["one": "1"])
        #expect(b.tree == a.tree)
        world.finish()
    }

    private let long = String(repeating: "long", count: 50)

    /// What B does arrives in A's remote tree, but its contents cannot be had there.
    private func hearOnly(_ body: () -> Void, then after: () -> Void) {
        a.cannotFetch = true
        body()
        world.settle(seconds: 5)
        after()
        world.settle(seconds: 5)
        a.cannotFetch = false
        world.settle()
    }

    /// Hazard 20: F/f is in A's remote tree, but was never on A's disk.
    @Test func aDeletedFolderLeavesWhatWasOnlyHeardOf() {
        hearOnly {
            b.write("F/f", long)
        } then: {
            a.remove("F")
        }
        #expect(a.tree == ["F/": "", "F/f": long])
        world.finish()
    }

    /// Hazard 20: a newer version of F/one is in A's remote tree, the old one on its disk.
    @Test func aDeletedFolderLeavesAVersionThatWasOnlyHeardOf() {
        hearOnly {
            b.edit("F/one", long)
        } then: {
            a.remove("F")
        }
        #expect(a.tree == ["F/": "", "F/one": long])
        world.finish()
    }

    /// The same in one look: the watcher sees nothing but the folder going.
    @Test func aFolderMovedToTheBinLeavesAVersionThatWasOnlyHeardOf() {
        hearOnly {
            b.edit("F/one", long)
        } then: {
            a.move("F", to: "F~")
        }
        #expect(a.tree == ["F/": "", "F/one": long])
        world.finish()
    }

    /// Hazard 20: x is in F in A's remote tree, on A's disk it is not there yet.
    @Test func aDeletedFolderLeavesWhatWasMovedIntoItUnseen() {
        a.write("x", "x")
        world.settle()
        // A program writes to x: its name is not moved under it.
        hearOnly {
            a.busy = [a.inode("x")]
            b.move("x", to: "F/x")
        } then: {
            a.remove("F")
        }
        a.busy = []
        world.settle()
        #expect(a.tree == ["F/": "", "F/x": "x"])
        world.finish()
    }

    @Test func aFolderWithIgnoredLeftoversIsRemoved() {
        b.write("F/sub/two~", "left over")
        world.settle()
        a.remove("F")
        world.settle()
        #expect(b.tree == [:])
        world.finish()
    }

    @Test func aFolderIsDeletedAndMadeAnew() {
        a.remove("F")
        a.makeFolder("F")
        a.write("F/new", "new")
        world.settle()
        #expect(b.tree == ["F/": "", "F/new": "new"])
        world.finish()
    }

    @Test func bothDeleteTheFolder() {
        world.goOffline()
        a.remove("F")
        b.remove("F")
        connect(a, b)
        #expect(a.tree == [:])
        world.finish()
    }

    @Test func aFolderIsDeletedHereAndRenamedThere() {
        world.goOffline()
        a.remove("F")
        b.move("F", to: "G")
        connect(a, b)
        #expect(a.tree == [:])
        world.finish()
    }

    @Test func aFolderIsRenamedThereAndDeletedHere() {
        world.goOffline()
        a.remove("F")
        b.move("F", to: "G")
        connect(b, a)
        #expect(a.tree == [:])
        world.finish()
    }

    /// Hazard 19b: the folder is gone and another has its name.
    @Test func anEditWhoseFolderIsGoneAndWhoseNameIsTaken() {
        world.goOffline()
        a.remove("F")
        world.settle()
        a.makeFolder("F")
        a.write("F/other", "a")
        b.edit("F/one", "b")
        connect(a, b)
        #expect(a.tree == ["F/": "", "F/other": "a", "F 2/": "", "F 2/one": "b"])
        #expect(b.tree == a.tree)
        world.finish()
    }

    // MARK: Kinds

    @Test func aFileBecomesAFolderAndAFileAgain() {
        a.remove("F/one")
        a.makeFolder("F/one")
        a.write("F/one/in", "in")
        world.settle()
        #expect(b.tree["F/one/in"] == "in")
        a.remove("F/one")
        a.write("F/one", "file")
        world.settle()
        #expect(b.tree["F/one"] == "file")
        #expect(b.tree["F/one/"] == nil)
        world.finish()
    }

    @Test func aFileBecomesAFolderWhileTheOtherEditsIt() {
        world.goOffline()
        a.remove("F/one")
        a.makeFolder("F/one")
        a.write("F/one/in", "in")
        b.edit("F/one", "b")
        connect(a, b)
        #expect(a.tree["F/one/in"] == "in")
        #expect(a.tree["F/one 2"] == "b")
        #expect(b.tree == a.tree)
        world.finish()
    }

    /// A13: a folder is replaced by a link to another; that one's files stay.
    @Test func aFolderIsReplacedByALink() {
        a.makeFolder("B")
        a.write("B/in", "in")
        world.settle()
        a.remove("F")
        a.makeLink("F", to: "B")
        world.settle()
        #expect(b.tree == ["F": "-> B", "B/": "", "B/in": "in"])
        world.finish()
    }

    @Test func aLinkIsChanged() {
        a.makeLink("l", to: "F")
        world.settle()
        a.remove("l")
        a.makeLink("l", to: "G")
        world.settle()
        #expect(b.tree["l"] == "-> G")
        #expect(world.trash.isEmpty)
        world.finish()
    }

    @Test func aFoldersModeIsCarried() {
        a.setMode(0o700, of: "F")
        world.settle()
        #expect(b.disk.files[b.inode("F")]?.mode == 0o700)
        world.finish()
    }

    /// Here it has the name of the folder that it belongs into, and its own move is refused.
    @Test func aFolderThatHasTheNameOfItsFolderMakesWay() {
        let world = TestWorld(["H/": "", "H/x": "1"])
        world.a.goOffline()
        world.b.makeFolder("G")
        world.b.move("H", to: "G/H")
        world.settle()
        world.a.move("H", to: "G")
        world.settle()
        world.a.goOnline()
        world.settle()
        #expect(world.a.tree == ["G/": "", "G/H/": "", "G/H/x": "1"])
        world.finish()
    }

    /// A's move is a cycle by then: its folder goes back, and only then can the other one go in.
    @Test func aFolderGoesIntoOneThatLaySomewhereInIt() {
        let world = TestWorld(["F/": "", "F/F/": "", "H/": "", "H/in/": ""])
        world.a.goOffline()
        world.b.move("F", to: "H/in/F")
        world.settle()
        world.a.move("H", to: "F/F/H")
        world.settle()
        world.a.goOnline()
        world.settle()
        #expect(world.a.tree == ["H/": "", "H/in/": "", "H/in/F/": "", "H/in/F/F/": ""])
        world.finish()
    }

    /// B changes the mode of its own text, which is not what shows, and deletes the folder.
    @Test func aTextThatNeverStoodHereOutlivesItsFolder() {
        let world = TestWorld(["F/": "", "F/x": "0"])
        world.goOffline()
        world.a.edit("F/x", "a")
        world.b.edit("F/x", "b")
        world.a.goOnline()
        world.settle(seconds: 1)
        world.b.goOnline()
        world.settle(seconds: 1)
        world.b.goOffline()
        #expect(world.b.read("F/x") == "b")
        world.b.setMode(0o600, of: "F/x")
        world.settle(seconds: 1)
        world.b.move("F", to: "F~")
        world.settle()
        world.b.goOnline()
        world.settle()
        #expect(world.a.tree["F/x"] == "a")
        world.finish()
    }
}
