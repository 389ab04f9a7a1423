import SyncCore
import SyncStore
import Testing

/// What was deleted comes back; what has no place gets one; old versions become current.
@Suite struct TrashTests {
    let world = TestWorld(["F/": "", "F/one": "1", "F/sub/": "", "F/sub/two": "2", "x": "x"])
    var a: TestDevice { world.a }
    var b: TestDevice { world.b }
    private let whole = ["F/": "", "F/one": "1", "F/sub/": "", "F/sub/two": "2", "x": "x"]

    private func removeFolder(on device: TestDevice) {
        for path in ["F/one", "F/sub/two", "F/sub", "F"] { device.remove(path) }
        world.settle()
    }

    // MARK: Restoring

    @Test func aFileComesBackOnAllDevices() {
        a.remove("x")
        world.settle()
        #expect(world.trash == ["x"])
        b.restore("x")
        world.settle()
        #expect(a.tree == whole)
        #expect(b.tree == whole)
        world.finish()
    }

    @Test func whatComesBackIsWhatTheVersionSays() {
        removeFolder(on: a)
        b.damages = true
        a.restore("F")
        world.settle()
        #expect(b.tree == whole)
        world.finish()
    }

    @Test func aFolderComesBackWhole() {
        removeFolder(on: a)
        #expect(a.tree == ["x": "x"])
        let length = world.cloud.length
        b.restore("F")
        world.settle()
        #expect(world.cloud.length == length + 1)
        #expect(a.tree == whole)
        #expect(b.tree == whole)
        world.finish()
    }

    @Test func aFileOfADeletedFolderBringsItsFolders() {
        removeFolder(on: a)
        a.restore("two")
        world.settle()
        #expect(a.tree == ["F/": "", "F/sub/": "", "F/sub/two": "2", "x": "x"])
        #expect(b.tree == a.tree)
        world.finish()
    }

    @Test func aTakenNameGetsTheNextFreeOne() {
        a.remove("x")
        world.settle()
        b.write("x", "another")
        world.settle()
        a.restore("x")
        world.settle(seconds: 5)
        #expect(a.tree["x"] == "another")
        #expect(a.tree["x 2"] == "x", "the device that was asked does it at once")
        world.finish()
        #expect(b.tree == a.tree)
    }

    @Test func aFolderWhoseNameIsTakenGetsTheNextFreeOne() {
        removeFolder(on: a)
        b.makeFolder("F")
        b.write("F/new", "new")
        world.settle()
        a.restore("F")
        world.settle()
        #expect(a.tree["F/new"] == "new")
        #expect(a.tree["F 2/sub/two"] == "2")
        #expect(b.tree == a.tree)
        world.finish()
    }

    /// A folder comes back, and is made here before its version could be asked for.
    @Test func aFolderThatIsMadeAgainMeanwhileGetsTheModeOfTheOneThatComesBack() {
        a.setMode(0o700, of: "F")
        world.settle()
        b.goOffline()
        b.edit("F/one", "11")
        removeFolder(on: a)
        a.cannotFetch = true
        b.goOnline()
        world.settle(seconds: 5)
        #expect(a.tree == ["x": "x"])
        a.makeFolder("F")
        world.settle(seconds: 5)
        a.cannotFetch = false
        world.settle()
        #expect(a.disk.files[a.inode("F")]?.mode == 0o700)
        world.finish()
    }

    @Test func twoDevicesRestoreTheSame() {
        a.remove("x")
        world.settle()
        world.goOffline()
        a.restore("x")
        b.restore("x")
        a.goOnline()
        b.goOnline()
        world.settle()
        #expect(a.tree == whole)
        #expect(world.conflicts == 0)
        world.finish()
    }

    @Test func aLongFileComesBack() {
        let text = String(repeating: "long ", count: 50)
        a.write("long", text)
        world.settle()
        b.remove("long")
        world.settle()
        a.restore("long")
        world.settle()
        #expect(b.read("long") == text)
        world.finish()
    }

    @Test func itSurvivesARestartBeforeItIsSent() {
        a.remove("x")
        world.settle()
        a.goOffline()
        a.restore("x")
        a.restart()
        a.goOnline()
        world.settle()
        #expect(a.tree == whole)
        world.finish()
    }

    // MARK: What went before the folder

    /// The members one after the other, with pauses; then the folders.
    private func removeSlowly(_ paths: [String], seconds: Int64, on device: TestDevice) {
        for path in paths {
            device.remove(path)
            world.settle(seconds: 1)
            world.pass(milliseconds: seconds * 1_000)
        }
        world.settle()
    }

    @Test func aSlowSweepComesBackWhole() {
        removeSlowly(["F/one", "F/sub/two", "F/sub", "F"], seconds: 3, on: a)
        #expect(b.tree == ["x": "x"])
        b.restore("F")
        world.settle()
        #expect(b.tree == whole)
        #expect(a.tree == whole)
        world.finish()
    }

    @Test func whatWentLongBeforeStaysInTheTrash() {
        a.remove("F/one")
        world.settle()
        world.pass(milliseconds: 20_000)
        removeSlowly(["F/sub/two", "F/sub", "F"], seconds: 1, on: a)
        b.restore("F")
        world.settle()
        #expect(b.tree == ["F/": "", "F/sub/": "", "F/sub/two": "2", "x": "x"])
        world.finish()
    }

    @Test func whatAnotherDeviceDeletedStaysInTheTrash() {
        b.remove("F/one")
        world.settle(seconds: 1)
        removeSlowly(["F/sub/two", "F/sub", "F"], seconds: 1, on: a)
        a.restore("F")
        world.settle()
        #expect(a.tree == ["F/": "", "F/sub/": "", "F/sub/two": "2", "x": "x"])
        world.finish()
    }

    @Test func anOfflineSweepIsKnownByItsOwnTime() {
        a.goOffline()
        a.remove("F/one")
        world.settle()
        world.pass(milliseconds: 3_600_000)
        removeSlowly(["F/sub/two", "F/sub", "F"], seconds: 1, on: a)
        a.goOnline()
        world.settle()
        b.restore("F")
        world.settle()
        #expect(b.tree == ["F/": "", "F/sub/": "", "F/sub/two": "2", "x": "x"])
        world.finish()
    }

    @Test func itIsDeletedAndRestoredAgain() {
        for _ in 0..<2 {
            removeFolder(on: a)
            b.restore("F")
            world.settle()
        }
        #expect(a.tree == whole)
        world.finish()
    }

    // MARK: Without a place

    /// A folder that an edit brings back, and whose name is taken: nobody has it on the disk.
    @Test func anUnplacedFolderIsPlacedByAnybodyAfterAWhile() {
        b.goOffline()
        b.edit("F/sub/two", "b")
        removeFolder(on: a)
        a.makeFolder("F")
        world.settle()
        // B's file alone comes back; B dies for good after that.
        b.goOnline()
        // It hears the log before it sends.
        b.deliver()
        for _ in 0..<50 where world.cloud.items.values.allSatisfy({ $0.standing != .unplaced }) {
            _ = b.exchange()
            b.watch()
        }
        b.crash()
        #expect(world.cloud.items.values.contains { $0.standing == .unplaced })
        world.settle(seconds: 20)
        #expect(a.tree["F 2/sub/two"] == nil, "not yet: who has it goes first")
        world.settle()
        #expect(a.tree["F 2/sub/two"] == "b")
    }

    // MARK: What is installed

    @Test func installedIsTheNumberUpToWhichAllIsInStep() throws {
        #expect(b.replica?.installedNumber == UInt64(world.cloud.length))
        b.busy = [b.inode("x")]
        a.edit("x", "newer")
        world.settle(seconds: 5)
        let before = UInt64(world.cloud.length) - 1
        #expect(a.replica?.installedNumber == before + 1)
        #expect(b.replica?.installedNumber == before)
        b.restart()
        #expect(b.replica?.installedNumber == before)
        b.busy = []
        world.settle()
        #expect(b.replica?.installedNumber == UInt64(world.cloud.length))
    }

    /// Nobody has it on a disk, and its name is free by the time that somebody gives it a place.
    @Test func anUnplacedFileKeepsItsNameIfThatIsFree() {
        let c = TestDevice("c", cloud: world.cloud)
        let edit = unplacedEdit(by: c)
        #expect(world.cloud.items[edit]?.standing == .unplaced)
        a.remove("F/one")
        world.settle(seconds: 20)
        #expect(a.tree["F/one"] == nil, "not yet")
        world.settle()
        #expect(a.tree["F/one"] == "-> c")
        #expect(b.tree["F/one"] == "-> c")
        world.finish()
    }

    @Test func whoWantsItBackGivesItAPlaceAtOnce() {
        let c = TestDevice("c", cloud: world.cloud)
        let edit = unplacedEdit(by: c)
        #expect(world.cloud.items[edit]?.standing == .unplaced)
        #expect(a.replica?.isInPlace(edit) == false)
        a.restore("one")
        world.settle(seconds: 5)
        #expect(a.tree["F/one 2"] == "-> c" && a.tree["F/one"] == "1")
        #expect(a.replica?.isInPlace(edit) == true)
        world.settle()
        world.finish()
    }

    /// A file whose name was taken when it came back to life: its device is not there any more.
    private func unplacedEdit(by c: TestDevice) -> ItemID {
        let folder = world.state("F")?.id ?? .top
        let item = ItemID(high: 7, low: 7)
        let placement = Placement(
            id: PlaceID(high: 7, low: 8), replaces: nil, folder: folder,
            tag: testVault.tag(Array("one".utf8)), name: Array("one".utf8))
        let bytes = Array("c".utf8)
        let facts = VersionFacts(
            digest: testVault.hash(bytes), size: 1, mode: 0o600,
            modified: FileTime(seconds: 5, nanoseconds: 0))
        // A link under the file's name yields, and nobody has it.
        let version = Version(
            id: VersionID(high: 7, low: 9), parents: [], nature: .edit, facts: facts.bytes,
            content: .inline(bytes))
        _ = world.cloud.decide(
            [
                Operation(
                    number: 1, age: 0,
                    body: .create(item: item, kind: .link, placement: placement, version: version))
            ], of: Incarnation(77), by: c.id)
        world.settle(seconds: 1)
        return item
    }
}
