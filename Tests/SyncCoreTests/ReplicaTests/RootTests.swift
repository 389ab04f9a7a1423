import SyncCore
import SyncStore
import Testing

/// A root that is empty, gone, or another one.
@Suite struct RootTests {
    let world = TestWorld(["one": "1", "two": "2", "three": "3"])
    var a: TestDevice { world.a }
    var b: TestDevice { world.b }
    private let whole = ["one": "1", "two": "2", "three": "3"]

    private var isUnavailable: Bool { a.replica?.status().missingRoots.isEmpty == false }

    /// The shell's timer comes all ten seconds.
    private func rest(seconds: Int64) {
        for _ in 0..<(seconds / 10) {
            world.settle(seconds: 10)
            world.pass(milliseconds: 10_000)
            a.wake()
        }
        world.settle(seconds: 5)
    }

    private func emptyWhileDown() {
        a.crash()
        for name in whole.keys.sorted() { a.remove(name) }
        a.start()
        a.goOnline()
        rest(seconds: 60)
    }

    @Test func anEmptiedRootIsNoDeletion() {
        emptyWhileDown()
        #expect(isUnavailable)
        #expect(b.tree == whole)
    }

    @Test func itIsBackWhenItsFilesAre() {
        emptyWhileDown()
        for (name, text) in whole { a.write(name, text) }
        rest(seconds: 20)
        #expect(!isUnavailable)
        world.finish()
        #expect(b.tree == whole)
        #expect(world.trash.isEmpty)
    }

    /// The disk is mounted again, and one of its files is written to before it is looked for.
    @Test func whatComesBackWithItIsSeenToo() {
        emptyWhileDown()
        for (name, text) in whole { a.write(name, text) }
        a.write("never seen", "4")
        a.disk.notices = []
        a.edit("one", "1!")
        a.edit("two", "2!")
        a.edit("three", "3!")
        rest(seconds: 5)
        #expect(b.tree == ["one": "1!", "two": "2!", "three": "3!", "never seen": "4"])
        world.finish()
    }

    @Test func halfOfThemIsNotEnoughAtOnce() {
        emptyWhileDown()
        a.write("one", "1")
        rest(seconds: 60)
        #expect(isUnavailable)
        a.write("two", "2")
        world.settle(seconds: 5)
        #expect(isUnavailable, "more may come")
        rest(seconds: 120)
        #expect(!isUnavailable)
        #expect(b.tree == ["one": "1", "two": "2"])
    }

    /// A crash in the midst of an install, and the disk is not mounted at the next start.
    @Test func whatTheStartHasPutBackDoesNotMakeItWhole() {
        a.crash()
        for name in whole.keys.sorted() { a.remove(name) }
        a.write("one", "1")
        a.start(putBack: ["one"])
        a.goOnline()
        rest(seconds: 60)
        #expect(isUnavailable)
        #expect(b.tree == whole)
        for (name, text) in whole { a.write(name, text) }
        rest(seconds: 60)
        #expect(!isUnavailable)
        world.finish()
    }

    /// Two items never claim one folder of the disk: what is saved in it is read where it is.
    @Test func aFolderMovedOntoTheNameOfOneThatIsAwayIsOneItems() {
        a.makeFolder("H")
        world.settle()
        a.crash()
        for name in whole.keys.sorted() + ["H"] { a.remove(name) }
        a.start()
        a.goOnline()
        rest(seconds: 60)
        a.makeFolder("G")
        rest(seconds: 20)
        a.move("G", to: "H")
        rest(seconds: 20)
        a.move("H", to: "G")
        rest(seconds: 20)
        a.write("G/x", "x")
        rest(seconds: 20)
        #expect(isUnavailable)
        #expect(b.read("G/x") == "x")
    }

    @Test func whatIsMadeInItDoesNotMakeItWhole() {
        emptyWhileDown()
        a.write("new", "4")
        rest(seconds: 60)
        a.restart()
        rest(seconds: 60)
        #expect(isUnavailable, "also after another start")
        for name in ["new2", "new3", "new4"] { a.write(name, "4") }
        rest(seconds: 120)
        #expect(isUnavailable, "new files are none of those that it held")
        #expect(whole.allSatisfy { b.tree[$0.key] == $0.value })
        for (name, text) in whole { a.write(name, text) }
        rest(seconds: 60)
        #expect(!isUnavailable)
        a.restart()
        rest(seconds: 20)
        #expect(!isUnavailable)
        #expect(world.trash.isEmpty)
        world.finish()
    }

    @Test func confirmedTheEmptinessIsMeant() {
        emptyWhileDown()
        a.tell(.confirm(isMeant: true))
        world.settle()
        #expect(b.tree.isEmpty)
        #expect(world.trash == ["one", "three", "two"])
        world.finish()
    }

    @Test func aRootThatGoesWhileRunningIsUnavailable() {
        a.moveDocuments(to: "elsewhere")
        rest(seconds: 60)
        #expect(isUnavailable)
        #expect(b.tree == whole)
        a.moveDocuments(from: "elsewhere")
        world.settle()
        #expect(!isUnavailable)
        world.finish()
    }

    @Test func confirmedItIsMadeAgain() {
        a.moveDocuments(to: "elsewhere")
        rest(seconds: 60)
        a.tell(.confirm(isMeant: true))
        world.settle()
        #expect(!isUnavailable)
        #expect(b.tree.isEmpty)
        world.finish()
    }

    /// Nothing tells of a mount: the names under it do not change.
    @Test func aFolderInItsPlaceIsNoticedWhileRunning() {
        a.moveDocuments(to: "elsewhere")
        a.makeDocuments()
        a.disk.notices = []
        rest(seconds: 60)
        #expect(isUnavailable)
        #expect(b.tree == whole)
        a.removeDocuments()
        a.moveDocuments(from: "elsewhere")
        a.disk.notices = []
        rest(seconds: 20)
        #expect(!isUnavailable)
        world.finish()
    }

    @Test func confirmedTheNewFolderIsTheRoot() {
        a.moveDocuments(to: "elsewhere")
        a.makeDocuments()
        a.write("one", "1")
        rest(seconds: 60)
        #expect(isUnavailable)
        a.tell(.confirm(isMeant: true))
        world.settle()
        #expect(b.tree == ["one": "1"])
        world.finish()
    }

    /// Two items can say of one file that it is theirs where a file was put over another one while
    /// the root was not there: nothing is deleted then.
    @Test func oneFileIsOneItemsAfterARestart() throws {
        let world = TestWorld(["m": "x", "n": "x"])
        let (m, n) = (try #require(world.a.item("m")), try #require(world.a.item("n")))
        var image = world.a.store.committed
        let stamp = try #require(image.replica.nodes[m]?.base?.stamp)
        for (owner, seconds) in [(m, Int64(0)), (n, 1)] {
            image.replica.nodes[owner]?.base?.stamp = FileStamp(
                identity: stamp.identity, size: stamp.size, mode: stamp.mode,
                modified: stamp.modified,
                changed: FileTime(
                    seconds: stamp.changed.seconds + seconds,
                    nanoseconds: stamp.changed.nanoseconds),
                links: 1, isRacy: false)
        }
        world.a.crash()
        world.a.remove("n")
        world.a.move("m", to: "k")
        world.a.store.restore(image)
        world.a.start()
        world.settle()
        #expect(world.a.item("k") == n)
        #expect(world.b.tree == ["k": "x"])
    }
}
