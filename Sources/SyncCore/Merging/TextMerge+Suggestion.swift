extension TextMerge {
    /// The longest conflict that is merged by words, in bytes of all three texts.
    ///
    /// Nobody reads through more to accept it, and words take far more memory than lines.
    static let wordwiseLimit = 1 << 20

    /// Returns a merge by words, for a person to accept or to refuse; nil where there is none.
    ///
    /// Lines that merge are merged as ever. Lines that both sides changed are merged word by word;
    /// what both sides inserted at one place comes in the order of its bytes. No word that a side
    /// inserted is missing, and the order of the sides makes no difference. Never take it without
    /// asking: words that merge need not make sense together.
    package static func suggestion(
        base: [UInt8], first: [UInt8], second: [UInt8]
    ) -> [UInt8]? {
        guard TextRule.isText(base), TextRule.isText(first), TextRule.isText(second) else {
            return nil
        }
        var budget = SearchBudget.whole
        let texts = ThreeTexts(linesOf: base, first, second)
        return texts.joined(.lines, within: &budget) { region, budget in
            guard !region.base.isEmpty else { return texts.bothInsertions(in: region, .lines) }
            let base = Array(texts.base.bytes(of: region.base))
            let first = Array(texts.first.bytes(of: region.first))
            let second = Array(texts.second.bytes(of: region.second))
            guard base.count + first.count + second.count <= wordwiseLimit else { return nil }
            let words = ThreeTexts(wordsOf: base, first, second)
            return words.joined(.words, within: &budget) { region, _ in
                words.bothInsertions(in: region, .words)
            }
        }
    }
}

extension ThreeTexts {
    /// Returns the merge, with conflicts settled by `settle`, or nil if it settles one with nil.
    fileprivate func joined(
        _ precision: TextDifference.Precision, within budget: inout SearchBudget,
        settle: (MergeRegion, inout SearchBudget) -> [UInt8]?
    ) -> [UInt8]? {
        guard let regions = regions(precision, within: &budget) else { return nil }
        var joined: [UInt8] = []
        joined.reserveCapacity(max(first.bytes.count, second.bytes.count))
        for region in regions {
            if region.outcome == .conflict {
                guard let settled = settle(region, &budget) else { return nil }
                joined += settled
            } else {
                joined += bytes(of: region)
            }
        }
        return joined
    }

    /// Returns what both sides inserted at one place, one after the other, their common ends once.
    ///
    /// Nil if the base has something there, or if the two cannot stand side by side. Both may need
    /// the common end of their own to stand apart: "red " and "big " before "cat".
    fileprivate func bothInsertions(
        in region: MergeRegion, _ precision: TextDifference.Precision
    ) -> [UInt8]? {
        guard region.base.isEmpty else { return nil }
        let shorter = min(region.first.count, region.second.count)
        var head = 0
        while head < shorter, areEqual(region, fromStart: head) { head += 1 }
        var tail = 0
        while tail < shorter - head, areEqual(region, fromEnd: tail) { tail += 1 }
        return bothInsertions(in: region, commonHead: head, commonTail: tail, precision)
            ?? bothInsertions(in: region, commonHead: head, commonTail: 0, precision)
    }

    private func bothInsertions(
        in region: MergeRegion, commonHead head: Int, commonTail tail: Int,
        _ precision: TextDifference.Precision
    ) -> [UInt8]? {
        let middle1 = (region.first.lowerBound + head)..<(region.first.upperBound - tail)
        let middle2 = (region.second.lowerBound + head)..<(region.second.upperBound - tail)
        guard
            let middle = Self.sideBySide(
                first.bytes(of: middle1), second.bytes(of: middle2), precision)
        else { return nil }
        return Array(first.bytes(of: region.first.lowerBound..<middle1.lowerBound)) + middle
            + first.bytes(of: middle1.upperBound..<region.first.upperBound)
    }

    private func areEqual(_ region: MergeRegion, fromStart offset: Int) -> Bool {
        first.symbols[region.first.lowerBound + offset]
            == second.symbols[region.second.lowerBound + offset]
    }

    private func areEqual(_ region: MergeRegion, fromEnd offset: Int) -> Bool {
        first.symbols[region.first.upperBound - 1 - offset]
            == second.symbols[region.second.upperBound - 1 - offset]
    }

    /// Returns two runs of bytes in the order of their bytes, or in the other if only that fits.
    private static func sideBySide(
        _ one: ArraySlice<UInt8>, _ two: ArraySlice<UInt8>, _ precision: TextDifference.Precision
    ) -> ArraySlice<UInt8>? {
        let (lower, upper) = one.lexicographicallyPrecedes(two) ? (one, two) : (two, one)
        if fits(lower, before: upper, precision) { return lower + upper }
        return fits(upper, before: lower, precision) ? upper + lower : nil
    }

    /// Returns whether two runs stay apart: whole lines, or words that do not grow together.
    private static func fits(
        _ one: ArraySlice<UInt8>, before two: ArraySlice<UInt8>,
        _ precision: TextDifference.Precision
    ) -> Bool {
        guard let last = one.last, let next = two.first else { return true }
        switch precision {
        case .lines: return last == 0x0A
        case .words: return !(WordRule.isInWord(last) && WordRule.isInWord(next))
        }
    }
}
