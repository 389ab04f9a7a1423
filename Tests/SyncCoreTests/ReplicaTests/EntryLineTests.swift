import Testing

@testable import SyncCore

@Suite struct EntryLineTests {
    @Test func whatIsAddedAndRemovedAnywhereStaysInOrder() {
        var line = EntryLine([2, 4])
        line.append(8)
        line.insert(6)
        line.insert(1)
        #expect(Array(line.ids) == [1, 2, 4, 6, 8])
        line.remove(1)
        line.remove(6)
        line.remove(7)
        line.insert(1)
        #expect(Array(line.ids) == [1, 2, 4, 8])
    }

    @Test func thousandsLeaveFromTheFront() {
        var line = EntryLine(Array(0..<5_000))
        for id in 0..<4_990 as Range<UInt64> {
            line.remove(id)
            #expect(line.ids.first == id + 1)
        }
        line.insert(3)
        #expect(Array(line.ids) == [3] + Array(4_990..<5_000))
    }
}
