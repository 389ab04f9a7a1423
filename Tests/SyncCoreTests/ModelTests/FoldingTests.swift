import Testing

@testable import SyncCore

@Suite("Keys")
struct FoldingTests {
    @Test("that are equal have one hash, and others hardly ever share one")
    func ids() {
        var hashes: Set<Int> = []
        for number in UInt64(0)..<20_000 {
            // Neighbours in either half, as nobody but an attacker would choose them.
            let ids = [ItemID(high: 0, low: number), ItemID(high: number + 1, low: 0)]
            for id in ids {
                #expect(id.hashValue == ItemID(high: id.high, low: id.low).hashValue)
                hashes.insert(id.hashValue)
            }
        }
        #expect(hashes.count >= 39_990)
    }

    @Test("that are names differ by their bytes, their order and their number")
    func names() throws {
        let texts = [
            "a", "b", "ab", "ba", "12345678", "12345687", "123456781", "123456782",
            "12345678\u{1}", "e\u{301}", "\u{e9}",
        ]
        let names = try texts.map { try #require(Name($0)) }
        #expect(Set(names.map(\.hashValue)).count == names.count)
        let slots = names.flatMap { name in
            [ItemID.top, ItemID(high: 1, low: 2)].map { Slot(folder: $0, name: name) }
        }
        #expect(Set(slots.map(\.hashValue)).count == slots.count)
        #expect(Set(slots).count == slots.count)
    }

    @Test("that are names are in the order of their bytes, the shorter one first")
    func order() throws {
        let names = try ["", "a", "b", "ab", "aa", "a\u{e9}"].dropFirst().map {
            try #require(Name($0))
        }
        #expect(names.sorted().map(\.text) == ["a", "aa", "ab", "a\u{e9}", "b"])
    }
}

@Suite("A record")
struct NodeRecordTests {
    @Test("that is copied is another one as soon as it is changed")
    func copies() {
        let record = NodeRecord(
            kind: .file, remote: nil, versions: [], base: nil, installing: nil)
        var copy = record
        copy.installing = VersionID(high: 1, low: 1)
        copy.conflict.append(VersionID(high: 2, low: 2))
        #expect(record.installing == nil)
        #expect(record.conflict.isEmpty)
        #expect(copy.conflict == [VersionID(high: 2, low: 2)])
        #expect(copy != record)
        copy.installing = nil
        copy.conflict = []
        #expect(copy == record)
    }
}

@Suite("Items to be planned")
struct DirtyItemsTests {
    @Test("come once each, in the order of their first mention, few or many", arguments: [3, 100])
    func order(count: UInt64) {
        var items = DirtyItems()
        let ids = (0..<count).map { ItemID(high: 7, low: count - $0) }
        for id in ids + ids.reversed() { items.insert(id) }
        #expect(items.takeAll() == ids)
        #expect(items.isEmpty)
        items.insert(ids[0])
        #expect(items.takeAll() == [ids[0]])
    }
}
