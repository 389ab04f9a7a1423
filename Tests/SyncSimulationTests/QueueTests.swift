import Testing

@testable import SyncSimulation

@Suite("A queue")
struct QueueTests {
    @Test("gives first what came first")
    func order() {
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
}
