import SyncCore
import SyncTransport
import SyncWire
import Testing

@testable import SyncServer

/// What open streams are told, and when.
@Suite struct PushTests {
    let cloud: TestCloud
    let door: Door

    init() throws {
        cloud = try TestCloud()
        door = Door(cloud: cloud, depth: .loopback)
        try cloud.addAccount("anna", password: "secret")
        try cloud.addAccount("ben", password: "other")
    }

    @Test func bringsContentToOthersAndNotToItsAuthor() throws {
        var author = try TestDevice(door, name: "laptop")
        let reader = try TestDevice(door, name: "desk")
        let mine = try TestStream(author)
        let theirs = try TestStream(reader)
        #expect(try mine.nextHello() == .start)
        #expect(try theirs.nextHello() == .start)
        _ = try author.outcomes([author.create("a", .inline([1, 2]))])
        let first = try theirs.nextLog()
        #expect(first.after == .start && first.head.number == 1)
        #expect(first.entries.flatMap(\.contents) == [.inline([1, 2])])
        #expect(try mine.nextLog().entries.flatMap(\.contents) == [StoredContent.none])
        _ = try author.outcomes([author.create("b", .inline([3]))])
        let second = try theirs.nextLog()
        #expect(second.after == first.head && second.head.number == 2)
        let late = try TestStream(reader)
        #expect(try late.nextHello() == second.head)
    }

    @Test func tellsNothingOfOtherAccounts() throws {
        var stranger = try TestDevice(door, account: "ben", password: "other")
        var device = try TestDevice(door)
        let stream = try TestStream(try TestDevice(door, name: "desk"))
        _ = try stream.nextHello()
        _ = try stranger.outcomes([stranger.create("x", .inline([9]))])
        _ = try device.outcomes([device.create("a", .inline([1]))])
        #expect(try stream.nextLog().entries.flatMap(\.contents) == [.inline([1])])
    }

    @Test func saysOnlyTheHeadWhenTheContentIsLarge() throws {
        var author = try TestDevice(door, name: "laptop")
        let stream = try TestStream(try TestDevice(door, name: "desk"))
        _ = try stream.nextHello()
        let content = StoredContent.inline([UInt8](repeating: 1, count: StoredContent.inlineLimit))
        _ = try author.outcomes((0..<5).map { author.create("\($0)", content) })
        #expect(try stream.nextHello().number == 5)
        _ = try author.outcomes([author.create("small", .inline([1]))])
        #expect(try stream.nextLog().after.number == 5)
    }

    @Test func endsWhenTheDeviceLeaves() throws {
        let device = try TestDevice(door)
        let stream = try TestStream(device)
        _ = try stream.nextHello()
        #expect(try device.send("POST", "/v1/leave").status == 204)
        #expect(stream.next()?.event == "revoked")
        #expect(stream.next() == nil)
        let again = try TestStream(device)
        #expect(again.next() == nil && again.status == 401)
    }

    @Test func endsWhenAnotherProcessRemovesTheAccount() throws {
        let device = try TestDevice(door)
        let stream = try TestStream(device)
        _ = try stream.nextHello()
        let remove = ["server", "account", "remove", "anna", "--data", cloud.folder]
        #expect(try TestProgram(remove).status == 0)
        #expect(try device.send("GET", "/v1/account").status == 401)
        #expect(stream.next()?.event == "revoked")
    }
}
