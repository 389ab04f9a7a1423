import Dispatch
import Synchronization

/// Values handed from any thread to the threads that take them, in order.
final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        /// Where the next value is taken: taking from the front must not move the rest.
        var first = 0
        var isClosed = false

        var count: Int { waiting.count - first }

        mutating func takeFirst() -> Element {
            let element = waiting[first]
            first += 1
            if first == waiting.count {
                waiting.removeAll(keepingCapacity: true)
                first = 0
            } else if first >= 1024 {
                waiting.removeFirst(first)
                first = 0
            }
            return element
        }
    }

    private let capacity: Int
    private let state = Mutex(State())
    /// One signal for each value, and one for the closing.
    private let signals = DispatchSemaphore(value: 0)

    init(capacity: Int) { self.capacity = capacity }

    /// False if the mailbox is full or closed.
    func put(_ element: Element) -> Bool {
        let isTaken = state.withLock { state in
            guard !state.isClosed, state.count < capacity else { return false }
            state.waiting.append(element)
            return true
        }
        if isTaken { signals.signal() }
        return isTaken
    }

    /// Waits for a value; nil once the mailbox is closed and empty.
    func take() -> Element? {
        while true {
            let (element, isOver) = takeIfAny { _ in true }
            if let element { return element }
            if isOver { return nil }
            signals.wait()
        }
    }

    /// Takes the first value if there is one now that the condition allows.
    func takeNow(if allowed: (Element) -> Bool) -> Element? {
        takeIfAny(allowed).element
    }

    /// Lets the takers finish what is there; nothing more is accepted.
    func close() {
        state.withLock { $0.isClosed = true }
        signals.signal()
    }

    private func takeIfAny(
        _ allowed: (Element) -> Bool
    ) -> (element: Element?, isOver: Bool) {
        let found: (element: Element?, isOver: Bool) = state.withLock { state in
            guard state.count > 0 else { return (nil, state.isClosed) }
            guard allowed(state.waiting[state.first]) else { return (nil, false) }
            return (state.takeFirst(), false)
        }
        // The others who wait must see the end as well.
        if found.isOver { signals.signal() }
        return found
    }
}
