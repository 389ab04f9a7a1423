import Foundation
import Synchronization

/// Does the same with each item, several at a time: the disk takes many waits for the price of one.
func sideBySide<Item: Sendable, Value: Sendable>(
    _ items: [Item], _ body: @escaping @Sendable (Item) -> Value?
) -> [Value?] {
    let work = SharedWork(items: items, body: body)
    let group = DispatchGroup()
    for _ in 0..<min(workers, items.count) {
        group.enter()
        Thread.detachNewThread {
            work.run()
            group.leave()
        }
    }
    group.wait()
    return work.values
}

private let workers = 8

/// Items that threads take one after the other.
private final class SharedWork<Item: Sendable, Value: Sendable>: Sendable {
    private let items: [Item]
    private let body: @Sendable (Item) -> Value?
    private let next = Atomic(0)
    private let results: Mutex<[Value?]>

    init(items: [Item], body: @escaping @Sendable (Item) -> Value?) {
        self.items = items
        self.body = body
        results = Mutex(Array(repeating: nil, count: items.count))
    }

    /// Complete when all threads have ended.
    var values: [Value?] { results.withLock { $0 } }

    func run() {
        while true {
            let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
            guard index < items.count else { return }
            let value = body(items[index])
            results.withLock { $0[index] = value }
        }
    }
}
