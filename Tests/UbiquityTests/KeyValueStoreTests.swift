import Foundation
import Testing

@testable import Ubiquity

/// On the main actor, so that nothing is posted before a test listens.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct KeyValueStoreTests {
    let home: TestHome

    init() throws { home = try TestHome() }

    private func store(_ session: DeviceSession? = nil) -> NSUbiquitousKeyValueStore {
        NSUbiquitousKeyValueStore(session: session ?? home.session, program: "app")
    }

    @Test func everyPropertyListValueComesBack() throws {
        let daemon = try TestDaemon(home.home)
        let writer = store()
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        writer.set("text", forKey: "string")
        writer.set(3, forKey: "int")
        writer.set(Int64(1) << 60, forKey: "longLong")
        writer.set(3.5, forKey: "double")
        writer.set(true, forKey: "bool")
        writer.set(Data([0, 255]), forKey: "data")
        writer.set(date, forKey: "date")
        writer.set(["a", 1, [true]] as [Any], forKey: "array")
        writer.set(["a": "b"], forKey: "dictionary")
        writer.set(["when": date], forKey: "dates")
        #expect(writer.synchronize())

        let values = daemon.world { $0.values }
        #expect(values.count == 10)
        for (key, bytes) in values {
            let name = String(decoding: key, as: UTF8.self)
            let visible = writer.object(forKey: name) as? NSObject
            #expect(visible == KeyValueCoding.value(of: bytes) as? NSObject, "\(name)")
        }
        #expect(writer.string(forKey: "string") == "text")
        #expect(writer.longLong(forKey: "int") == 3)
        #expect(writer.longLong(forKey: "longLong") == 1 << 60)
        #expect(writer.double(forKey: "double") == 3.5)
        #expect(writer.bool(forKey: "bool"))
        #expect(writer.data(forKey: "data") == Data([0, 255]))
        #expect(writer.object(forKey: "date") as? Date == date)
        #expect(writer.array(forKey: "array")?.count == 3)
        #expect(writer.dictionary(forKey: "dictionary") as? [String: String] == ["a": "b"])
        #expect(writer.dictionary(forKey: "dates") as? [String: Date] == ["when": date])
        #expect(writer.dictionaryRepresentation.count == 10)
    }

    @Test func missingKeysAndOtherTypesGiveNothing() throws {
        let store = store()
        store.set("text", forKey: "a")
        #expect(store.longLong(forKey: "a") == 0)
        #expect(store.data(forKey: "a") == nil)
        #expect(!store.bool(forKey: "missing"))
        #expect(store.object(forKey: "missing") == nil)
        store.set(nil as String?, forKey: "a")
        #expect(store.object(forKey: "a") == nil)
    }

    @Test func whatTheCloudHasComesAsInitialSync() async throws {
        let daemon = try TestDaemon(home.home)
        daemon.world { $0.values[Array("greeting".utf8)] = Array("hello".utf8) }
        let store = store()
        let changes = Notifications(
            NSUbiquitousKeyValueStore.didChangeExternallyNotification, store)
        let posted = await changes.next()
        #expect(posted?.reason == NSUbiquitousKeyValueStoreInitialSyncChange)
        #expect(posted?.keys == ["greeting"])
        #expect(store.string(forKey: "greeting") == "hello")
        daemon.stop()
    }

    @Test func changesFromElsewhereAreToldAndOwnWritesAreNot() async throws {
        let daemon = try TestDaemon(home.home)
        daemon.world { $0.values[Array("before".utf8)] = Array("x".utf8) }
        let store = store()
        let changes = Notifications(
            NSUbiquitousKeyValueStore.didChangeExternallyNotification, store)
        #expect(await changes.next()?.keys == ["before"])
        store.set("mine", forKey: "own")
        #expect(store.synchronize())
        daemon.setFromElsewhere("other", KeyValueCoding.bytes(of: 7))
        let posted = await changes.next()
        #expect(posted?.reason == NSUbiquitousKeyValueStoreServerChange)
        #expect(posted?.keys == ["other"])
        #expect(store.longLong(forKey: "other") == 7)
        #expect(store.string(forKey: "own") == "mine")
        daemon.stop()
    }

    @Test func aValueOverTheLimitIsTakenBack() async throws {
        let daemon = try TestDaemon(home.home)
        daemon.world { $0.mostBytes = 100 }
        let store = store()
        let changes = Notifications(
            NSUbiquitousKeyValueStore.didChangeExternallyNotification, store)
        store.set("small", forKey: "key")
        #expect(store.synchronize())
        store.set(Data(count: 1000), forKey: "key")
        let posted = await changes.next()
        #expect(posted?.reason == NSUbiquitousKeyValueStoreQuotaViolationChange)
        #expect(posted?.keys == ["key"])
        #expect(store.string(forKey: "key") == "small")
        daemon.stop()
    }

    @Test func writesWithoutADaemonWaitForOneAlsoOverANewStart() async throws {
        var first: NSUbiquitousKeyValueStore? = store()
        first?.set("kept", forKey: "key")
        first?.set("gone", forKey: "removed")
        first?.removeObject(forKey: "removed")
        #expect(first?.synchronize() == true)
        first = nil

        let second = store(home.anotherSession())
        #expect(second.string(forKey: "key") == "kept")
        let changes = Notifications(
            NSUbiquitousKeyValueStore.didChangeExternallyNotification, second)
        var world = DaemonWorld(home: home.home)
        world.values = [Array("removed".utf8): [1], Array("other".utf8): [2]]
        let daemon = try TestDaemon(home.home, world)
        #expect(await changes.next()?.keys == ["other"])
        #expect(second.synchronize())
        let values = daemon.world { $0.values }
        #expect(values[Array("key".utf8)].map { KeyValueCoding.value(of: $0) } as? String == "kept")
        #expect(values[Array("removed".utf8)] == nil)
        daemon.stop()
    }

    @Test func changesSinceTheLastRunAreTold() async throws {
        let daemon = try TestDaemon(home.home)
        daemon.world { $0.values[Array("key".utf8)] = Array("one".utf8) }
        do {
            let first = store()
            let changes = Notifications(
                NSUbiquitousKeyValueStore.didChangeExternallyNotification, first)
            _ = await changes.next()
            // What was seen is written after the telling, before this.
            #expect(first.synchronize())
        }
        daemon.world { $0.values[Array("key".utf8)] = Array("two".utf8) }
        let second = store(home.anotherSession())
        let changes = Notifications(
            NSUbiquitousKeyValueStore.didChangeExternallyNotification, second)
        let posted = await changes.next()
        #expect(posted?.reason == NSUbiquitousKeyValueStoreServerChange)
        #expect(posted?.keys == ["key"])
        daemon.stop()
    }

    @Test func keysThatSwiftTakesForEqualAreTwo() throws {
        let store = store()
        store.set(1, forKey: "e\u{301}")
        store.set(2, forKey: "\u{E9}")
        #expect(store.longLong(forKey: "e\u{301}") == 1)
        #expect(store.longLong(forKey: "\u{E9}") == 2)
    }
}
