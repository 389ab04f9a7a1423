import SyncCore
import SyncStore
import Testing

/// What has to be brought again, waited for, or said.
@Suite struct DeliveryTests {
    private let long = String(repeating: "0123456789", count: 30)

    /// It was answered and not heard of in the log; then the server is put back to before it.
    @Test func aServerThatForgotWhatItAnsweredIsToldAgain() {
        let world = TestWorld(["n": "0"])
        let image = world.cloud.store.committed
        world.cloud.listeners[world.a.id] = nil
        world.a.edit("n", "1")
        world.a.watch()
        #expect(world.a.exchange())
        world.a.deliver()
        #expect(world.a.replica?.status().outbox == 1, "answered, and not in the log yet")
        world.b.goOffline()
        world.cloud.store = MemoryAccountStore(image)
        world.a.goOffline()
        for device in world.devices { device.goOnline() }
        world.settle()
        #expect(world.texts("n") == ["1"])
        world.finish()
    }

    /// They are marked for collection between their arrival and the operation.
    @Test func chunksThatTheServerLacksAreBroughtAgain() throws {
        let world = TestWorld()
        world.a.write("n", long)
        world.a.watch()
        let chunks = world.cloud.chunks.keys
        #expect(!chunks.isEmpty)
        try world.cloud.store.begin()
        try world.cloud.store.apply(chunks.map { .chunkMarked($0) })
        try world.cloud.store.commit()
        world.a.deliver()
        #expect(world.a.exchange())
        #expect(world.state("n") == nil, "refused")
        world.settle()
        #expect(world.b.read("n") == long)
        world.finish()
    }

    /// The chunks that were read are not on the device any more: the file is read again.
    @Test func contentThatIsGoneIsReadAgain() throws {
        let world = TestWorld()
        world.a.holdsUploads = true
        world.a.write("n", long)
        world.settle(seconds: 1)
        let upload = try #require(world.a.heldUploads.first)
        world.a.heldUploads = []
        world.a.holdsUploads = false
        world.a.report(.contentLost(entry: upload.entry))
        world.a.run()
        world.settle()
        #expect(world.b.read("n") == long)
        world.finish()
    }

    /// Nor is the file: nobody can send it, and nothing waits for it.
    @Test func contentThatIsGoneWithItsFileIsGivenUp() throws {
        let world = TestWorld(["n": "0"])
        world.a.holdsUploads = true
        world.a.edit("n", long)
        world.settle(seconds: 1)
        let upload = try #require(world.a.heldUploads.first)
        world.a.heldUploads = []
        world.a.edit("n", "short")
        world.a.watch()
        world.a.report(.contentLost(entry: upload.entry))
        world.a.run()
        world.settle()
        #expect(world.texts("n") == ["short"])
        world.finish()
    }

    @Test func aLogThatComesInPartsIsAskedForToItsEnd() {
        let world = TestWorld()
        world.b.goOffline()
        for number in 0..<20 { world.a.write("\(number)", "text \(number)") }
        world.settle()
        world.cloud.logLimit = 1
        world.b.goOnline()
        world.settle()
        #expect(world.b.tree == world.a.tree && world.b.tree.count == 20)
        world.finish()
    }

    @Test func whatIsThereBeforeTheFirstPullIsNotSentBeforeIt() {
        let world = TestWorld(["n": "0"])
        let length = world.cloud.length
        world.b.goOffline()
        let time = world.b.disk.files[world.b.inode("n")]?.modified
        world.b.crash()
        world.b.store = MemoryDeviceStore()
        world.b.start()
        world.b.write("other", "o")
        world.settle()
        #expect(world.b.store.committed.replica.outbox.count <= 2, "its folders at most")
        if let time { world.b.disk.setModified(time, of: world.b.inode("n")) }
        world.b.goOnline()
        world.settle()
        #expect(world.texts("n") == ["0"] && world.texts("other") == ["o"])
        #expect(world.cloud.length == length + 1)
        world.finish()
    }

    /// Who read what while the program was not running is not known, and counts as read.
    @Test(arguments: [true, false]) func whatWasThereBeforeAStartCountsAsRead(restarts: Bool) {
        let world = TestWorld(["n": "0"])
        world.b.edit("n", "newer")
        world.settle()
        if restarts {
            world.a.restart()
            world.settle()
        }
        world.a.write("n", "unread")
        world.settle()
        #expect(world.conflicts == (restarts ? 0 : 1))
    }

    /// What was fetched is not in the device's own folder any more when it is to be installed.
    @Test func contentThatWasTidiedAwayIsFetchedAgain() {
        let world = TestWorld(["n": "0"])
        world.b.beforeInstall = { world.b.fetched = [:] }
        world.a.edit("n", long)
        world.settle()
        #expect(world.b.read("n") == long)
        world.finish()
    }

    @Test func aDownloadThatHasNoRoomIsSaidAndTriedAgain() throws {
        let world = TestWorld(["n": "0"])
        world.b.cannotFetch = true
        world.a.edit("n", long)
        world.settle(seconds: 1)
        let item = try #require(world.b.item("n"))
        let version = try #require(world.state("n")?.heads.first?.version)
        world.b.report(.fetched(item, version, .failed(.noSpace)))
        world.b.run()
        #expect(world.b.replica?.view(of: item)?.problem == .disk(.noSpace))
        #expect(world.b.replica?.view(of: item)?.nextAttempt != nil)
        world.b.cannotFetch = false
        world.settle()
        #expect(world.b.read("n") == long)
        world.finish()
    }

    // MARK: What the server does not take

    /// The server answers one operation of this item like that.
    private func answer(_ refusal: Refusal, _ world: TestWorld) {
        world.a.edit("n", "1")
        world.a.watch()
        #expect(world.a.request?.1.count == 1)
        world.a.request = nil
        world.a.report(.answered(.outcomes([.refused(refusal)])))
        world.a.run()
    }

    @Test func whatRestsOnSomethingElseIsOfferedAgain() throws {
        let world = TestWorld(["n": "0"])
        answer(.restsOnRefused, world)
        let item = try #require(world.a.item("n"))
        #expect(world.a.replica?.view(of: item)?.problem == .refused(.restsOnRefused))
        #expect(world.a.request == nil, "not at once")
        #expect(world.a.replica?.status().outbox == 1)
    }

    /// Only another program at either end mends it: what somebody has typed is not given up.
    @Test(arguments: [Refusal.malformed, .wrongKind])
    func whatTheServerCannotTakeIsKeptAndSaid(refusal: Refusal) throws {
        let world = TestWorld(["n": "0"])
        answer(refusal, world)
        let item = try #require(world.a.item("n"))
        #expect(world.a.replica?.view(of: item)?.problem == .refused(refusal))
        #expect(world.a.replica?.status().outbox == 1)
        #expect(world.a.read("n") == "1", "it stays on this disk")
        #expect(world.a.request == nil, "it is not offered again at once")
        world.settle(seconds: 30)
        #expect(world.texts("n") == ["0"] && world.a.read("n") == "1")
        world.settle()
        #expect(world.texts("n") == ["1"])
        #expect(world.a.replica?.view(of: item)?.problem == nil)
        world.finish()
    }

    /// What brings nothing of anybody's is dropped, and the account's state holds.
    @Test func aMoveThatTheServerCannotTakeIsUndone() throws {
        let world = TestWorld(["n": "0"])
        world.a.move("n", to: "m")
        world.settle(seconds: 0)
        world.pass(milliseconds: 30)
        world.a.wake()
        #expect(world.a.request?.1.count == 1)
        world.a.request = nil
        world.a.report(.answered(.outcomes([.refused(.malformed)])))
        world.a.run()
        world.settle()
        #expect(world.a.replica?.status().outbox == 0)
        #expect(world.a.tree == world.b.tree)
    }

    // MARK: In sync

    @Test func inSyncIsNotSaidOfWhatWasJustSeen() {
        let world = TestWorld(["n": "0"])
        func isInSync() -> Bool { world.a.replica?.status().isInSync == true }
        #expect(isInSync())
        world.a.edit("n", "1")
        world.a.watch()
        #expect(!isInSync(), "it is to be sent")
        #expect(world.a.exchange())
        world.a.incoming.removeAll { if case .entries = $0 { true } else { false } }
        world.a.deliver()
        #expect(!isInSync(), "the log has not told of it")
        world.a.goOffline()
        #expect(!isInSync())
        world.a.goOnline()
        world.settle()
        #expect(isInSync())
    }

    @Test func whatTheyOweIsNoSync() {
        let world = TestWorld(["n": "0"])
        world.b.busy = [world.b.inode("n")]
        world.a.edit("n", "1")
        world.settle(seconds: 5)
        #expect(world.a.replica?.status().isInSync == true)
        #expect(world.b.replica?.status().isInSync == false)
        #expect(world.b.replica?.status().downloads == 1)
        world.b.busy = []
        world.settle()
        world.finish()
    }

    // MARK: What cannot be read

    private func create(
        _ name: [UInt8], facts: [UInt8], in world: TestWorld, _ id: UInt64,
        below folder: ItemID? = nil
    ) {
        let placement = Placement(
            id: PlaceID(high: 9, low: id), replaces: nil,
            folder: folder ?? world.state("")?.id ?? .top,
            tag: testVault.tag(name), name: name)
        let version = Version(
            id: VersionID(high: 9, low: id), parents: [], nature: .edit, facts: facts,
            content: .inline([1]))
        _ = world.cloud.decide(
            [
                Operation(
                    number: id, age: 0,
                    body: .create(
                        item: ItemID(high: 9, low: id), kind: .file, placement: placement,
                        version: version))
            ], of: Incarnation(9), by: DeviceID(label: "c"))
    }

    /// Another program's facts, or a name that Linux does not have, keep nothing else.
    @Test func whatCannotBeReadHereIsSaid() {
        let world = TestWorld()
        let facts = VersionFacts(
            digest: testVault.hash([1]), size: 1, mode: 0o600,
            modified: FileTime(seconds: 5, nanoseconds: 0))
        create(Array("later".utf8), facts: [2, 3], in: world, 1)
        create(Array("a/b".utf8), facts: facts.bytes, in: world, 2)
        create(Array("c".utf8), facts: facts.bytes, in: world, 3)
        world.settle(seconds: 60)
        #expect(world.a.tree.keys.sorted() == ["c"])
        let status = world.a.replica?.status()
        #expect(status?.isInSync == false)
        let problem = world.a.replica?.view(of: ItemID(high: 9, low: 1))?.problem
        #expect(problem == .unreadable)
        #expect(status?.stuck.contains { $0.problem == .unreadable } == true)
    }

    /// A file whose folder the account has never had is placed where people look.
    @Test func whatHasNoFolderIsPlacedInDocuments() {
        let world = TestWorld(["m": "0"])
        let facts = VersionFacts(
            digest: testVault.hash([1]), size: 1, mode: 0o600,
            modified: FileTime(seconds: 5, nanoseconds: 0))
        create(
            Array("stray".utf8), facts: facts.bytes, in: world, 1, below: ItemID(high: 1, low: 1))
        create(Array("a/b".utf8), facts: facts.bytes, in: world, 2, below: ItemID(high: 1, low: 1))
        #expect(world.cloud.items[ItemID(high: 9, low: 1)]?.standing == .unplaced)
        world.settle(seconds: 120)
        #expect(world.a.tree.keys.sorted() == ["m", "stray"])
        #expect(world.b.tree == world.a.tree)
        let unreadable = world.a.replica?.status().unsettled.first?.problem
        #expect(unreadable == nil || unreadable == .unreadable)
    }
}
