import SyncCore
import SyncStore
import SyncWire
import Testing

/// What a device puts into one request, and when it sends the next.
@Suite struct RequestTests {
    private let long = String(repeating: "0123456789", count: 30)

    private func set(_ key: String, in store: String, _ value: [UInt8], on device: TestDevice) {
        device.tell(
            .setValue(store: Array(store.utf8), key: Array(key.utf8), value: value))
    }

    @Test func oneRequestIsUnderWayAtATime() {
        let world = TestWorld(["n": "0", "m": "0"])
        world.a.edit("n", "1")
        world.a.watch()
        let underWay = world.a.request
        #expect(underWay?.1.count == 1)
        world.a.request = nil
        world.a.edit("m", "1")
        world.a.watch()
        #expect(world.a.request == nil, "nothing is sent before the answer")
        world.a.request = underWay
        world.settle()
        #expect(world.b.tree == ["n": "1", "m": "1"])
        world.finish()
    }

    @Test func whatWasNotAnsweredIsSentAgainEverLessOften() {
        let world = TestWorld(["n": "0"])
        world.a.edit("n", "1")
        world.a.watch()
        let sent = world.a.request
        var moments: [Int64] = []
        for _ in 0..<5 {
            #expect(world.a.request?.0 == sent?.0)
            #expect(world.a.request?.1.map(\.number) == sent?.1.map(\.number))
            #expect(world.a.request?.1.map(\.body) == sent?.1.map(\.body))
            world.a.request = nil
            world.a.report(.sendFailed)
            world.a.run()
            while world.a.request == nil, let next = world.a.wakeAt?.nanoseconds {
                world.pass(milliseconds: max(0, next - world.a.now) / 1_000_000 + 1)
                world.a.wake()
            }
            moments.append(world.a.now)
        }
        let pauses = zip(moments, moments.dropFirst()).map { $1 - $0 }
        #expect(pauses == pauses.sorted() && pauses[0] < pauses[3])
        world.settle()
        #expect(world.texts("n") == ["1"])
        world.finish()
    }

    /// A request has at most 4 MiB: the values of several stores do not fit together.
    @Test func manyLongValuesGoInSeveralRequests() {
        let world = TestWorld()
        world.a.goOffline()
        for store in 0..<6 {
            set("k", in: "store \(store)", [UInt8](repeating: 7, count: 900_000), on: world.a)
        }
        world.a.goOnline()
        world.a.deliver()
        var largest = 0
        while let (incarnation, operations) = world.a.request {
            let message = OperationsMessage(
                incarnation: incarnation, operations: operations.map { CarriedOperation($0) })
            largest = max(largest, message.message().count)
            _ = world.a.exchange()
            world.a.deliver()
        }
        #expect(largest <= OperationsMessage.mostBytes)
        #expect(world.cloud.store.committed.registers.count == 6)
        world.finish()
    }

    /// A long file that was not sent yet is replaced by its next state; a note is not.
    @Test func ofALongFileOnlyTheNewestStateTravels() throws {
        let world = TestWorld(["n": "0", "long": long])
        world.a.goOffline()
        for text in ["1", "2"] {
            world.a.edit("n", text)
            world.a.edit("long", long + text)
            world.settle()
        }
        world.a.goOnline()
        world.settle()
        let note = try #require(world.a.item("n"))
        let file = try #require(world.a.item("long"))
        #expect(world.cloud.history(of: note).count == 3)
        #expect(world.cloud.history(of: file).count == 2)
        #expect(world.b.tree == ["n": "2", "long": long + "2"])
        world.finish()
    }

    /// Whoever hears of an edit is asked whether it merges before anybody is told of a conflict.
    @Test func headsAreNoConflictBeforeTheyWereLookedAt() {
        let world = TestWorld(["n": "0"], on: ["a", "b", "c"])
        world.a.goOffline()
        world.a.edit("n", "a")
        world.b.edit("n", "b")
        world.settle()
        world.a.goOnline()
        while world.texts("n").count < 2, world.a.exchange() || !world.a.incoming.isEmpty {
            world.a.deliver()
        }
        let other = world.devices[2]
        other.deliver()
        #expect(other.replica?.shown(of: other.item("n") ?? .top) != nil)
        #expect(world.texts("n").count == 2)
        #expect(other.replica?.conflicts() == [])
        world.settle()
        #expect(other.replica?.conflicts().count == 1)
        world.finish()
    }
}
