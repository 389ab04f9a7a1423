/// Two texts and their ancestor, cut into tokens and compared by one table of symbols.
struct ThreeTexts {
    let base: TokenizedText
    let first: TokenizedText
    let second: TokenizedText
    private let symbolCount: Int

    /// Cuts three texts into lines.
    init(linesOf base: [UInt8], _ first: [UInt8], _ second: [UInt8]) {
        var table = SymbolTable()
        self.base = table.lines(of: base)
        self.first = table.lines(of: first)
        self.second = table.lines(of: second)
        symbolCount = table.count
    }

    /// Cuts three texts into words, and what stands between words.
    init(wordsOf base: [UInt8], _ first: [UInt8], _ second: [UInt8]) {
        var table = SymbolTable()
        self.base = table.words(of: base)
        self.first = table.words(of: first)
        self.second = table.words(of: second)
        symbolCount = table.count
    }

    /// Returns the regions of the merge, or nil if finding them is too dear.
    func regions(
        _ precision: TextDifference.Precision, within budget: inout SearchBudget
    ) -> [MergeRegion]? {
        guard
            let changes1 = TextDifference.changes(
                from: base, to: first, symbolCount: symbolCount, precision, within: &budget),
            let changes2 = TextDifference.changes(
                from: base, to: second, symbolCount: symbolCount, precision, within: &budget)
        else { return nil }
        // What both cost together decides, so that the order of the sides does not.
        guard !budget.isSpent else { return nil }
        return RegionWalk.regions(base: base, first: first, second: second, changes1, changes2)
    }

    /// Returns the merge by lines.
    func mergedByLines(within budget: inout SearchBudget) -> TextMergeResult {
        guard let regions = regions(.lines, within: &budget) else {
            return .conflict([
                ConflictRegion(
                    base: 0..<base.count, first: 0..<first.count, second: 0..<second.count)
            ])
        }
        let conflicts = regions.filter { $0.outcome == .conflict }
        guard conflicts.isEmpty else {
            return .conflict(
                conflicts.map {
                    ConflictRegion(base: $0.base, first: $0.first, second: $0.second)
                })
        }
        var merged: [UInt8] = []
        merged.reserveCapacity(max(first.bytes.count, second.bytes.count))
        for region in regions { merged += bytes(of: region) }
        return .merged(merged)
    }

    /// Returns what the merge has in a region that is no conflict.
    func bytes(of region: MergeRegion) -> ArraySlice<UInt8> {
        region.outcome == .second
            ? second.bytes(of: region.second) : first.bytes(of: region.first)
    }
}
