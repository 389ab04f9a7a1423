import SyncCore
import Testing

/// Where a replica says that chunks are: at the server, and in the files of its disk.
@Suite struct ChunkPlaceTests {
    private let text = String(repeating: "0123456789", count: 50)

    private func chunks(of text: String) -> [ChunkID] {
        let bytes = Array(text.utf8)
        return stride(from: 0, to: bytes.count, by: 60).map {
            testVault.hash(Array(bytes[$0..<min($0 + 60, bytes.count)]))
        }
    }

    @Test func theFileOfAVersionIsCutLikeIt() throws {
        let world = TestWorld(["big": text, "small": "x"])
        for device in [world.a, world.b] {
            let replica = try #require(device.replica)
            let item = try #require(device.item("big"))
            let cut = try #require(replica.cutFile(of: item))
            #expect(cut.path.names.last?.text == "big")
            #expect(cut.chunks.map(\.id) == chunks(of: text))
            #expect(replica.chunksAtServer(of: item) == Set(chunks(of: text)))
            #expect(replica.versionsElsewhere.isEmpty)
            let small = try #require(device.item("small"))
            #expect(replica.cutFile(of: small) == nil)
        }
    }

    @Test func whatWasNotSentIsNotAtTheServer() throws {
        let world = TestWorld(["big": text])
        world.goOffline()
        world.a.edit("big", "new" + text)
        world.settle(seconds: 5)
        let replica = try #require(world.a.replica)
        let item = try #require(world.a.item("big"))
        #expect(replica.cutFile(of: item)?.chunks.map(\.id) == chunks(of: "new" + text))
        #expect(replica.chunksAtServer(of: item) == Set(chunks(of: text)))
        let other = try #require(world.b.item("big"))
        #expect(world.b.replica?.chunksAtServer(of: other) == Set(chunks(of: text)))
    }

    @Test func aFileThatIsWrittenAnewBesideMayHaveTheSame() throws {
        let world = TestWorld(["big": text])
        let replica = try #require(world.a.replica)
        let item = try #require(world.a.item("big"))
        let folder = try #require(replica.slot(of: item)).folder
        let name = try #require(Name(Array(".big.tmp".utf8)))
        let slot = Slot(folder: folder, name: name)
        #expect(replica.chunksAtServer(beside: slot, size: 510) == Set(chunks(of: text)))
        #expect(replica.chunksAtServer(beside: slot, size: 5_000).isEmpty)
        #expect(replica.chunksAtServer(beside: slot, size: 50).isEmpty)
    }

    @Test func theOperationOfAFileIsKnownByItsEntry() throws {
        let world = TestWorld(["big": text])
        world.goOffline()
        world.a.edit("big", "new" + text)
        world.settle(seconds: 5)
        let replica = try #require(world.a.replica)
        let item = try #require(world.a.item("big"))
        let entries = (0...20).filter { replica.item(ofEntry: $0) == item }
        #expect(entries.count == 1)
        #expect(entries.allSatisfy { replica.isOnDisk(entry: $0) })
        #expect(!replica.isOnDisk(entry: 21))
        world.a.edit("big", "newer" + text)
        world.a.remove("big")
        world.settle(seconds: 5)
        let after = try #require(world.a.replica)
        #expect((0...20).allSatisfy { !after.isOnDisk(entry: $0) })
    }
}
