import SyncCore
import SyncStore
import Testing

/// What comes twice, late, in another order, or not at all.
@Suite struct ConnectionTests {
    @Test(arguments: [true, false]) func thePushMayComeBeforeOrAfterTheAnswer(pushFirst: Bool) {
        let world = TestWorld(["n": "0"])
        world.a.edit("n", "1")
        world.a.watch()
        #expect(world.a.exchange())
        if !pushFirst { world.a.incoming.reverse() }
        world.settle()
        #expect(world.b.read("n") == "1")
        world.finish()
    }

    @Test func entriesThatComeTwiceAreTakenOnce() {
        let world = TestWorld(["n": "0"])
        world.a.edit("n", "1")
        world.a.watch()
        #expect(world.a.exchange())
        for device in world.devices { device.incoming += device.incoming }
        world.settle()
        #expect(world.b.read("n") == "1")
        world.finish()
    }

    @Test func aGapIsFetched() {
        let world = TestWorld(["n": "0"])
        world.a.edit("n", "1")
        world.a.watch()
        #expect(world.a.exchange())
        world.b.incoming = []
        world.a.deliver()
        world.a.write("m", "new")
        world.settle()
        #expect(world.b.tree == ["n": "1", "m": "new"])
        world.finish()
    }

    @Test func whatIsPushedMeanwhileIsNotAskedForAgain() {
        let world = TestWorld(["n": "0"])
        for text in ["1", "2", "3", "4", "5"] {
            world.a.edit("n", text)
            world.a.watch()
            #expect(world.a.exchange())
            world.a.deliver()
        }
        world.b.incoming.removeFirst()
        let before = world.b.pulls
        world.b.deliver()
        #expect(world.b.pulls == before + 1)
        world.settle()
        #expect(world.b.read("n") == "5")
        world.finish()
    }

    @Test func anAnswerThatIsLostComesWithTheNextRequest() {
        let world = TestWorld(["n": "0"])
        world.a.losesAnswers = true
        world.cloud.listeners[world.a.id] = nil
        world.a.edit("n", "1")
        world.settle(seconds: 5)
        world.a.losesAnswers = false
        world.settle()
        #expect(world.texts("n") == ["1"])
        world.a.goOnline()
        world.finish()
    }

    @Test func pushesOutOfOrderAreTakenInOrder() {
        let world = TestWorld(["n": "0"])
        for text in ["1", "2", "3"] {
            world.a.edit("n", text)
            world.a.watch()
            #expect(world.a.exchange())
            world.a.deliver()
        }
        world.b.incoming.reverse()
        world.settle()
        #expect(world.b.read("n") == "3")
        world.finish()
    }

    @Test func contentThatIsDamagedOnItsWayIsFetched() {
        let world = TestWorld(["n": "0"])
        world.b.damages = true
        world.a.edit("n", "1")
        world.settle()
        #expect(world.b.read("n") == "1")
        world.finish()
    }

    // MARK: Large contents

    private let long = String(repeating: "0123456789", count: 30)

    /// Hazard 3: a small operation goes ahead of a large one.
    @Test func aSmallFileOvertakesALargeOne() {
        let world = TestWorld()
        world.a.holdsUploads = true
        world.a.write("large", long)
        world.settle(seconds: 1)
        world.a.write("small", "s")
        world.settle(seconds: 5)
        #expect(world.b.tree == ["small": "s"])
        world.a.finishUploads()
        world.settle()
        #expect(world.b.tree == ["large": long, "small": "s"])
        world.finish()
    }

    /// A large file is renamed while it uploads, and another file takes its old name.
    @Test func aNameThatALargeFileHasLeftIsNotTakenBeforeItHas() {
        let world = TestWorld()
        world.a.holdsUploads = true
        world.a.write("n", long)
        world.settle(seconds: 1)
        world.a.move("n", to: "renamed")
        world.settle(seconds: 1)
        world.a.write("n", "other")
        world.settle(seconds: 5)
        world.a.finishUploads()
        world.settle()
        #expect(world.conflicts == 0)
        #expect(world.b.tree == ["n": "other", "renamed": long])
        world.finish()
    }

    /// The same of a file that the account has.
    @Test func aNameThatALargeEditHasLeftIsNotTakenBeforeItHas() {
        let world = TestWorld(["n": "0"])
        world.a.holdsUploads = true
        world.a.edit("n", long)
        world.settle(seconds: 1)
        world.a.move("n", to: "renamed")
        world.settle(seconds: 1)
        world.a.write("n", "other")
        world.settle(seconds: 5)
        world.a.finishUploads()
        world.settle()
        #expect(world.conflicts == 0)
        #expect(world.b.tree == ["n": "other", "renamed": long])
        world.finish()
    }

    @Test func aNameThatALargeFileWasDeletedFromIsFree() {
        let world = TestWorld(["n": "0"])
        world.a.holdsUploads = true
        world.a.edit("n", long)
        world.settle(seconds: 1)
        world.a.remove("n")
        world.settle(seconds: 1)
        world.a.write("n", "other")
        world.settle(seconds: 5)
        world.a.finishUploads()
        world.settle()
        #expect(world.conflicts == 0)
        #expect(world.b.tree == ["n": "other"])
        world.finish()
    }

    /// A folder is deleted while a large file in it uploads.
    @Test func aDeletedFolderDoesNotComeBackWithALargeFile() {
        let world = TestWorld(["F/": "", "F/x": "1"])
        world.a.holdsUploads = true
        world.a.write("F/large", long)
        world.settle(seconds: 1)
        world.a.move("F", to: "F~")
        world.settle(seconds: 5)
        world.a.finishUploads()
        world.settle()
        #expect(world.a.tree == [:])
        #expect(world.b.tree == [:])
        world.finish()
    }

    @Test func aLargeFileIsSavedAgainWhileItUploads() {
        let world = TestWorld()
        world.a.holdsUploads = true
        world.a.write("n", long)
        world.settle(seconds: 1)
        world.a.edit("n", long + "!")
        world.settle(seconds: 1)
        world.a.finishUploads()
        world.settle()
        #expect(world.b.tree == ["n": long + "!"])
        #expect(world.cloud.history(of: world.b.item("n") ?? "none").count == 1)
        world.finish()
    }

    @Test func aContentThatCannotBeHadIsStuckAndComesLater() {
        let world = TestWorld()
        world.b.cannotFetch = true
        world.a.write("n", long)
        world.settle(seconds: 10)
        #expect(world.b.tree == [:])
        #expect(world.b.replica?.status().downloads == 1)
        world.b.cannotFetch = false
        world.settle()
        #expect(world.b.tree == ["n": long])
        world.finish()
    }

    // MARK: Images and clones

    /// Hazard 27: the device is set back to an image, with its disk, and goes on.
    @Test(arguments: [true, false]) func aDeviceFromAnImageLosesNothing(editsFirst: Bool) {
        let world = TestWorld(["n": "0"])
        let image = world.a.store.committed
        let disk = world.a.disk
        world.a.edit("n", "1")
        world.settle()
        world.a.write("m", "after the image")
        world.settle()
        world.a.crash()
        world.a.store = MemoryDeviceStore(image)
        world.a.disk = disk
        world.a.disk.watched = [:]
        if editsFirst { world.a.write("k", "from the image") }
        world.a.start()
        world.settle()
        if !editsFirst { world.a.write("k", "from the image") }
        world.settle()
        #expect(
            world.a.tree == ["n": "1", "m": "after the image", "k": "from the image"])
        #expect(world.b.tree == world.a.tree)
        #expect(world.conflicts == 0)
        world.finish()
    }

    /// Hazard 27: an operation of the image's future has the number that a new one is given.
    @Test func anEditFromAnImageIsNotTakenForTheOneThatHadItsNumber() {
        let world = TestWorld(["n": "0"])
        let image = world.a.store.committed
        let disk = world.a.disk
        world.a.edit("n", "1")
        world.settle()
        world.a.goOffline()
        world.a.crash()
        world.a.store = MemoryDeviceStore(image)
        world.a.disk = disk
        world.a.disk.watched = [:]
        world.a.write("k", "from the image")
        world.a.start()
        world.settle()
        // It is numbered and sent, and the log comes before the answer.
        world.a.isOnline = true
        world.cloud.listeners[world.a.id] = world.a
        world.a.report(.connection(isOpen: true))
        world.a.run()
        world.a.deliver()
        world.settle()
        #expect(world.b.tree == ["n": "1", "k": "from the image"])
        world.finish()
    }

    /// Hazard 27: two clones of one device.
    @Test func twoClonesBothSync() {
        let world = TestWorld(["n": "0"])
        world.a.goOffline()
        let image = world.a.store.committed
        world.a.write("x", "1")
        world.settle()
        world.a.goOnline()
        world.settle()
        world.a.goOffline()
        world.a.crash()
        let clone = MemoryDeviceStore(image)
        let original = world.a.store
        let originalDisk = world.a.disk
        world.a.store = clone
        world.a.disk.watched = [:]
        world.a.disk.remove(
            .init(
                folder: world.a.disk.inode(at: [TestDevice.container, TestDevice.documents]) ?? 0,
                name: TestDevice.name("x")))
        world.a.write("y", "2")
        world.a.start()
        world.a.goOnline()
        world.settle()
        #expect(world.b.tree == ["n": "0", "x": "1", "y": "2"])
        world.finish()
        world.a.goOffline()
        world.a.crash()
        world.a.store = original
        world.a.disk = originalDisk
        world.a.disk.watched = [:]
        world.a.write("z", "3")
        world.a.start()
        world.a.goOnline()
        world.settle()
        #expect(world.b.tree == ["n": "0", "x": "1", "y": "2", "z": "3"])
        world.finish()
    }
}
