package import SyncCore

/// One random merge of each kind, and what must hold of it.
package struct MergeTrial: Sendable {
    package let seed: UInt64
    /// What does not hold, in words.
    package private(set) var violations: [String] = []
    /// Whether the random edits merged: if few did, little was tried.
    package private(set) var isMerged = false

    package init(seed: UInt64) {
        self.seed = seed
        var edits = RandomEdits(seed: seed)
        let (base, first, second) = edits.triple(lineLimit: 24)
        tryRandom(base, first, second)
        tryKnown(KnownMerge(using: &edits))
        let third = edits.triple(lineLimit: 24).first
        tryThreeDevices(ThreeDevices(base: base, texts: [first, second, third]), &edits)
        let apart = KnownMerge(using: &edits)
        let other = KnownMerge.other(of: apart.base, using: &edits)
        tryThreeDevices(
            ThreeDevices(base: apart.base, texts: [apart.first, apart.second, other]), &edits)
    }

    private mutating func require(_ holds: Bool, _ text: String) {
        if !holds { violations.append(text) }
    }

    // MARK: Random edits

    private mutating func tryRandom(_ base: [UInt8], _ first: [UInt8], _ second: [UInt8]) {
        let result = TextMerge.merge(base: base, first: first, second: second)
        let mirrored = TextMerge.merge(base: base, first: second, second: first)
        require(result == mirrored.mirrored, "the order of the sides makes a difference")
        guard case .merged(let text) = result else { return }
        isMerged = true
        let isSum = LineTally(text).isMerge(
            of: LineTally(first), and: LineTally(second), from: LineTally(base))
        require(isSum, "a line is missing, or is there too often")
        requireRest(at: text, from: base)
        for side in [first, second] { requireRest(at: text, from: side, to: side) }
    }

    /// A merge that meets itself, made elsewhere, stays.
    private mutating func requireRest(at text: [UInt8], from base: [UInt8]) {
        requireRest(at: text, from: base, to: text)
    }

    /// A merge that meets a text that is in it already stays.
    private mutating func requireRest(at text: [UInt8], from base: [UInt8], to side: [UInt8]) {
        let again = TextMerge.merge(base: base, first: text, second: side)
        require(again == .merged(text), "what is merged is changed by merging it again")
    }

    // MARK: Edits whose merge is known

    private mutating func tryKnown(_ known: KnownMerge) {
        let result = TextMerge.merge(
            base: known.base, first: known.first, second: known.second)
        switch result {
        case .merged(let text):
            require(known.conflicts == 0, "a conflict was settled")
            require(text == known.merged, "the merge is not what was typed")
        case .conflict(let regions):
            require(regions.count == known.conflicts, "another number of conflicts than was made")
        case .notText: require(false, "this is text")
        }
    }

    // MARK: Three devices

    private mutating func tryThreeDevices(_ devices: ThreeDevices, _ edits: inout RandomEdits) {
        var devices = devices
        let outcome = devices.run(using: &edits)
        require(outcome.isQuiet, "three devices do not come to rest")
        require(
            outcome.heads == devices.expected(arrivals: outcome.arrivals),
            "three devices do not end as the rule of the first pair says")
        require(outcome.merges == 3 - outcome.heads.count, "a pair of heads was merged twice")
    }
}

extension TextMergeResult {
    /// The same with the sides exchanged.
    package var mirrored: TextMergeResult {
        guard case .conflict(let regions) = self else { return self }
        return .conflict(
            regions.map { ConflictRegion(base: $0.base, first: $0.second, second: $0.first) })
    }
}
