/// Values in their order, held in blocks, so that a change moves few of them.
///
/// Finding takes the logarithm of the count, a change about as long as copying one block.
struct SortedBlocks<Value: Comparable & Sendable>: Sendable {
    /// Each is sorted and has at least one value; the last of one is before the first of the next.
    private var blocks: [[Value]] = []

    private static var most: Int { 512 }

    /// A place between two values.
    struct Place: Sendable {
        fileprivate let block: Int
        fileprivate let offset: Int
    }

    init() {}

    /// - Precondition: The values are sorted.
    init(sorted values: [Value]) {
        let half = Self.most / 2
        var start = 0
        while start < values.count {
            let end = min(start + half, values.count)
            blocks.append(Array(values[start..<end]))
            start = end
        }
    }

    mutating func insert(_ value: Value) {
        guard !blocks.isEmpty else {
            blocks.append([value])
            return
        }
        let place = firstPlace { !($0 < value) }
        // Behind the last value of all is the end of the last block.
        let block = place.block == blocks.count ? place.block - 1 : place.block
        let offset = place.block == blocks.count ? blocks[block].count : place.offset
        blocks[block].insert(value, at: offset)
        guard blocks[block].count > Self.most else { return }
        let half = Self.most / 2
        let upper = Array(blocks[block][half...])
        blocks[block].removeLast(blocks[block].count - half)
        blocks.insert(upper, at: block + 1)
    }

    mutating func remove(_ value: Value) {
        let place = firstPlace { !($0 < value) }
        guard place.block < blocks.count, blocks[place.block][place.offset] == value else { return }
        blocks[place.block].remove(at: place.offset)
        if blocks[place.block].isEmpty { blocks.remove(at: place.block) }
    }

    /// The place before the first value for which the test is true.
    ///
    /// - Precondition: It is true of all values after one of which it is true.
    func firstPlace(where test: (Value) -> Bool) -> Place {
        let block = Self.first(in: 0..<blocks.count) { test(blocks[$0][blocks[$0].count - 1]) }
        guard block < blocks.count else { return Place(block: block, offset: 0) }
        let offset = Self.first(in: 0..<blocks[block].count) { test(blocks[block][$0]) }
        return Place(block: block, offset: offset)
    }

    private static func first(in range: Range<Int>, where test: (Int) -> Bool) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if test(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// How many values are between two places; none if the second is before the first.
    func count(from start: Place, to end: Place) -> Int {
        guard start.block < end.block else {
            return start.block == end.block ? max(0, end.offset - start.offset) : 0
        }
        var count = blocks[start.block].count - start.offset + end.offset
        for block in (start.block + 1)..<end.block { count += blocks[block].count }
        return count
    }

    /// Calls the closure with each value between two places, in order.
    func forEach(from start: Place, to end: Place, _ body: (Value) -> Void) {
        var (block, offset) = (start.block, start.offset)
        while block < end.block || (block == end.block && offset < end.offset) {
            body(blocks[block][offset])
            offset += 1
            if offset == blocks[block].count { (block, offset) = (block + 1, 0) }
        }
    }
}
