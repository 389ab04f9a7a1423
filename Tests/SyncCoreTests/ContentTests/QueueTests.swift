import SyncCore
import Testing

@Suite struct QueueTests {
    @Test func whatCameFirstIsTakenFirst() {
        var queue = Queue<Int>()
        #expect(queue.takeFirst() == nil)
        queue += [1, 2]
        #expect(queue.takeFirst() == 1)
        queue += [3]
        #expect(!queue.isEmpty)
        #expect(queue.takeFirst() == 2)
        #expect(queue.takeFirst() == 3)
        #expect(queue.isEmpty)
        #expect(queue.takeFirst() == nil)
    }

    /// It grows and is never empty, so that what was taken has to be left behind.
    @Test func aLongOneKeepsItsOrder() {
        var queue = Queue<Int>()
        var taken: [Int] = []
        for number in 0..<5_000 {
            queue.append(number)
            if number % 4 != 0, let first = queue.takeFirst() { taken.append(first) }
        }
        while let first = queue.takeFirst() { taken.append(first) }
        #expect(taken == Array(0..<5_000))
    }
}
