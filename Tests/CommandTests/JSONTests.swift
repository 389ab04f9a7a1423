import DeviceSocket
import Foundation
import SyncCore
import SyncWire
import Testing

@testable import SyncDevice

/// The shapes that scripts rely on.
@Suite struct JSONTests {
    let home: CommandHome

    init() { home = CommandHome(DeviceHome("/home/of/it")) }

    @Test func escapes() throws {
        let text = "\"\\\n\t\r\u{0}\u{1F}\u{7F}/é🦉"
        let json = try parsed(.object([("text", .text(text)), ("number", .integer(UInt64.max))]))
        #expect(json["text"] as? String == text)
        #expect((json["number"] as? NSNumber)?.uint64Value == UInt64.max)
        let all = JSONValue.list([.null, .bool(true), .real(1.5), .real(.nan), .list([])])
        #expect(all.bytes == Array("[null,true,1.5,null,[]]".utf8))
    }

    @Test func showsPathsThatAreNoText() throws {
        let row = StuckRow(path: [0x63, 0xE9], code: "busy", reason: "why", next: nil)
        let json = try parsed(.stuck(row, in: home))
        #expect(json["path"] as? String == "/home/of/it/Containers/c\u{FFFD}")
        let path = Data(Array("/home/of/it/Containers/c".utf8) + [0xE9])
        #expect(json["pathBytes"] as? String == path.base64EncodedString())
        #expect(try parsed(.stuck(stuck, in: home))["pathBytes"] == nil)
    }

    @Test func status() throws {
        let signedOut = DeviceStatus(
            state: .signedOut, account: nil, number: 0, outbox: 0, downloads: 0, conflicts: 0,
            stuck: [], programVersion: "1")
        var json = try parsed(.status(signedOut, in: home))
        #expect(json["state"] as? String == "signed out")
        #expect(json["account"] is NSNull && json["device"] is NSNull && json["server"] is NSNull)
        let account = DeviceStatus.Account(
            id: .init(high: 1, low: 1), name: "anna", device: .init(high: 1, low: 2),
            deviceName: "left", server: "http://a")
        let busy = DeviceStatus(
            state: .stuck, account: account, number: 5, outbox: 1, downloads: 2, conflicts: 3,
            stuck: [stuck], programVersion: "1", evicted: 4, keptFree: 6, limitUp: 7,
            limitDown: 8, returned: 9, setAside: 10)
        json = try parsed(.status(busy, in: home))
        #expect(json["account"] as? String == "anna" && json["device"] as? String == "left")
        #expect(json["server"] as? String == "http://a")
        let names = [
            "number", "outbox", "downloads", "conflicts", "evicted", "keepFree", "limitUp",
            "limitDown", "returned", "setAside",
        ]
        #expect(names.map { json[$0] as? Int } == [5, 1, 2, 3, 4, 6, 7, 8, 9, 10])
        let row = try #require((json["stuck"] as? [[String: Any]])?.first)
        #expect(row["path"] as? String == "/home/of/it/Containers/c/a.txt")
        #expect(row["code"] as? String == "disk-full" && row["reason"] as? String == "full")
        #expect(row["next"] as? String == "1970-01-01T00:00:01.500Z")
    }

    @Test func itemsVersionsAndConflicts() throws {
        let time = FileTime(seconds: 1, nanoseconds: 2)
        let id = VersionID(high: 1, low: 2)
        let item = ItemRow(
            item: .init(high: 0, low: 9), path: path, kind: .link, size: 7, modified: time,
            state: .uploading, hasConflicts: false, version: nil)
        let items = try parsed(.items([item], in: home))["items"] as? [[String: Any]]
        let row = try #require(items?.first)
        #expect(row["kind"] as? String == "link" && row["state"] as? String == "uploading")
        #expect(row["size"] as? Int == 7)
        #expect(row["modified"] as? String == "1970-01-01T00:00:01.000000002Z")
        let head = VersionRow(
            version: id, device: .init(high: 1, low: 1), deviceName: "left", modified: time,
            accepted: WallTime(milliseconds: 1), size: 7, isCurrent: true, isConflict: false,
            isDeletion: false, isHere: true)
        let versions = try parsed(.versions([head], of: path, in: home))
        #expect(versions["path"] as? String == "/home/of/it/Containers/c/a.txt")
        let version = try #require((versions["versions"] as? [[String: Any]])?.first)
        #expect(version["version"] as? String == id.text)
        #expect(version["device"] as? String == "left" && version["size"] as? Int == 7)
        #expect(version["time"] as? String == "1970-01-01T00:00:01.000000002Z")
        #expect(version["current"] as? Bool == true && version["conflict"] as? Bool == false)
        let conflict = ConflictRow(path: path, item: item.item, heads: [head])
        let conflicts = try parsed(.conflicts([conflict], in: home))["conflicts"]
        let entry = try #require((conflicts as? [[String: Any]])?.first)
        #expect(entry["item"] as? String == item.item.text)
        let shown = try #require((entry["heads"] as? [[String: Any]])?.first)
        #expect(shown["shown"] as? Bool == true && shown["version"] as? String == id.text)
    }

    private let path = Array("c/a.txt".utf8)

    private var stuck: StuckRow {
        StuckRow(
            path: path, code: "disk-full", reason: "full", next: WallTime(milliseconds: 1500))
    }

    private func parsed(_ value: JSONValue) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(value.bytes)) as? [String: Any])
    }
}
