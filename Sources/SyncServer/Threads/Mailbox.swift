import Dispatch
import Synchronization

/// Values handed from any thread to the threads that take them, in order.
final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        /// Where the next value is taken: taking from the front must not move the rest.
        var first = 0
        /// Takers that found nothing and were not woken yet.
        var sleepers = 0
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

    /// What a taker found.
    private enum Find {
        case element(Element)
        case nothingYet
        case end
    }

    private let capacity: Int
    private let state = Mutex(State())
    /// One signal for each sleeper that is to look again.
    private let signals = DispatchSemaphore(value: 0)

    init(capacity: Int) { self.capacity = capacity }

    /// False if the mailbox is full or closed.
    func put(_ element: Element) -> Bool {
        let (isTaken, mustWake) = state.withLock { state in
            guard !state.isClosed, state.count < capacity else { return (false, false) }
            state.waiting.append(element)
            guard state.sleepers > 0 else { return (true, false) }
            state.sleepers -= 1
            return (true, true)
        }
        if mustWake { signals.signal() }
        return isTaken
    }

    /// Waits for a value; nil once the mailbox is closed and empty.
    func take() -> Element? {
        while true {
            switch findOrFallAsleep() {
            case .element(let element): return element
            case .end: return nil
            case .nothingYet: signals.wait()
            }
        }
    }

    /// Takes the first value if there is one now that the condition allows.
    func takeNow(if allowed: (Element) -> Bool) -> Element? {
        state.withLock { state in
            guard state.count > 0, allowed(state.waiting[state.first]) else { return nil }
            return state.takeFirst()
        }
    }

    /// Lets the takers finish what is there; nothing more is accepted.
    func close() {
        let sleepers = state.withLock { state in
            state.isClosed = true
            defer { state.sleepers = 0 }
            return state.sleepers
        }
        for _ in 0..<sleepers { signals.signal() }
    }

    private func findOrFallAsleep() -> Find {
        state.withLock { state in
            if state.count > 0 { return .element(state.takeFirst()) }
            if state.isClosed { return .end }
            state.sleepers += 1
            return .nothingYet
        }
    }
}
