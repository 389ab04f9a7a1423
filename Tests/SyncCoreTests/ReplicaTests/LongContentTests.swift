import SyncCore
import SyncStore
import Testing

/// Long contents on their way, both ways.
@Suite struct LongContentTests {
    private let text = String(repeating: "0123456789", count: 50)

    /// The operation on an item that waits to be sent.
    private func entry(of path: String, on device: TestDevice) throws -> UInt64 {
        let replica = try #require(device.replica)
        let item = try #require(device.item(path))
        return try #require((0...100).last { replica.item(ofEntry: $0) == item })
    }

    // MARK: Lost on this device

    /// One of two folders is put aside for a moment, so that they can swap their names.
    @Test func whatIsPutAsideIsNotGivenUp() throws {
        let world = TestWorld(["one/": "", "two/": "", "one/big": text, "two/big": text + "2"])
        world.a.holdsUploads = true
        var entries: [ItemID: UInt64] = [:]
        for path in ["one/big", "two/big"] {
            world.a.edit(path, "new" + path + text)
            world.settle(seconds: 5)
            entries[try #require(world.a.item(path))] = try entry(of: path, on: world.a)
        }
        var aside = 0
        func look() {
            for (item, entry) in entries where world.a.replica?.cutFile(of: item) == nil {
                aside += 1
                world.a.report(.contentLost(entry: entry))
            }
            world.a.beforeInstall = look
        }
        world.a.beforeInstall = look
        world.b.swap("one", "two")
        world.settle(seconds: 5)
        world.a.beforeInstall = nil
        world.a.finishUploads()
        world.settle()
        #expect(aside > 0)
        #expect(world.b.read("two/big") == "newone/big" + text)
        #expect(world.b.read("one/big") == "newtwo/big" + text)
        world.finish()
    }

    // MARK: A restored server

    /// Nobody but this device has the version, and this device has it outside of the tree only.
    @Test(arguments: [false, true])
    func whatWasBroughtIsOffered(afterRestart: Bool) {
        let world = TestWorld(["big": text])
        let image = world.cloud.store.committed
        let chunks = world.cloud.chunks
        world.b.busy = [world.b.inode("big")]
        world.a.edit("big", "new" + text)
        world.settle(seconds: 5)
        for device in world.devices { device.goOffline() }
        #expect(world.b.read("big") == text)
        #expect(world.b.fetched.count == 1)
        world.cloud.store = MemoryAccountStore(image)
        world.cloud.chunks = chunks
        if afterRestart {
            let fetched = world.b.fetched
            world.b.crash()
            world.b.fetched = fetched
            world.b.start()
            #expect(world.b.replica?.versionsElsewhere == Set(fetched.keys))
        }
        world.b.goOnline()
        world.settle(seconds: 60)
        #expect(world.texts("big") == ["new" + text])
        world.b.busy = []
        world.a.goOnline()
        world.settle()
        #expect(world.b.read("big") == "new" + text)
        world.finish()
    }

    // MARK: Not wanted any more

    @Test func whatIsReplacedWhileItComesIsNotGoneOnWith() throws {
        let world = TestWorld(["big": text])
        world.b.holdsFetches = true
        world.b.released = []
        world.a.edit("big", "new" + text)
        world.settle(seconds: 5)
        let first = try #require(world.b.heldFetches.last)
        let item = try #require(world.b.item("big"))
        #expect(world.b.replica?.awaitsContent(item) == true)
        #expect(world.b.released.isEmpty)
        world.a.edit("big", "newer" + text)
        world.settle(seconds: 5)
        #expect(world.b.released == [first.version])
        #expect(world.b.heldFetches.count == 2)
        #expect(world.b.replica?.awaitsContent(item) == true)
        world.b.finishFetches()
        world.settle()
        #expect(world.b.read("big") == "newer" + text)
        #expect(world.b.fetched.isEmpty)
        #expect(world.b.replica?.awaitsContent(item) == false)
        world.finish()
    }

    @Test func whatIsDeletedWhileItComesIsNotGoneOnWith() throws {
        let world = TestWorld(["n": "x"])
        world.b.holdsFetches = true
        world.a.write("big", text)
        world.settle(seconds: 5)
        let request = try #require(world.b.heldFetches.last)
        world.a.remove("big")
        world.settle(seconds: 5)
        #expect(world.b.released == [request.version])
        #expect(world.b.replica?.awaitsContent(request.item) == false)
        // An answer that comes all the same changes nothing, nor does one that says why not.
        world.b.report(.fetched(request.item, request.version, .failed(.noSpace)))
        world.b.finishFetches()
        world.settle()
        #expect(world.b.fetched.isEmpty)
        #expect(world.b.tree == ["n": "x"])
        world.finish()
    }
}
