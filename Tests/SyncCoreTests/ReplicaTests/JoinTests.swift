import SyncCore
import SyncStore
import Testing

/// A device joins, joins again, or loses its folders.
@Suite struct JoinTests {
    /// The device's state is gone, its files are there.
    private func forget(_ device: TestDevice) {
        device.crash()
        device.store = MemoryDeviceStore()
    }

    /// Hazard 29: equal bytes that are found after the first pull are adopted.
    @Test func equalBytesThatAreThereAreAdopted() {
        let world = TestWorld(["n": "0", "F/": "", "F/x": "1"])
        let length = world.cloud.length
        world.b.goOffline()
        forget(world.b)
        world.b.disk = TestDisk(clock: 1_800_000_000_000_000_000)
        // It has the log, and nothing on its disk yet; then its files are brought back.
        world.b.diesBefore = { action in
            if case .install(let job) = action, case .placeFile = job.task { return true }
            return false
        }
        world.b.start()
        world.b.goOnline()
        world.settle(seconds: 1)
        if world.b.tree["F/"] == nil { world.b.makeFolder("F") }
        for (path, text) in ["n": "0", "F/x": "1"] {
            world.b.write(path, text)
            if let time = world.a.disk.files[world.a.inode(path)]?.modified {
                world.b.disk.setModified(time, of: world.b.inode(path))
            }
        }
        world.b.start()
        world.settle()
        #expect(world.conflicts == 0)
        #expect(world.b.tree == ["n": "0", "F/": "", "F/x": "1"])
        world.finish()
        #expect(world.cloud.length == length)
    }

    /// Hazard 29: other bytes are a further head, and never move the first.
    @Test func joiningWithOtherBytesMakesAFurtherHead() {
        let world = TestWorld(["n": "0"])
        world.b.goOffline()
        forget(world.b)
        world.b.write("n", "older than the account")
        world.b.start()
        world.b.goOnline()
        world.settle()
        #expect(world.texts("n") == ["0", "older than the account"])
        world.finish()
    }

    /// Hazard 28: the same account joined again goes on from where it was.
    @Test func joiningAgainGoesOn() {
        let world = TestWorld(["n": "0", "m": "0"])
        world.a.goOffline()
        world.a.edit("n", "1")
        world.settle()
        world.b.remove("m")
        world.settle()
        world.a.restart()
        world.a.goOnline()
        world.settle()
        #expect(world.a.tree == ["n": "1"])
        #expect(world.conflicts == 0)
        world.finish()
    }

    // MARK: Roots

    private func root(_ device: TestDevice) -> TestDisk.Place {
        TestDisk.Place(folder: device.disk.containers, name: TestDevice.container)
    }

    private func documents(_ device: TestDevice) -> TestDisk.Place {
        guard let folder = device.disk.inode(at: [TestDevice.container]) else {
            preconditionFailure("no container")
        }
        return TestDisk.Place(folder: folder, name: TestDevice.documents)
    }

    private func expectUnavailable(_ world: TestWorld) {
        let length = world.cloud.length
        world.settle(seconds: 60)
        #expect(world.cloud.length == length, "nothing is deleted")
        #expect(world.b.tree == ["n": "0", "F/": "", "F/x": "1"])
        #expect(world.a.replica?.status().missingRoots.isEmpty == false)
        #expect(world.a.replica?.status().isInSync == false)
    }

    @Test func aContainerThatVanishedIsNoDeletion() {
        let world = TestWorld(["n": "0", "F/": "", "F/x": "1"])
        let aside = TestDisk.Place(
            folder: world.a.disk.staging, name: TestDevice.name("unmounted"))
        world.a.disk.move(root(world.a), to: aside)
        expectUnavailable(world)
        world.a.disk.move(aside, to: root(world.a))
        world.settle()
        #expect(world.a.tree == world.b.tree)
        world.finish()
    }

    @Test func documentsThatVanishedAreNoDeletion() {
        let world = TestWorld(["n": "0", "F/": "", "F/x": "1"])
        let aside = TestDisk.Place(
            folder: world.a.disk.staging, name: TestDevice.name("unmounted"))
        world.a.disk.move(documents(world.a), to: aside)
        expectUnavailable(world)
        world.a.disk.move(aside, to: documents(world.a))
        world.settle()
        #expect(world.a.tree == world.b.tree)
        world.finish()
    }

    @Test func aContainerThatIsGoneAtTheStartIsNoDeletion() {
        let world = TestWorld(["n": "0", "F/": "", "F/x": "1"])
        let aside = TestDisk.Place(
            folder: world.a.disk.staging, name: TestDevice.name("unmounted"))
        world.a.crash()
        world.a.disk.move(root(world.a), to: aside)
        world.a.start()
        expectUnavailable(world)
        world.a.crash()
        if world.a.disk.inode(at: root(world.a)) != nil { world.a.disk.remove(root(world.a)) }
        world.a.disk.move(aside, to: root(world.a))
        world.a.start()
        world.settle()
        #expect(world.a.tree == world.b.tree)
        world.finish()
    }

    /// An empty folder stands where the documents were: another disk, or none.
    @Test(arguments: [true, false]) func documentsThatWereReplacedAreNoDeletion(running: Bool) {
        let world = TestWorld(["n": "0", "F/": "", "F/x": "1"])
        let aside = TestDisk.Place(
            folder: world.a.disk.staging, name: TestDevice.name("unmounted"))
        if !running { world.a.crash() }
        world.a.disk.move(documents(world.a), to: aside)
        world.a.disk.create(.folder, at: documents(world.a))
        if !running { world.a.start() }
        expectUnavailable(world)
        world.a.crash()
        world.a.disk.remove(documents(world.a))
        world.a.disk.move(aside, to: documents(world.a))
        world.a.start()
        world.settle()
        #expect(world.a.tree == world.b.tree)
        world.finish()
    }

    /// The same folder, but a scan finds nothing in it.
    @Test func documentsThatAreEmptyAtTheStartAreNoDeletion() {
        let world = TestWorld(["n": "0", "F/": "", "F/x": "1"])
        let folder = documents(world.a)
        let inside = world.a.disk.inode(at: folder) ?? 0
        let names = ["n", "F"].map { TestDevice.name($0) }
        let aside = names.map { TestDisk.Place(folder: world.a.disk.staging, name: $0) }
        world.a.crash()
        for (name, place) in zip(names, aside) {
            world.a.disk.move(.init(folder: inside, name: name), to: place)
        }
        world.a.start()
        expectUnavailable(world)
        world.a.crash()
        for (name, place) in zip(names, aside) {
            world.a.disk.move(place, to: .init(folder: inside, name: name))
        }
        world.a.start()
        world.settle()
        #expect(world.a.tree == world.b.tree)
        world.finish()
    }

    /// Somebody works there while the container is away on this device.
    @Test func workThatIsDoneWhileAContainerIsAwayArrives() {
        let world = TestWorld(["n": "0", "F/": "", "F/x": "1"])
        let aside = TestDisk.Place(
            folder: world.a.disk.staging, name: TestDevice.name("unmounted"))
        world.a.disk.move(root(world.a), to: aside)
        world.settle(seconds: 10)
        world.b.edit("n", "1")
        world.b.remove("F")
        world.b.write("new", "new")
        world.settle(seconds: 30)
        world.a.disk.move(aside, to: root(world.a))
        world.settle()
        #expect(world.a.tree == ["n": "1", "new": "new"])
        world.finish()
    }

    /// Files change while their container is away: another machine had the disk.
    @Test func whatChangesInAContainerThatIsAwayIsFound() {
        let world = TestWorld(["n": "0", "F/": "", "F/x": "1"])
        let inode = world.a.inode("n")
        let aside = TestDisk.Place(
            folder: world.a.disk.staging, name: TestDevice.name("unmounted"))
        world.a.disk.move(root(world.a), to: aside)
        world.settle(seconds: 10)
        world.a.disk.write(Array("1".utf8), to: inode)
        world.settle(seconds: 10)
        world.a.disk.move(aside, to: root(world.a))
        world.settle()
        #expect(world.b.tree == ["n": "1", "F/": "", "F/x": "1"])
        world.finish()
    }
}
