/// Finds a short list of deletions and insertions between two sequences of symbols.
///
/// Myers' search from both ends at once: linear in space, and in time about the length times the
/// number of differences. It gives up exactness where that gets dear, by the same rules as git, so
/// that both see the same lines as changed: time is then bounded by length times its square root.
struct EditSearch {
    /// A run of this many equal symbols is a sign that a path is on the right way.
    static let goodRun = 20
    /// Below this cost the search is always exact.
    static let exactCost = 256
    /// How far, in symbols for each unit of cost, a path must have come to be taken at once.
    static let goodPace = 4

    /// A part of both sequences that is still to be compared.
    struct Box {
        var first: Range<Int>
        var second: Range<Int>
        /// Asks for the exact answer, whatever it costs.
        var isExact: Bool
    }

    /// Where a box is cut in two, and which of the halves must be searched exactly.
    struct Cut {
        var first: Int
        var second: Int
        var isExactBefore = true
        var isExactAfter = true
    }

    let first: [Int32]
    let second: [Int32]
    private let costLimit: Int
    /// An exact box is only ever cut off a path within the limit, so the limit holds for it too.
    private var ahead: SearchFront
    private var behind: SearchFront

    /// The positions of `first` that have no partner in `second`.
    private(set) var removed: [Bool]
    /// The positions of `second` that have no partner in `first`.
    private(set) var inserted: [Bool]

    /// Prepares a search between two sequences.
    init(from first: [Int32], to second: [Int32]) {
        self.first = first
        self.second = second
        costLimit = max(Self.exactCost, roughSquareRoot(first.count + second.count + 3))
        ahead = SearchFront(cost: costLimit, edge: -1)
        behind = SearchFront(cost: costLimit, edge: Int32.max)
        removed = [Bool](repeating: false, count: first.count)
        inserted = [Bool](repeating: false, count: second.count)
    }

    /// Marks what differs; returns false if the budget was spent before the end.
    mutating func run(within budget: inout SearchBudget) -> Bool {
        var boxes = [Box(first: 0..<first.count, second: 0..<second.count, isExact: false)]
        while let whole = boxes.popLast() {
            let box = withoutEqualEnds(whole, &budget)
            if box.first.isEmpty {
                for index in box.second { inserted[index] = true }
            } else if box.second.isEmpty {
                for index in box.first { removed[index] = true }
            } else {
                guard let cut = middle(of: box, &budget) else { return false }
                boxes.append(
                    Box(
                        first: box.first.lowerBound..<cut.first,
                        second: box.second.lowerBound..<cut.second, isExact: cut.isExactBefore))
                boxes.append(
                    Box(
                        first: cut.first..<box.first.upperBound,
                        second: cut.second..<box.second.upperBound, isExact: cut.isExactAfter))
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
        return Box(first: low1..<high1, second: low2..<high2, isExact: box.isExact)
    }

    /// Returns where a shortest path through a box, or a good one, crosses its middle.
    ///
    /// Paths from both ends get one change longer in turn until two of them meet; which end's step
    /// can meet follows from the parity of the distance. Nil: the budget is spent.
    private mutating func middle(of box: Box, _ budget: inout SearchBudget) -> Cut? {
        let lowest = box.first.lowerBound - box.second.upperBound
        let highest = box.first.upperBound - box.second.lowerBound
        ahead.start(
            at: box.first.lowerBound, diagonal: box.first.lowerBound - box.second.lowerBound,
            lowest: lowest, highest: highest)
        behind.start(
            at: box.first.upperBound, diagonal: box.first.upperBound - box.second.upperBound,
            lowest: lowest, highest: highest)
        let meetsAhead = (ahead.middle - behind.middle) & 1 != 0

        var cost = 1
        while !budget.isSpent {
            var sawGoodRun = false
            ahead.widen()
            if let cut = advance(in: box, mayMeet: meetsAhead, &sawGoodRun, &budget) {
                return cut
            }
            behind.widen()
            if let cut = retreat(in: box, mayMeet: !meetsAhead, &sawGoodRun, &budget) {
                return cut
            }
            if !box.isExact {
                if sawGoodRun, cost > Self.exactCost,
                    let cut = promisingCut(ahead, behind, in: box, cost: cost)
                {
                    return cut
                }
                if cost >= costLimit { return furthestCut(ahead, behind, in: box) }
            }
            cost += 1
        }
        return nil
    }

    /// Takes each path from the start one change further; returns where one meets a path behind.
    private mutating func advance(
        in box: Box, mayMeet: Bool, _ sawGoodRun: inout Bool, _ budget: inout SearchBudget
    ) -> Cut? {
        let end1 = box.first.upperBound
        let end2 = box.second.upperBound
        var walked = 0
        defer { budget.spend(walked) }
        var diagonal = ahead.high
        while diagonal >= ahead.low {
            let below = ahead[diagonal - 1]
            let above = ahead[diagonal + 1]
            let start = below >= above ? below + 1 : above
            var index = start
            while index < end1, index - diagonal < end2, first[index] == second[index - diagonal] {
                index += 1
            }
            walked += 1 + index - start
            if index - start > Self.goodRun { sawGoodRun = true }
            ahead[diagonal] = index
            if mayMeet, behind.covers(diagonal), behind[diagonal] <= index {
                return Cut(first: index, second: index - diagonal)
            }
            diagonal -= 2
        }
        return nil
    }

    /// Takes each path from the end one change further; returns where one meets a path ahead.
    private mutating func retreat(
        in box: Box, mayMeet: Bool, _ sawGoodRun: inout Bool, _ budget: inout SearchBudget
    ) -> Cut? {
        let start1 = box.first.lowerBound
        let start2 = box.second.lowerBound
        var walked = 0
        defer { budget.spend(walked) }
        var diagonal = behind.high
        while diagonal >= behind.low {
            let below = behind[diagonal - 1]
            let above = behind[diagonal + 1]
            let start = below < above ? below : above - 1
            var index = start
            while index > start1, index - diagonal > start2,
                first[index - 1] == second[index - diagonal - 1]
            {
                index -= 1
            }
            walked += 1 + start - index
            if start - index > Self.goodRun { sawGoodRun = true }
            behind[diagonal] = index
            if mayMeet, ahead.covers(diagonal), index <= ahead[diagonal] {
                return Cut(first: index, second: index - diagonal)
            }
            diagonal -= 2
        }
        return nil
    }
}

/// Returns the power of two at a number's square root, or a little above.
func roughSquareRoot(_ number: Int) -> Int {
    var root = 1
    var rest = number
    while rest > 0 {
        root <<= 1
        rest >>= 2
    }
    return root
}
