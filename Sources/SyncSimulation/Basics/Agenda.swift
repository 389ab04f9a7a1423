/// What is to happen, by virtual time; what was put in first comes first within one moment.
struct Agenda<Item> {
    private struct Entry {
        let time: Int64
        let sequence: UInt64
        /// Where its item is: what the heap moves about is small.
        let place: Int

        func isBefore(_ other: Entry) -> Bool {
            time < other.time || time == other.time && sequence < other.sequence
        }
    }

    private var heap: [Entry] = []
    private var items: [Item?] = []
    private var free: [Int] = []
    private var sequence: UInt64 = 0

    var nextTime: Int64? { heap.first?.time }

    mutating func add(_ item: consuming Item, at time: Int64) {
        sequence += 1
        heap.append(Entry(time: time, sequence: sequence, place: keep(item)))
        rise(from: heap.count - 1)
    }

    mutating func takeNext() -> (time: Int64, item: Item)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        guard let item = items[first.place].take() else { preconditionFailure("an empty place") }
        free.append(first.place)
        return (first.time, item)
    }

    private mutating func keep(_ item: consuming Item) -> Int {
        if let place = free.popLast() {
            items[place] = item
            return place
        }
        items.append(item)
        return items.count - 1
    }

    private mutating func rise(from start: Int) {
        let risen = heap[start]
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard risen.isBefore(heap[parent]) else { break }
            heap[index] = heap[parent]
            index = parent
        }
        heap[index] = risen
    }

    private mutating func sink() {
        let sunk = heap[0]
        var index = 0
        while true {
            var child = 2 * index + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
            guard heap[child].isBefore(sunk) else { break }
            heap[index] = heap[child]
            index = child
        }
        heap[index] = sunk
    }
}
