/// What came first is taken first; neither end moves the rest.
struct Queue<Element> {
    private var elements: [Element?] = []
    private var first = 0

    var isEmpty: Bool { first == elements.count }

    static func += (queue: inout Queue, more: [Element]) {
        for element in more { queue.elements.append(element) }
    }

    mutating func takeFirst() -> Element? {
        guard first < elements.count, let element = elements[first].take() else { return nil }
        first += 1
        if first == elements.count {
            elements.removeAll(keepingCapacity: true)
            first = 0
        }
        return element
    }
}
