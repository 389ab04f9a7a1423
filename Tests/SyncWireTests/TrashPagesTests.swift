import SyncCore
import SyncWire
import Testing

/// The trash, as a server that is not ours might tell of it.
@Suite struct TrashPagesTests {
    private func row(_ number: UInt64) -> TrashedItem {
        let id = ItemID(high: 0, low: number)
        let placement = Placement(
            id: PlaceID(high: 0, low: 1), replaces: nil, folder: .top,
            tag: Tag(high: 0, low: 0), name: [])
        return TrashedItem(
            state: ItemState(
                id: id, kind: .file, standing: .trashed, placement: placement, heads: [],
                changed: 1), author: DeviceID(high: 0, low: 1),
            moment: WallTime(milliseconds: 0))
    }

    private func id(_ number: UInt64) -> ItemID { ItemID(high: 0, low: number) }

    @Test func pagesBecomeOne() {
        var pages = TrashPages()
        #expect(pages.take(TrashList([row(1), row(2)], next: id(2))) == .more(after: id(2)))
        #expect(pages.take(TrashList([], next: id(7))) == .more(after: id(7)))
        #expect(pages.take(TrashList([row(8)])) == .complete([row(1), row(2), row(8)]))
    }

    @Test func anItemThatComesTwiceIsOne() {
        var pages = TrashPages()
        #expect(pages.take(TrashList([row(1), row(1)], next: id(1))) == .more(after: id(1)))
        #expect(pages.take(TrashList([row(1), row(2)])) == .complete([row(1), row(2)]))
    }

    @Test func pagesThatGoRoundAreRefused() {
        var pages = TrashPages()
        #expect(pages.take(TrashList([], next: id(3))) == .more(after: id(3)))
        #expect(pages.take(TrashList([], next: id(3))) == .refused)
        var others = TrashPages()
        _ = others.take(TrashList([], next: id(3)))
        #expect(others.take(TrashList([], next: id(2))) == .refused)
    }

    @Test func thereIsAnEnd() {
        var pages = TrashPages()
        var number: UInt64 = 0
        while case .more = pages.take(TrashList([], next: id(number + 1))) { number += 1 }
        #expect(number < 100_000)
        var long = TrashPages()
        let rows = (0..<400_000).map { row($0) }
        #expect(long.take(TrashList(rows, next: id(400_000))) == .more(after: id(400_000)))
        let more = (0..<400_000).map { row(400_000 + $0) }
        #expect(long.take(TrashList(more, next: id(800_000))) == .more(after: id(800_000)))
        let most = (0..<400_000).map { row(800_000 + $0) }
        #expect(long.take(TrashList(most)) == .refused)
    }
}
