/// A part of three texts, in tokens, and what a merge makes of it.
struct MergeRegion {
    enum Outcome {
        /// No side changed it.
        case unchanged
        /// The first side alone changed it, or both alike.
        case first
        /// The second side alone changed it.
        case second
        /// Both changed it, each in its own way.
        case conflict
    }

    var outcome: Outcome
    var base: Range<Int>
    var first: Range<Int>
    var second: Range<Int>
}

/// Lays the changes of two sides over their ancestor.
///
/// Changes that overlap or touch belong to one region; that is a conflict unless both sides read
/// the same there.
struct RegionWalk {
    private let texts: (base: TokenizedText, first: TokenizedText, second: TokenizedText)
    private let changes1: [Change]
    private let changes2: [Change]
    private var next1 = 0
    private var next2 = 0
    /// How far all three texts are covered.
    private var end = (base: 0, first: 0, second: 0)
    private var regions: [MergeRegion] = []

    /// Returns the regions of three texts, which they cover in order and without a gap.
    static func regions(
        base: TokenizedText, first: TokenizedText, second: TokenizedText,
        _ changes1: [Change], _ changes2: [Change]
    ) -> [MergeRegion] {
        var walk = RegionWalk(
            texts: (base, first, second), changes1: changes1, changes2: changes2)
        walk.run()
        return walk.regions
    }

    private init(
        texts: (base: TokenizedText, first: TokenizedText, second: TokenizedText),
        changes1: [Change], changes2: [Change]
    ) {
        self.texts = texts
        self.changes1 = changes1
        self.changes2 = changes2
    }

    private mutating func run() {
        while let start = nextStart {
            coverUnchanged(upTo: start)
            coverChanged()
        }
        coverUnchanged(upTo: texts.base.count)
    }

    /// Where in the base the next change of either side begins.
    private var nextStart: Int? {
        let start1 = next1 < changes1.count ? changes1[next1].base.lowerBound : nil
        let start2 = next2 < changes2.count ? changes2[next2].base.lowerBound : nil
        guard let start1 else { return start2 }
        guard let start2 else { return start1 }
        return min(start1, start2)
    }

    private mutating func coverUnchanged(upTo baseEnd: Int) {
        let count = baseEnd - end.base
        if count > 0 { cover(.unchanged, base: count, first: count, second: count) }
    }

    /// Covers the next change with all that it overlaps or touches, directly or through others.
    private mutating func coverChanged() {
        let from1 = next1
        let from2 = next2
        var baseEnd = end.base
        var grows = true
        while grows {
            grows = false
            if next1 < changes1.count, changes1[next1].base.lowerBound <= baseEnd {
                baseEnd = max(baseEnd, changes1[next1].base.upperBound)
                next1 += 1
                grows = true
            }
            if next2 < changes2.count, changes2[next2].base.lowerBound <= baseEnd {
                baseEnd = max(baseEnd, changes2[next2].base.upperBound)
                next2 += 1
                grows = true
            }
        }
        let count = baseEnd - end.base
        let count1 = count + Self.growth(of: changes1[from1..<next1])
        let count2 = count + Self.growth(of: changes2[from2..<next2])
        let outcome: MergeRegion.Outcome
        if from2 == next2 {
            outcome = .first
        } else if from1 == next1 {
            outcome = .second
        } else {
            outcome = readAlike(count1, count2) ? .first : .conflict
        }
        cover(outcome, base: count, first: count1, second: count2)
    }

    private static func growth(of changes: ArraySlice<Change>) -> Int {
        var growth = 0
        for change in changes { growth += change.side.count - change.base.count }
        return growth
    }

    private func readAlike(_ count1: Int, _ count2: Int) -> Bool {
        guard count1 == count2 else { return false }
        for offset in 0..<count1
        where texts.first.symbols[end.first + offset] != texts.second.symbols[end.second + offset] {
            return false
        }
        return true
    }

    private mutating func cover(
        _ outcome: MergeRegion.Outcome, base: Int, first: Int, second: Int
    ) {
        regions.append(
            MergeRegion(
                outcome: outcome, base: end.base..<(end.base + base),
                first: end.first..<(end.first + first),
                second: end.second..<(end.second + second)))
        end = (end.base + base, end.first + first, end.second + second)
    }
}
