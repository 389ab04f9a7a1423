/// Walks over the groups of changed lines in one text, and slides them.
///
/// A group is a run of changed lines between two unchanged ones; it may be empty, so both texts of
/// a comparison have the same number of groups, one more than lines in common.
struct ChangeGroups {
    let symbols: [Int32]
    /// Which lines are changed.
    private(set) var marks: [Bool]
    /// The group that the walk is at.
    private(set) var start = 0
    private(set) var end = 0

    init(symbols: [Int32], marks: [Bool]) {
        self.symbols = symbols
        self.marks = marks
        rewind()
    }

    var isEmpty: Bool { start == end }
    var size: Int { end - start }

    /// Goes to the first group.
    mutating func rewind() {
        start = 0
        end = 0
        extendDown()
    }

    /// Goes to the next group; returns false at the last one.
    @discardableResult
    mutating func goDown() -> Bool {
        guard end < marks.count else { return false }
        start = end + 1
        end = start
        extendDown()
        return true
    }

    /// Goes to the group before; returns false at the first one.
    @discardableResult
    mutating func goUp() -> Bool {
        guard start > 0 else { return false }
        end = start - 1
        start = end
        extendUp()
        return true
    }

    /// Moves the group one line up, if the result reads the same; it takes in a group it meets.
    mutating func slideUp() -> Bool {
        guard start > 0, symbols[start - 1] == symbols[end - 1] else { return false }
        start -= 1
        end -= 1
        marks[start] = true
        marks[end] = false
        extendUp()
        return true
    }

    /// Moves the group one line down, if the result reads the same; it takes in a group it meets.
    mutating func slideDown() -> Bool {
        guard end < marks.count, symbols[start] == symbols[end] else { return false }
        marks[start] = false
        marks[end] = true
        start += 1
        end += 1
        extendDown()
        return true
    }

    private mutating func extendUp() {
        while start > 0, marks[start - 1] { start -= 1 }
    }

    private mutating func extendDown() {
        while end < marks.count, marks[end] { end += 1 }
    }
}

extension ChangeGroups {
    /// Slides every group to one agreed place, so that equal edits are seen as equal.
    ///
    /// A group that could stand in several places goes to the last of them where the other text
    /// has changed lines too, else to the last of all. It ends early when the budget is spent.
    mutating func settle(beside other: inout ChangeGroups, within budget: inout SearchBudget) {
        rewind()
        other.rewind()
        repeat {
            if !isEmpty { settleGroup(beside: &other, within: &budget) }
        } while !budget.isSpent && goDown() && other.goDown()
    }

    private mutating func settleGroup(
        beside other: inout ChangeGroups, within budget: inout SearchBudget
    ) {
        var lastBesideOther: Int?
        var topEnd = end
        var sizeBefore = 0
        // A group that takes in others slides by the same lines again, each time.
        repeat {
            sizeBefore = size
            lastBesideOther = nil
            while slideUp() {
                other.goUp()
                budget.spend(1)
            }
            topEnd = end
            if !other.isEmpty { lastBesideOther = end }
            while slideDown() {
                other.goDown()
                budget.spend(1)
                if !other.isEmpty { lastBesideOther = end }
            }
        } while size != sizeBefore && !budget.isSpent

        guard end != topEnd, lastBesideOther != nil else { return }
        while other.isEmpty, slideUp() {
            other.goUp()
            budget.spend(1)
        }
    }
}
