/// What is to happen, by virtual time; what was put in first comes first within one moment.
struct Agenda<Item> {
    private struct Entry {
        let time: Int64
        let sequence: UInt64
        let item: Item

        func isBefore(_ other: Entry) -> Bool {
            (time, sequence) < (other.time, other.sequence)
        }
    }

    private var heap: [Entry] = []
    private var sequence: UInt64 = 0

    var nextTime: Int64? { heap.first?.time }

    mutating func add(_ item: Item, at time: Int64) {
        sequence += 1
        heap.append(Entry(time: time, sequence: sequence, item: item))
        rise(from: heap.count - 1)
    }

    mutating func takeNext() -> (time: Int64, item: Item)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return (first.time, first.item)
    }

    private mutating func rise(from start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index].isBefore(heap[parent]) else { return }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    private mutating func sink() {
        var index = 0
        while true {
            var smallest = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
                if heap[child].isBefore(heap[smallest]) { smallest = child }
            }
            guard smallest != index else { return }
            heap.swapAt(index, smallest)
            index = smallest
        }
    }
}
