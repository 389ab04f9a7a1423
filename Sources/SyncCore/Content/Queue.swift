/// What came first is taken first; neither end moves the rest.
package struct Queue<Element> {
    private var elements: [Element?] = []
    private var first = 0

    package init() {}

    package var isEmpty: Bool { first == elements.count }

    package mutating func append(_ element: Element) { elements.append(element) }

    package static func += (queue: inout Queue, more: [Element]) {
        for element in more { queue.append(element) }
    }

    package mutating func takeFirst() -> Element? {
        guard first < elements.count, let element = elements[first].take() else { return nil }
        first += 1
        if first == elements.count {
            elements.removeAll(keepingCapacity: first < Queue.slack)
            first = 0
        } else if first >= Queue.slack, first > elements.count / 2 {
            elements.removeFirst(first)
            first = 0
        }
        return element
    }

    /// So many that were taken may lie before the first.
    private static var slack: Int { 1_024 }
}

extension Queue: Sendable where Element: Sendable {}
