/// Finds a short list of deletions and insertions between two sequences of symbols.
///
/// Myers' search from both ends at once: linear in space, and in time about the length times the
/// number of differences. It gives up exactness where that gets dear, by the same rules as git, so
/// that both see the same lines as changed: time is then bounded by length times its square root.
struct EditSearch {
    /// A run of this many equal symbols is a sign that a path is on the right way.
    private static let goodRun = 20
    /// Below this cost the search is always exact.
    private static let exactCost = 256
    /// How far, in symbols for each unit of cost, a path must have come to be taken at once.
    private static let goodPace = 4

    /// A part of both sequences that is still to be compared.
    private struct Box {
        var first: Range<Int>
        var second: Range<Int>
        /// Asks for the exact answer, whatever it costs.
        var exact: Bool
    }

    /// Where a box is cut in two, and which of the halves must be searched exactly.
    private struct Cut {
        var first: Int
        var second: Int
        var exactBefore = true
        var exactAfter = true
    }

    private let first: [Int32]
    private let second: [Int32]
    private let costLimit: Int
    /// Furthest reach in `first` of paths from the start, and from the end, for each diagonal.
    private var ahead: [Int32]
    private var behind: [Int32]
    /// The index of diagonal 0 in both.
    private let zero: Int

    /// The positions of `first` that have no partner in `second`.
    private(set) var removed: [Bool]
    /// The positions of `second` that have no partner in `first`.
    private(set) var inserted: [Bool]

    /// Prepares a search between two sequences.
    init(from first: [Int32], to second: [Int32]) {
        self.first = first
        self.second = second
        let diagonals = first.count + second.count + 3
        costLimit = max(Self.exactCost, roughSquareRoot(diagonals))
        zero = second.count + 1
        ahead = [Int32](repeating: 0, count: diagonals)
        behind = [Int32](repeating: 0, count: diagonals)
        removed = [Bool](repeating: false, count: first.count)
        inserted = [Bool](repeating: false, count: second.count)
    }

    /// Marks what differs; returns false if the budget was spent before the end.
    mutating func run(within budget: inout SearchBudget) -> Bool {
        var boxes = [Box(first: 0..<first.count, second: 0..<second.count, exact: false)]
        while let whole = boxes.popLast() {
            let box = withoutEqualEnds(whole, &budget)
            if box.first.isEmpty {
                for index in box.second { inserted[index] = true }
            } else if box.second.isEmpty {
                for index in box.first { removed[index] = true }
            } else {
                let cut = middle(of: box, &budget)
                if budget.isSpent { return false }
                boxes.append(
                    Box(
                        first: box.first.lowerBound..<cut.first,
                        second: box.second.lowerBound..<cut.second, exact: cut.exactBefore))
                boxes.append(
                    Box(
                        first: cut.first..<box.first.upperBound,
                        second: cut.second..<box.second.upperBound, exact: cut.exactAfter))
            }
        }
        return true
    }

    private func withoutEqualEnds(_ box: Box, _ budget: inout SearchBudget) -> Box {
        var low1 = box.first.lowerBound
        var low2 = box.second.lowerBound
        var high1 = box.first.upperBound
        var high2 = box.second.upperBound
        while low1 < high1, low2 < high2, first[low1] == second[low2] {
            low1 += 1
            low2 += 1
        }
        while low1 < high1, low2 < high2, first[high1 - 1] == second[high2 - 1] {
            high1 -= 1
            high2 -= 1
        }
        budget.spend(1 + box.first.count - (high1 - low1))
        return Box(first: low1..<high1, second: low2..<high2, exact: box.exact)
    }

    /// Returns where a shortest path through a box, or a good one, crosses its middle.
    private mutating func middle(of box: Box, _ budget: inout SearchBudget) -> Cut {
        var forward = Front(
            diagonal: box.first.lowerBound - box.second.lowerBound,
            within: box.first.lowerBound - box.second.upperBound,
            box.first.upperBound - box.second.lowerBound)
        var backward = Front(
            diagonal: box.first.upperBound - box.second.upperBound,
            within: forward.lowest, forward.highest)
        ahead[zero + forward.middle] = Int32(box.first.lowerBound)
        behind[zero + backward.middle] = Int32(box.first.upperBound)
        let meetsAhead = (forward.middle - backward.middle) & 1 != 0

        var cost = 1
        while true {
            widen(&forward, &ahead, edge: -1)
            var sawGoodRun = false
            if let cut = advance(
                forward, in: box, meeting: meetsAhead ? backward : nil, &sawGoodRun, &budget)
            {
                return cut
            }
            widen(&backward, &behind, edge: Int32.max)
            if let cut = retreat(
                backward, in: box, meeting: meetsAhead ? nil : forward, &sawGoodRun, &budget)
            {
                return cut
            }
            if budget.isSpent {
                return Cut(first: box.first.lowerBound, second: box.second.lowerBound)
            }
            if !box.exact {
                if sawGoodRun, cost > Self.exactCost,
                    let cut = promisingCut(forward, backward, in: box, cost: cost)
                {
                    return cut
                }
                if cost >= costLimit { return furthestCut(forward, backward, in: box) }
            }
            cost += 1
        }
    }
}

/// The diagonals that the paths from one end have reached: every second one from `low` to `high`.
private struct Front {
    let middle: Int
    var low: Int
    var high: Int
    /// The diagonals that the box has at all.
    let lowest: Int
    let highest: Int

    init(diagonal: Int, within lowest: Int, _ highest: Int) {
        middle = diagonal
        low = diagonal
        high = diagonal
        self.lowest = lowest
        self.highest = highest
    }
}

extension EditSearch {
    /// Opens a front by one diagonal on each side, or closes it where the box ends.
    private func widen(_ front: inout Front, _ reach: inout [Int32], edge: Int32) {
        if front.low > front.lowest {
            front.low -= 1
            reach[zero + front.low - 1] = edge
        } else {
            front.low += 1
        }
        if front.high < front.highest {
            front.high += 1
            reach[zero + front.high + 1] = edge
        } else {
            front.high -= 1
        }
    }

    /// Takes each path from the start one change further; returns where one meets a path behind.
    private mutating func advance(
        _ front: Front, in box: Box, meeting other: Front?, _ sawGoodRun: inout Bool,
        _ budget: inout SearchBudget
    ) -> Cut? {
        let end1 = box.first.upperBound
        let end2 = box.second.upperBound
        var walked = 0
        defer { budget.spend(walked) }
        var diagonal = front.high
        while diagonal >= front.low {
            let slot = zero + diagonal
            let below = Int(ahead[slot - 1])
            let above = Int(ahead[slot + 1])
            let start = below >= above ? below + 1 : above
            var index = start
            while index < end1, index - diagonal < end2, first[index] == second[index - diagonal] {
                index += 1
            }
            walked += 1 + index - start
            if index - start > Self.goodRun { sawGoodRun = true }
            ahead[slot] = Int32(index)
            if let other, other.low <= diagonal, diagonal <= other.high,
                Int(behind[slot]) <= index
            {
                return Cut(first: index, second: index - diagonal)
            }
            diagonal -= 2
        }
        return nil
    }

    /// Takes each path from the end one change further; returns where one meets a path ahead.
    private mutating func retreat(
        _ front: Front, in box: Box, meeting other: Front?, _ sawGoodRun: inout Bool,
        _ budget: inout SearchBudget
    ) -> Cut? {
        let start1 = box.first.lowerBound
        let start2 = box.second.lowerBound
        var walked = 0
        defer { budget.spend(walked) }
        var diagonal = front.high
        while diagonal >= front.low {
            let slot = zero + diagonal
            let below = Int(behind[slot - 1])
            let above = Int(behind[slot + 1])
            let start = below < above ? below : above - 1
            var index = start
            while index > start1, index - diagonal > start2,
                first[index - 1] == second[index - diagonal - 1]
            {
                index -= 1
            }
            walked += 1 + start - index
            if start - index > Self.goodRun { sawGoodRun = true }
            behind[slot] = Int32(index)
            if let other, other.low <= diagonal, diagonal <= other.high, index <= Int(ahead[slot]) {
                return Cut(first: index, second: index - diagonal)
            }
            diagonal -= 2
        }
        return nil
    }
}

extension EditSearch {
    /// Returns the end of the path that came far for its cost and lies on a good run, if any does.
    private func promisingCut(
        _ forward: Front, _ backward: Front, in box: Box, cost: Int
    ) -> Cut? {
        if let cut = promisingEnd(
            of: forward, ahead, cost: cost,
            distance: { ($0 - box.first.lowerBound) + ($1 - box.second.lowerBound) },
            isOnGoodRun: { isAfterGoodRun($0, $1, in: box) })
        {
            return Cut(first: cut.first, second: cut.second, exactAfter: false)
        }
        if let cut = promisingEnd(
            of: backward, behind, cost: cost,
            distance: { (box.first.upperBound - $0) + (box.second.upperBound - $1) },
            isOnGoodRun: { isBeforeGoodRun($0, $1, in: box) })
        {
            return Cut(first: cut.first, second: cut.second, exactBefore: false)
        }
        return nil
    }

    private func promisingEnd(
        of front: Front, _ reach: [Int32], cost: Int, distance: (Int, Int) -> Int,
        isOnGoodRun: (Int, Int) -> Bool
    ) -> Cut? {
        var best = 0
        var found: Cut?
        for diagonal in stride(from: front.high, through: front.low, by: -2) {
            let index1 = Int(reach[zero + diagonal])
            let index2 = index1 - diagonal
            // Paths far from the middle have their lead from skipping one side.
            let value = distance(index1, index2) - abs(diagonal - front.middle)
            if value > Self.goodPace * cost, value > best, isOnGoodRun(index1, index2) {
                best = value
                found = Cut(first: index1, second: index2)
            }
        }
        return found
    }

    private func isAfterGoodRun(_ index1: Int, _ index2: Int, in box: Box) -> Bool {
        guard box.first.lowerBound + Self.goodRun <= index1, index1 < box.first.upperBound,
            box.second.lowerBound + Self.goodRun <= index2, index2 < box.second.upperBound
        else { return false }
        for back in 1...Self.goodRun where first[index1 - back] != second[index2 - back] {
            return false
        }
        return true
    }

    private func isBeforeGoodRun(_ index1: Int, _ index2: Int, in box: Box) -> Bool {
        guard box.first.lowerBound < index1, index1 <= box.first.upperBound - Self.goodRun,
            box.second.lowerBound < index2, index2 <= box.second.upperBound - Self.goodRun
        else { return false }
        for step in 0..<Self.goodRun where first[index1 + step] != second[index2 + step] {
            return false
        }
        return true
    }

    /// Returns the end of the path that came furthest from either end of the box.
    private func furthestCut(_ forward: Front, _ backward: Front, in box: Box) -> Cut {
        var far = (sum: -1, first: -1)
        for diagonal in stride(from: forward.high, through: forward.low, by: -2) {
            var index = min(Int(ahead[zero + diagonal]), box.first.upperBound)
            if index - diagonal > box.second.upperBound { index = box.second.upperBound + diagonal }
            if far.sum < 2 * index - diagonal { far = (2 * index - diagonal, index) }
        }
        var near = (sum: Int.max, first: Int.max)
        for diagonal in stride(from: backward.high, through: backward.low, by: -2) {
            var index = max(Int(behind[zero + diagonal]), box.first.lowerBound)
            if index - diagonal < box.second.lowerBound { index = box.second.lowerBound + diagonal }
            if 2 * index - diagonal < near.sum { near = (2 * index - diagonal, index) }
        }
        let comeAhead = far.sum - (box.first.lowerBound + box.second.lowerBound)
        let comeBack = box.first.upperBound + box.second.upperBound - near.sum
        if comeBack < comeAhead {
            return Cut(first: far.first, second: far.sum - far.first, exactAfter: false)
        }
        return Cut(first: near.first, second: near.sum - near.first, exactBefore: false)
    }
}

/// Returns the power of two at or a little above a number's square root.
func roughSquareRoot(_ number: Int) -> Int {
    var root = 1
    var rest = number
    while rest > 0 {
        root <<= 1
        rest >>= 2
    }
    return root
}
