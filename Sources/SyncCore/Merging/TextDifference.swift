/// A change between an ancestor and one side: these tokens there became those tokens here.
struct Change: Equatable {
    var base: Range<Int>
    var side: Range<Int>
}

/// Compares two tokenized texts.
enum TextDifference {
    /// How the tokens of a comparison are treated.
    enum Precision {
        /// As git compares lines: those that say little about the order are left out first.
        case lines
        /// Every token counts.
        case words
    }

    /// Returns the changes in order, with common tokens between any two; nil: too dear.
    ///
    /// Symbols are below `symbolCount`.
    static func changes(
        from base: TokenizedText, to side: TokenizedText, symbolCount: Int, _ precision: Precision,
        within budget: inout SearchBudget
    ) -> [Change]? {
        var marks1 = [Bool](repeating: false, count: base.count)
        var marks2 = [Bool](repeating: false, count: side.count)
        let middle = differingMiddle(base.symbols, side.symbols)
        let kept1: [Int32]
        let kept2: [Int32]
        switch precision {
        case .lines:
            let baseSieve = LineSieve(otherText: side.symbols, symbolCount: symbolCount)
            let sideSieve = LineSieve(otherText: base.symbols, symbolCount: symbolCount)
            kept1 = baseSieve.sift(base.symbols, in: middle.base, marking: &marks1)
            kept2 = sideSieve.sift(side.symbols, in: middle.side, marking: &marks2)
        case .words:
            kept1 = middle.base.map { Int32($0) }
            kept2 = middle.side.map { Int32($0) }
        }
        var search = EditSearch(
            from: kept1.map { base.symbols[Int($0)] }, to: kept2.map { side.symbols[Int($0)] })
        guard search.run(within: &budget) else { return nil }
        mark(search.removed, of: kept1, in: &marks1)
        mark(search.inserted, of: kept2, in: &marks2)

        var groups1 = ChangeGroups(symbols: base.symbols, marks: marks1)
        var groups2 = ChangeGroups(symbols: side.symbols, marks: marks2)
        groups1.settle(beside: &groups2, within: &budget)
        groups2.settle(beside: &groups1, within: &budget)
        guard !budget.isSpent else { return nil }
        return list(groups1.marks, groups2.marks)
    }

    /// Returns what is left of both texts without their equal beginning and their equal end.
    private static func differingMiddle(_ base: [Int32], _ side: [Int32]) -> Change {
        let shorter = min(base.count, side.count)
        var start = 0
        while start < shorter, base[start] == side[start] { start += 1 }
        var tail = 0
        while tail < shorter - start,
            base[base.count - 1 - tail] == side[side.count - 1 - tail]
        {
            tail += 1
        }
        return Change(base: start..<(base.count - tail), side: start..<(side.count - tail))
    }

    private static func mark(_ isChanged: [Bool], of kept: [Int32], in marks: inout [Bool]) {
        for (index, isChanged) in isChanged.enumerated() where isChanged {
            marks[Int(kept[index])] = true
        }
    }

    /// Reads the changes off the marks: unmarked tokens are common, and in the same order.
    private static func list(_ marks1: [Bool], _ marks2: [Bool]) -> [Change] {
        var changes: [Change] = []
        var index1 = 0
        var index2 = 0
        while index1 < marks1.count || index2 < marks2.count {
            let start1 = index1
            let start2 = index2
            while index1 < marks1.count, marks1[index1] { index1 += 1 }
            while index2 < marks2.count, marks2[index2] { index2 += 1 }
            if index1 > start1 || index2 > start2 {
                changes.append(Change(base: start1..<index1, side: start2..<index2))
            }
            index1 += 1
            index2 += 1
        }
        return changes
    }
}
