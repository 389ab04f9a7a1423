import SyncCore
import SyncStore
import Testing

/// Files on demand: a placeholder stands for a content that somebody did not want here.
@Suite struct DemandTests {
    private let hidden = ".n.icloud"

    private func evicted(_ files: [String: String] = ["n": "0"]) -> TestWorld {
        let world = TestWorld(files)
        world.a.evict("n")
        world.settle()
        #expect(world.a.isPlaceholder("n"))
        return world
    }

    @Test func aPlaceholderStandsAndTheContentComesBack() {
        let world = evicted(["n": "0", "m": "1"])
        #expect(world.a.tree.keys.sorted() == [hidden, "m"])
        #expect(world.a.read(hidden)?.contains("ubiquity download 'n'") == true)
        #expect(world.a.view("n")?.progress == .placeholder)
        #expect(world.a.replica?.status().isInSync == true)
        #expect(world.b.tree == ["n": "0", "m": "1"])
        world.a.restart()
        world.settle()
        #expect(world.a.isPlaceholder("n"))
        world.a.download("n")
        world.settle()
        world.finish()
        #expect(world.a.tree == ["n": "0", "m": "1"])
    }

    @Test func whatOthersDoReachesThePlaceholder() {
        let world = evicted()
        world.b.edit("n", "0 and more")
        world.settle()
        #expect(world.a.read(hidden)?.contains("size: 10 bytes") == true)
        world.b.move("n", to: "m")
        world.settle()
        #expect(world.a.tree.keys.sorted() == [".m.icloud"])
        #expect(world.a.read(".m.icloud")?.contains("'m'") == true)
        world.b.remove("m")
        world.settle()
        world.finish()
        #expect(world.a.tree.isEmpty)
    }

    @Test func movingOrRemovingItMovesOrRemovesTheItem() {
        let world = evicted(["n": "0", "m": "1", "o": "2"])
        world.a.move(hidden, to: ".p.icloud")
        world.settle()
        #expect(world.b.tree == ["p": "0", "m": "1", "o": "2"])
        world.a.move(".p.icloud", to: "plain")
        world.settle()
        #expect(world.b.tree == ["plain": "0", "m": "1", "o": "2"])
        #expect(world.a.isPlaceholder("plain"))
        // Over another file: that one goes, and its name is the item's.
        world.a.remove("m")
        world.a.move(".plain.icloud", to: "m")
        world.settle()
        #expect(world.b.tree == ["m": "0", "o": "2"])
        world.a.remove(".m.icloud")
        world.settle()
        world.finish()
        #expect(world.b.tree == ["o": "2"])
        #expect(world.trash.count == 2)
    }

    @Test func whatIsWrittenToItIsAFileOfItsOwn() {
        for isRenamedOver in [false, true] {
            let world = evicted()
            if isRenamedOver {
                world.a.saveByRename(hidden, "typed", through: "new")
            } else {
                world.a.write(hidden, "typed")
            }
            world.settle()
            world.finish()
            #expect(world.a.tree == [hidden: "typed", "n": "0"])
            #expect(world.b.tree == world.a.tree)
        }
    }

    @Test func aFileSavedBesideItIsAFurtherHead() {
        let world = evicted()
        world.a.write("n", "typed")
        world.settle()
        world.finish()
        #expect(Set(world.texts("n")) == ["0", "typed"])
        #expect(world.a.tree.keys.sorted() == ["n"])
    }

    @Test func aConflictIsDownloaded() {
        let world = TestWorld(["n": "0"], on: ["a", "b", "c"])
        world.devices[2].open("n")
        world.b.open("n")
        world.a.evict("n")
        world.settle()
        world.b.goOffline()
        world.devices[2].edit("n", "third")
        world.settle()
        world.b.write("n", "second")
        world.settle()
        world.b.goOnline()
        world.settle()
        #expect(world.conflicts == 1)
        world.finish()
    }

    @Test func whatMustNotBeEvictedIsNot() throws {
        let world = TestWorld(["n": "0", "m": "1", ".m.icloud": "a user's"])
        let a = world.a
        func objection(_ path: String) throws -> EvictionObjection? {
            try #require(a.replica).objectionToEviction(of: #require(a.item(path)))
        }
        #expect(try objection("n") == nil)
        #expect(try objection("m") == .nameTaken)
        a.makeFolder("F")
        a.write(String(repeating: "x", count: 249), "long")
        a.write("#lock", "its placeholder's name would be ignored")
        a.makeHardLink("n2", to: "n")
        world.settle()
        #expect(try objection("F") == .kind(.folder))
        #expect(try objection(String(repeating: "x", count: 249)) == .nameNotPossible)
        #expect(try objection("#lock") == .nameNotPossible)
        #expect(try objection("n2") == .hasSeveralNames)
        a.pin("F")
        a.write("F/p", "2")
        world.settle()
        #expect(try objection("F/p") == .pinned)
        a.goOffline()
        a.edit("n", "unsent")
        a.run()
        world.settle()
        #expect(try objection("n") == .unsynced)
        a.evict("n")
        world.settle()
        #expect(a.read("n") == "unsent")
        a.goOnline()
        world.settle()
        world.finish()
    }

    @Test func aUsersFileOfItsNameEndsIt() {
        let world = evicted()
        world.b.write(hidden, "a user's")
        world.settle()
        world.finish()
        #expect(world.a.tree == [hidden: "a user's", "n": "0"])
    }

    // MARK: A server that was restored

    private func restore(_ image: AccountImage, in world: TestWorld) {
        for device in world.devices { device.goOffline() }
        world.cloud.store = MemoryAccountStore(image)
        for device in world.devices { device.goOnline() }
        world.settle()
    }

    @Test func whoeverHasTheContentOffersIt() {
        let world = TestWorld(["n": "0"])
        let image = world.cloud.store.committed
        world.b.edit("n", "1")
        world.settle()
        world.a.evict("n")
        world.settle()
        restore(image, in: world)
        #expect(world.texts("n") == ["1"])
        #expect(world.a.isPlaceholder("n"))
        world.a.download("n")
        world.settle()
        world.finish()
    }

    @Test func whatNobodyHasIsSaidToBeLost() {
        let world = TestWorld(["n": "0"])
        let image = world.cloud.store.committed
        world.b.edit("n", "1")
        world.b.write("new", "2")
        world.settle()
        for device in world.devices {
            device.evict("n")
            device.evict("new")
        }
        world.settle()
        restore(image, in: world)
        for device in world.devices {
            #expect(device.view("n")?.problem == .lostByServer)
            #expect(device.replica?.status().stuck.count == 2)
            #expect(device.replica?.status().isInSync == false)
            #expect(device.isPlaceholder("n"))
        }
        world.a.restart()
        world.settle()
        #expect(world.a.view("n")?.problem == .lostByServer)
        // The older version is taken on request; what the account never had ends with its removal.
        for device in world.devices {
            device.download("n")
            device.remove(".new.icloud")
        }
        world.settle()
        world.finish()
        #expect(world.a.tree == ["n": "0"])
    }
}

extension TestDevice {
    fileprivate func view(_ path: String) -> ItemView? {
        item(path).flatMap { replica?.view(of: $0) }
    }

    fileprivate func isPlaceholder(_ path: String) -> Bool {
        item(path).map { replica?.isPlaceholder($0) == true } ?? false
    }

    fileprivate func evict(_ path: String) {
        if let item = item(path) { tell(.setResidence(item, .evicted)) }
    }

    fileprivate func download(_ path: String) {
        if let item = item(path) { tell(.setResidence(item, .ordinary)) }
    }

    fileprivate func pin(_ path: String) {
        if let item = item(path) { tell(.setResidence(item, .pinned)) }
    }
}
