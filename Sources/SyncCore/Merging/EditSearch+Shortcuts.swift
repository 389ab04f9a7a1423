/// Where a dear search is cut short: at a promising path, or at the furthest one.
extension EditSearch {
    /// Returns the end of the path that came far for its cost and lies on a good run, if any does.
    func promisingCut(
        _ ahead: SearchFront, _ behind: SearchFront, in box: Box, cost: Int
    ) -> Cut? {
        if var cut = promisingEnd(
            of: ahead, cost: cost,
            distance: { ($0 - box.first.lowerBound) + ($1 - box.second.lowerBound) },
            isOnGoodRun: { isAfterGoodRun($0, $1, in: box) })
        {
            cut.isExactAfter = false
            return cut
        }
        if var cut = promisingEnd(
            of: behind, cost: cost,
            distance: { (box.first.upperBound - $0) + (box.second.upperBound - $1) },
            isOnGoodRun: { isBeforeGoodRun($0, $1, in: box) })
        {
            cut.isExactBefore = false
            return cut
        }
        return nil
    }

    private func promisingEnd(
        of front: SearchFront, cost: Int, distance: (Int, Int) -> Int,
        isOnGoodRun: (Int, Int) -> Bool
    ) -> Cut? {
        var best = 0
        var found: Cut?
        for diagonal in stride(from: front.high, through: front.low, by: -2) {
            let index1 = front[diagonal]
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

    /// Returns the end of the path that came furthest, from either end of the box.
    func furthestCut(_ ahead: SearchFront, _ behind: SearchFront, in box: Box) -> Cut {
        var far = (sum: -1, first: -1)
        for diagonal in stride(from: ahead.high, through: ahead.low, by: -2) {
            var index = min(ahead[diagonal], box.first.upperBound)
            if index - diagonal > box.second.upperBound { index = box.second.upperBound + diagonal }
            if far.sum < 2 * index - diagonal { far = (2 * index - diagonal, index) }
        }
        var near = (sum: Int.max, first: Int.max)
        for diagonal in stride(from: behind.high, through: behind.low, by: -2) {
            var index = max(behind[diagonal], box.first.lowerBound)
            if index - diagonal < box.second.lowerBound { index = box.second.lowerBound + diagonal }
            if 2 * index - diagonal < near.sum { near = (2 * index - diagonal, index) }
        }
        let distanceAhead = far.sum - (box.first.lowerBound + box.second.lowerBound)
        let distanceBehind = box.first.upperBound + box.second.upperBound - near.sum
        if distanceBehind < distanceAhead {
            return Cut(first: far.first, second: far.sum - far.first, isExactAfter: false)
        }
        return Cut(first: near.first, second: near.sum - near.first, isExactBefore: false)
    }
}
