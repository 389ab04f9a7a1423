import SyncCore
import SyncStore
import Testing

/// A server that was restored, as devices meet it.
@Suite struct HistoryTests {
    private func restore(_ image: AccountImage, in world: TestWorld) {
        for device in world.devices { device.goOffline() }
        world.cloud.store = MemoryAccountStore(image)
        for device in world.devices { device.goOnline() }
        world.settle()
    }

    @Test func whatTheServerHasLostIsOfferedOnce() {
        let world = TestWorld(["n": "0", "gone": "g"])
        let image = world.cloud.store.committed
        world.a.edit("n", "1")
        world.settle()
        world.b.edit("n", "2")
        world.a.write("new", "new")
        world.a.remove("gone")
        world.settle()
        restore(image, in: world)
        #expect(world.a.tree == ["n": "2", "new": "new", "gone": "g"])
        #expect(world.b.tree == world.a.tree)
        #expect(world.texts("n") == ["2"])
        world.finish()
    }

    @Test func workOfflineGoesOnTopOfWhatWasLost() {
        let world = TestWorld(["n": "0"])
        let image = world.cloud.store.committed
        world.a.edit("n", "1")
        world.settle()
        world.a.goOffline()
        world.a.edit("n", "2")
        world.settle()
        restore(image, in: world)
        #expect(world.b.tree == ["n": "2"])
        #expect(world.texts("n") == ["2"])
        world.finish()
    }

    /// It was given before the server was restored, and names an entry that is another one by now.
    @Test func aLateAnswerOfALostHistoryAcknowledgesNothing() {
        let world = TestWorld(["n": "0"])
        let image = world.cloud.store.committed
        world.a.edit("n", "1")
        world.a.watch()
        #expect(world.a.exchange())
        let late = world.a.incoming.filter { if case .answered = $0 { true } else { false } }
        #expect(late.count == 1)
        for device in world.devices { device.goOffline() }
        world.cloud.store = MemoryAccountStore(image)
        world.b.incoming = []
        world.b.goOnline()
        for name in ["x", "y", "z"] { world.b.write(name, name) }
        world.settle()
        world.a.incoming = []
        world.a.goOnline()
        world.settle()
        #expect(world.a.read("z") == "z", "the log is past the entry")
        for event in late { world.a.report(event) }
        world.a.run()
        world.settle()
        #expect(world.texts("n") == ["1"])
        world.finish()
    }

    /// The item has a head that the device never showed; in the backup it is older than the last
    /// position that both have.
    @Test func aFoldersDeletionTakesNothingUnseenInTheBackupEither() {
        let world = TestWorld()
        world.a.makeFolder("F")
        world.a.write("F/n", "0")
        world.settle()
        world.a.goOffline()
        world.a.edit("F/n", "a")
        world.b.edit("F/n", "b")
        world.settle()
        world.a.goOnline()
        world.settle()
        #expect(world.texts("F/n").count == 2)
        // So that both keep a position after it.
        for number in 0..<20 {
            world.b.write("more \(number)", "")
            world.settle()
        }
        let image = world.cloud.store.committed
        world.b.edit("F/n", "b2")
        world.settle()
        world.a.goOffline()
        world.a.remove("F/n")
        world.a.remove("F")
        world.settle()
        restore(image, in: world)
        #expect(Set(world.texts("F/n")).count == 2)
        world.finish()
    }

    @Test func aDeletionThatWasLostReturnsAndIsListed() {
        let world = TestWorld(["n": "0", "m": "0"])
        let image = world.cloud.store.committed
        world.a.remove("n")
        world.settle()
        restore(image, in: world)
        #expect(world.a.tree == ["n": "0", "m": "0"])
        #expect(world.a.replica?.undeleted.count == 1)
        world.finish()
        #expect(world.a.replica?.status().returned == 1)
        world.a.tell(.confirm(isMeant: true))
        world.finish()
        #expect(world.a.replica?.undeleted == [])
        #expect(world.b.replica?.undeleted.count == 1)
    }

    @Test func aSnapshotWithTheCursorDeletesWhatItLacks() {
        let world = TestWorld(["n": "0", "m": "0"])
        world.b.goOffline()
        world.a.remove("n")
        world.settle()
        world.cloud.isTrimmed = true
        world.b.goOnline()
        world.settle()
        #expect(world.b.tree == ["m": "0"])
        world.cloud.isTrimmed = false
        world.finish()
    }

    /// The log has the cursor: what is in no snapshot of it was deleted since, and is forgotten.
    @Test func whatASnapshotWithTheCursorLacksWasDeleted() throws {
        let world = TestWorld(["n": "0", "m": "0"])
        world.cloud.forgotten = [try #require(world.state("n")?.id)]
        world.b.goOffline()
        world.a.remove("n")
        world.settle()
        world.cloud.isTrimmed = true
        world.b.goOnline()
        world.settle()
        #expect(world.b.tree == ["m": "0"])
        #expect(world.b.replica?.status().isInSync == true)
        world.cloud.isTrimmed = false
        world.finish()
    }

    @Test func contentForAForgottenItemCreatesIt() {
        let world = TestWorld(["m": "0"])
        let image = world.cloud.store.committed
        world.a.write("n", "0")
        world.settle()
        world.a.goOffline()
        world.a.edit("n", "1")
        world.settle()
        world.b.remove("n")
        world.settle()
        restore(image, in: world)
        #expect(world.b.tree == ["n": "1", "m": "0"])
        world.finish()
    }

    // MARK: Places and values

    @Test func aMoveThatWasLostHolds() {
        let world = TestWorld(["n": "0", "F/": ""])
        let image = world.cloud.store.committed
        world.a.move("n", to: "F/m")
        world.settle()
        restore(image, in: world)
        #expect(world.a.tree == ["F/": "", "F/m": "0"])
        #expect(world.b.tree == world.a.tree)
        world.finish()
    }

    @Test func whatReturnsUnderATakenNameGetsAnother() {
        let world = TestWorld(["n": "0", "m": "0"])
        let image = world.cloud.store.committed
        world.a.remove("n")
        world.settle()
        world.a.move("m", to: "m2")
        world.a.write("n", "another")
        world.settle()
        restore(image, in: world)
        #expect(world.a.tree == ["n": "another", "n 2": "0", "m2": "0"])
        #expect(world.b.tree == world.a.tree)
        #expect(world.conflicts == 0)
        world.finish()
    }

    /// The device had installed what the account has lost, and deletes the folder of it.
    @Test func aDeletionNamesNoNumberOfALostHistory() throws {
        let world = TestWorld(["F/": "", "F/n": "0"])
        let image = world.cloud.store.committed
        for text in ["1", "2", "3"] {
            world.b.edit("F/n", text)
            world.settle()
        }
        world.a.goOffline()
        world.a.remove("F")
        world.settle()
        for device in world.devices { device.goOffline() }
        world.cloud.store = MemoryAccountStore(image)
        world.b.goOnline()
        world.settle()
        // What comes meanwhile has numbers that the deletion's device has never heard of.
        for text in ["4", "5", "6", "7"] { world.b.edit("F/n", text) }
        world.b.write("F/new", "new")
        world.settle()
        world.a.goOnline()
        world.settle()
        #expect(world.a.tree == ["F/": "", "F/n": "7", "F/new": "new"])
        #expect(world.b.tree == world.a.tree)
        world.finish()
    }

    /// The device knew of the move from a snapshot, and deleted the folder from which it had gone;
    /// in a second backup the file lies in that folder again.
    @Test func aDeletionDoesNotTakeWhatHadLeftTheFolder() {
        let world = TestWorld(["F/": "", "F/n": "0"])
        let image = world.cloud.store.committed
        world.b.write("x", "x")
        world.settle()
        world.a.goOffline()
        world.b.goOffline()
        world.cloud.store = MemoryAccountStore(image)
        world.b.goOnline()
        world.settle()
        world.b.move("F/n", to: "n")
        world.settle()
        world.a.goOnline()
        world.settle()
        #expect(world.a.tree == ["F/": "", "n": "0", "x": "x"])
        world.a.goOffline()
        world.a.remove("F")
        world.settle()
        world.b.goOffline()
        world.cloud.store = MemoryAccountStore(image)
        world.a.goOnline()
        world.settle()
        #expect(world.a.tree["n"] == "0")
        world.b.goOnline()
        world.settle()
        #expect(world.a.tree == ["n": "0", "x": "x"])
        #expect(world.b.tree == world.a.tree)
        world.finish()
    }

    private func set(_ value: String, on device: TestDevice) {
        device.tell(.setValue(store: [1], key: [2], value: Array(value.utf8)))
    }

    private func value(on device: TestDevice) -> String? {
        device.replica?.value(store: [1], key: [2]).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func aValueThatWasLostIsSetAgain() {
        let world = TestWorld()
        set("old", on: world.a)
        world.settle()
        let image = world.cloud.store.committed
        world.pass(milliseconds: 1_000)
        set("lost", on: world.a)
        world.settle()
        restore(image, in: world)
        #expect(world.devices.map { value(on: $0) } == ["lost", "lost"])
        world.finish()
    }

    @Test func aValueThatTheAccountHasSinceStandsOverTheOneThatWasLost() {
        let world = TestWorld()
        set("old", on: world.a)
        world.settle()
        let image = world.cloud.store.committed
        world.pass(milliseconds: 1_000)
        set("lost", on: world.a)
        world.settle()
        for device in world.devices { device.goOffline() }
        world.cloud.store = MemoryAccountStore(image)
        world.pass(milliseconds: 1_000)
        // B was restored with the server, and knows nothing of what was lost.
        world.b.crash()
        world.b.store = MemoryDeviceStore()
        world.b.start()
        world.b.goOnline()
        world.settle()
        set("later", on: world.b)
        world.settle()
        world.a.goOnline()
        world.settle()
        #expect(world.devices.map { value(on: $0) } == ["later", "later"])
        world.finish()
    }

    // MARK: Positions

    @Test func positionsAreKeptEverWiderApart() {
        let world = TestWorld(["n": "0"])
        for count in 0..<1_000 {
            world.a.write("n", "\(count)")
            world.a.watch()
            _ = world.a.exchange()
            world.a.deliver()
        }
        world.settle()
        let kept = world.a.store.committed.replica.landmarks.map(\.number)
        let newest = kept.last ?? 0
        #expect(newest > 960 && newest % 16 == 0)
        #expect(kept.count < 20, "not every sixteenth of \(newest / 16)")
        for number in kept {
            let place = number / 16
            #expect(newest / 16 - place <= 2 << UInt64(place.trailingZeroBitCount))
        }
        for distance in [1, 2, 4, 8, 16] as [UInt64] {
            let reach = newest - min(newest, distance * 2 * 16)
            #expect(kept.contains { $0 >= reach && $0 < newest }, "none within \(distance * 2)")
        }
    }
}
