import SyncCore
import Testing

/// Key-values on devices.
@Suite struct KeyValueTests {
    private let store = Array("store".utf8)

    private func set(_ key: String, _ value: String?, on device: TestDevice) {
        device.report(
            .command(
                .setValue(
                    store: store, key: Array(key.utf8), value: value.map { Array($0.utf8) })))
        device.run()
    }

    private func value(_ key: String, on device: TestDevice) -> String? {
        device.replica?.value(store: store, key: Array(key.utf8))
            .map { String(decoding: $0, as: UTF8.self) }
    }

    private func expect(
        _ key: String, _ expected: String?, _ world: TestWorld,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(value(key, on: world.a) == expected, sourceLocation: location)
        #expect(value(key, on: world.b) == expected, sourceLocation: location)
    }

    @Test func aValueIsSetReplacedAndRemoved() {
        let world = TestWorld()
        set("k", "1", on: world.a)
        world.settle()
        expect("k", "1", world)
        set("k", "2", on: world.b)
        world.settle()
        expect("k", "2", world)
        set("k", nil, on: world.a)
        world.settle()
        expect("k", nil, world)
        world.finish()
    }

    @Test func anEmptyValueIsAValue() {
        let world = TestWorld()
        set("k", "", on: world.a)
        world.settle()
        expect("k", "", world)
    }

    /// Hazard 45: A's clock is ten years ahead; B writes later, without having seen it.
    @Test func aClockThatIsAheadWinsNothing() {
        let world = TestWorld()
        set("k", "0", on: world.a)
        world.settle()
        world.goOffline()
        world.a.clockError = 315_000_000_000
        set("k", "a", on: world.a)
        world.pass(milliseconds: 60_000)
        set("k", "b", on: world.b)
        world.pass(milliseconds: 60_000)
        world.a.goOnline()
        world.settle()
        world.b.goOnline()
        world.settle()
        expect("k", "b", world)
        world.finish()
    }

    @Test func aClockThatJumpsBackWinsAndLosesNothing() {
        let world = TestWorld()
        set("k", "0", on: world.a)
        world.settle()
        world.goOffline()
        set("k", "a", on: world.a)
        world.a.clockError = -315_000_000_000
        world.pass(milliseconds: 60_000)
        set("k", "b", on: world.b)
        world.b.goOnline()
        world.settle()
        world.a.goOnline()
        world.settle()
        #expect(value("k", on: world.a) == value("k", on: world.b))
        world.finish()
    }

    /// Hazard 46, A18: a new device writes its defaults before its first pull.
    @Test func defaultsOfANewDeviceSetOnlyWhatTheCloudLacks() {
        let cloud = TestCloud()
        let old = TestDevice("a", cloud: cloud)
        old.start()
        old.goOnline()
        set("theme", "dark", on: old)
        while old.exchange() || !old.incoming.isEmpty { old.deliver() }
        let new = TestDevice("b", cloud: cloud)
        new.start()
        set("theme", "default", on: new)
        set("size", "default", on: new)
        new.goOnline()
        for _ in 0..<20 {
            for device in [old, new] {
                _ = device.exchange()
                device.deliver()
            }
        }
        #expect(value("theme", on: new) == "dark")
        #expect(value("theme", on: old) == "dark")
        #expect(value("size", on: old) == "default")
    }

    @Test func writesThatWereNeverSentAreOne() {
        let world = TestWorld()
        world.a.goOffline()
        let length = world.cloud.length
        for value in ["1", "2", "3"] { set("k", value, on: world.a) }
        world.a.goOnline()
        world.settle()
        #expect(world.cloud.length == length + 1)
        expect("k", "3", world)
        world.finish()
    }

    @Test func aWriteAfterALostAnswerWins() {
        let world = TestWorld()
        world.a.losesAnswers = true
        world.cloud.listeners[world.a.id] = nil
        set("k", "1", on: world.a)
        #expect(world.a.exchange())
        world.a.deliver()
        set("k", "2", on: world.a)
        world.a.losesAnswers = false
        world.a.goOnline()
        world.settle()
        expect("k", "2", world)
        world.finish()
    }

    @Test func whatIsWrittenSurvivesACrash() {
        let world = TestWorld()
        world.a.goOffline()
        set("k", "1", on: world.a)
        world.a.restart()
        #expect(value("k", on: world.a) == "1")
        world.a.goOnline()
        world.settle()
        expect("k", "1", world)
        world.finish()
    }

    /// Hazard 47: over the limit once both are online.
    @Test func aRefusedWriteStaysHereAndIsOfferedAgain() {
        let world = TestWorld()
        var limits = AccountLimits()
        limits.values = 10
        world.cloud.authority = Authority(limits: limits)
        set("a", "123456", on: world.a)
        world.settle()
        set("b", "12345678", on: world.b)
        world.settle(seconds: 5)
        #expect(value("b", on: world.a) == nil)
        #expect(value("b", on: world.b) == nil, "the cloud's value stands")
        #expect(world.b.replica?.refusedKeys(store: store) == [Array("b".utf8)])
        #expect(
            world.b.notices.contains(
                .valueChanged(store: store, key: Array("b".utf8), .refused)))
        world.b.restart()
        world.settle(seconds: 5)
        #expect(world.b.replica?.refusedKeys(store: store) == [Array("b".utf8)])
        set("a", nil, on: world.a)
        world.settle()
        expect("b", "12345678", world)
        #expect(world.b.replica?.refusedKeys(store: store) == [])
        world.finish()
    }

    /// A smaller value takes the place of one that was refused.
    @Test func aSmallerValueReplacesARefusedOne() {
        let world = TestWorld()
        var limits = AccountLimits()
        limits.value = 3
        world.cloud.authority = Authority(limits: limits)
        set("k", "1234", on: world.a)
        world.settle(seconds: 5)
        set("k", "123", on: world.a)
        world.settle()
        expect("k", "123", world)
        #expect(world.a.replica?.refusedKeys(store: store) == [])
        world.finish()
    }

    /// Somebody else's newer value: the refused one has lost.
    @Test func anotherDevicesLaterWriteSupersedesARefusedOne() {
        let world = TestWorld()
        var limits = AccountLimits()
        limits.value = 3
        world.cloud.authority = Authority(limits: limits)
        set("k", "1234", on: world.a)
        world.settle(seconds: 5)
        set("k", "b", on: world.b)
        world.settle(seconds: 5)
        limits.value = 10
        world.cloud.authority = Authority(limits: limits)
        world.settle()
        expect("k", "b", world)
        world.finish()
    }

    @Test func twoStoresAreApart() {
        let world = TestWorld()
        set("k", "1", on: world.a)
        world.a.report(
            .command(
                .setValue(store: Array("other".utf8), key: Array("k".utf8), value: [0x32])))
        world.a.run()
        world.settle()
        expect("k", "1", world)
        let other = Array("other".utf8)
        #expect(world.b.replica?.value(store: other, key: Array("k".utf8)) == [0x32])
        #expect(world.b.replica?.values(store: other).count == 1)
        world.finish()
    }

    /// A key has at most 128 UTF-16 units, a store 1,024 keys and 1 MiB, unless it is told others.
    @Test func whatADeviceCanSeeToBeTooMuchIsSaidAtOnce() throws {
        let world = TestWorld()
        var limits = AccountLimits()
        limits.keys = 2
        limits.values = 10
        limits.value = 8
        func fits(_ key: String, _ count: Int?) -> Bool {
            world.a.replica?.fits(
                count.map { [UInt8](repeating: 1, count: $0) }, key: Array(key.utf8), store: store,
                limits: limits) == true
        }
        #expect(fits("k", 8) && !fits("k", 9))
        #expect(fits(String(repeating: "ä", count: 128), 1))
        #expect(!fits(String(repeating: "ä", count: 129), nil), "not even to be removed")
        set("k", "12345678", on: world.a)
        set("l", "1", on: world.a)
        #expect(!fits("m", 1), "two keys are all")
        #expect(fits("l", 2) && !fits("l", 3), "ten bytes are all")
        #expect(fits("k", 8) && fits("k", nil), "what adds nothing")
        #expect(
            world.a.replica?.values(store: store).map(\.key) == ["k", "l"].map { Array($0.utf8) })
    }
}
