import SyncCore
import SyncStore
import Testing

/// Ids and tags that every implementation arrives at, worked out here as the protocol says it.
@Suite struct SharedIDTests {
    private let key = Array("test".utf8)

    private func bigEndian(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    private func counted(_ bytes: [UInt8]) -> [UInt8] { bigEndian(UInt64(bytes.count)) + bytes }

    private func shared(_ subject: String, _ bytes: [UInt8]) -> [UInt8] {
        let hashed = SHA256.hash(counted(key) + counted(Array(subject.utf8)) + bytes)
        return Array(hashed.bytes.prefix(16))
    }

    private func tag(_ name: [UInt8]) -> [UInt8] {
        let tags = KeyedHash(key: key).hash(Array("ubiquity name tag".utf8))
        return Array(KeyedHash(key: tags.bytes).hash(name).bytes.prefix(16))
    }

    @Test func containersHaveTheSameIdEverywhere() throws {
        let world = TestWorld()
        let container = try #require(world.cloud.paths[[TestDevice.container]])
        let documents = try #require(world.state(""))
        #expect(container.id.bytes == shared("container", TestDevice.container.bytes))
        #expect(container.placement.folder.bytes == [UInt8](repeating: 0, count: 16))
        #expect(container.placement.tag.bytes == tag(TestDevice.container.bytes))
        #expect(documents.id.bytes == shared("documents", container.id.bytes))
    }

    @Test func registersHaveTheSameTagsEverywhere() throws {
        let world = TestWorld()
        let (store, name) = (Array("a store".utf8), Array("a key".utf8))
        world.a.tell(.setValue(store: store, key: name, value: [1]))
        world.settle()
        let (key, state) = try #require(world.cloud.store.committed.registers.first)
        #expect(key.store.bytes == tag(counted(store)))
        #expect(key.key.bytes == tag(counted(store) + name))
        #expect(state.name == counted(store) + name)
    }

    @Test func aMergeHasTheIdThatFollowsFromIt() throws {
        let world = TestWorld(["n": "1\n2\n3\n4\n5\n"])
        world.goOffline()
        world.a.edit("n", "a\n2\n3\n4\n5\n")
        world.b.edit("n", "1\n2\n3\n4\nb\n")
        for device in world.devices {
            device.goOnline()
            world.settle()
        }
        let item = try #require(world.a.item("n"))
        let merge = try #require(world.cloud.history(of: item).last)
        #expect(merge.nature == .settlement && merge.parents.count == 2)
        let parents = merge.parents.flatMap(\.bytes)
        #expect(
            merge.id.bytes
                == shared("version", item.bytes + bigEndian(2) + parents + [2] + merge.facts))
        #expect(world.texts("n") == ["a\n2\n3\n4\nb\n"])
    }

    @Test func aCopyOfAHeadHasTheIdThatFollowsFromIt() throws {
        let world = TestWorld(["n": "0"])
        world.goOffline()
        world.a.edit("n", "a")
        world.b.edit("n", "b")
        for device in world.devices {
            device.goOnline()
            world.settle()
        }
        let state = try #require(world.state("n"))
        let heads = state.heads.map(\.version)
        let contents = heads.map {
            HeadContent(version: $0, content: world.cloud.version($0)?.content ?? .none)
        }
        world.a.tell(.resolve(state.id, keep: contents[0], aside: [contents[1]], seen: heads))
        world.settle()
        let copy = try #require(world.state("n 2"))
        #expect(copy.id.bytes == shared("aside", state.id.bytes + heads[1].bytes))
        world.finish()
    }
}
