import SyncCore
import SyncStore
import Testing

/// What a replica tells of itself, for a shell and for `status`, `ls` and `why`.
@Suite struct InspectionTests {
    private let long = String(repeating: "0123456789", count: 30)

    @Test func aFoldersItemsComeByNameThoseThatAreOwedToo() throws {
        let world = TestWorld(["F/": "", "F/b": "b", "F/a": "a"])
        let folder = try #require(world.a.item("F"))
        world.a.cannotFetch = true
        world.b.write("F/aa", long)
        world.settle(seconds: 5)
        let names = world.a.replica?.children(of: folder).compactMap {
            world.a.replica?.view(of: $0)?.path.names.last?.text
        }
        #expect(names == ["a", "aa", "b"])
        #expect(world.a.tree["F/aa"] == nil)
        let owed = LocalPath(names: world.a.names("F/aa"))
        let item = try #require(world.a.replica?.item(at: owed))
        #expect(world.a.replica?.view(of: item)?.path == owed)
        let heads = world.state("F/aa")?.heads.map(\.version) ?? []
        #expect(world.a.replica?.versionsElsewhere == Set(heads))
        world.a.cannotFetch = false
        world.settle()
        #expect(world.a.replica?.versionsElsewhere.isEmpty == true)
        world.finish()
    }

    @Test func whatIsOnItsWayCanBeAskedFor() throws {
        let world = TestWorld(["n": "0"])
        world.a.goOffline()
        world.a.edit("n", "1")
        world.a.write("long", long)
        world.settle(seconds: 5)
        let replica = try #require(world.a.replica)
        let item = try #require(world.a.item("n"))
        let version = try #require(replica.shown(of: item)?.version)
        #expect(replica.unsentContent(of: version) == .inline(Array("1".utf8)))
        let known = try #require(replica.description(of: version, of: item))
        #expect(known.facts.size == 1 && known.author == world.a.id)
        let file = try #require(world.a.item("long"))
        #expect(replica.unsentChunks == Set(world.a.chunks.keys))
        #expect(world.a.store.committed.replica.nodes[file]?.shownChunks.count == 5)
        let entry = try #require(
            world.a.store.committed.replica.outbox.first { $0.value.body.item == file }?.key)
        #expect(replica.item(ofEntry: entry) == file && replica.isOnDisk(entry: entry))
        #expect(!replica.isInPlace(file))
        world.a.goOnline()
        world.settle()
        #expect(world.a.replica?.isInPlace(file) == true)
        #expect(world.a.replica?.unsentChunks.isEmpty == true)
    }

    @Test func anItemsHomeIsWhereItsFileBelongs() throws {
        let world = TestWorld(["F/": "", "F/n": "0"])
        let replica = try #require(world.a.replica)
        let (folder, item) = (try #require(world.a.item("F")), try #require(world.a.item("F/n")))
        #expect(replica.home(of: item) == LocalPath(names: world.a.names("F/n")))
        #expect(replica.identity(of: folder) == replica.shown(of: folder)?.stamp.identity)
        #expect(replica.identity(of: .top) == nil)
        #expect(replica.slot(of: item) == Slot(folder: folder, name: TestDevice.name("n")))
    }

    @Test func whereAnItemOfTheTrashWasIsKnown() throws {
        let world = TestWorld(["F/": "", "F/G/": "", "F/G/n": "0"])
        let states = ["F", "F/G", "F/G/n"].compactMap { world.state($0) }
        for path in ["F/G/n", "F/G", "F"] { world.a.remove(path) }
        world.settle()
        let trashed = Dictionary(
            uniqueKeysWithValues: states.compactMap { state in
                world.cloud.items[state.id].map { ($0.id, $0) }
            })
        #expect(trashed.values.allSatisfy { $0.standing == .trashed })
        for (path, state) in zip(["F", "F/G", "F/G/n"], states) {
            #expect(
                world.b.replica?.path(of: trashed[state.id] ?? state, among: trashed)
                    == LocalPath(names: world.b.names(path)))
        }
    }

    /// The home was copied to another file system: its files have the same inodes there.
    @Test func anImageFollowsItsFilesToAnotherDevice() throws {
        let world = TestWorld(["n": "0"])
        let image = world.a.store.committed.replica
        let item = try #require(world.a.item("n"))
        let stamp = try #require(image.nodes[item]?.base?.stamp)
        let moved = image.renumbered(from: stamp.identity.device, to: 99)
        let after = try #require(moved.nodes[item]?.base?.stamp)
        #expect(after.identity.device == 99)
        #expect(after.identity.inode == stamp.identity.inode && after.size == stamp.size)
        #expect(moved.renumbered(from: 99, to: stamp.identity.device) == image)
        #expect(image.renumbered(from: 1_234, to: 99) == image)
    }

    /// A program that names what it has read has read it, whatever the disk tells.
    @Test func aProgramThatHasReadAVersionSaysSo() throws {
        let world = TestWorld(["n": "0"])
        world.b.edit("n", "1")
        world.settle()
        let item = try #require(world.a.item("n"))
        let version = try #require(world.state("n")?.heads.first?.version)
        #expect(world.a.replica?.isKnownHere(version, of: item) == false)
        world.a.tell(.noteRead(item, VersionID(high: 1, low: 1)))
        #expect(world.a.replica?.isKnownHere(version, of: item) == false)
        world.a.tell(.noteRead(item, version))
        #expect(world.a.replica?.isKnownHere(version, of: item) == true)
        world.a.write("n", "2")
        world.settle()
        #expect(world.texts("n") == ["2"])
        world.finish()
    }
}
