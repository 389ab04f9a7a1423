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

    @Test func aDeletionThatWasLostReturnsAndIsListed() {
        let world = TestWorld(["n": "0", "m": "0"])
        let image = world.cloud.store.committed
        world.a.remove("n")
        world.settle()
        restore(image, in: world)
        #expect(world.a.tree == ["n": "0", "m": "0"])
        #expect(world.a.replica?.undeleted.count == 1)
        world.finish()
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
}
