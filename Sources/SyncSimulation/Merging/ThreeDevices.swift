import SyncCore

/// Three devices that each edited a text, and messages that arrive in any order.
///
/// Nothing but the rules of heads: whoever sees two that merge sends the merge of the first such
/// pair in the list, and it is accepted only while both are heads. All that is typed was made from
/// one text, so that is the ancestor of every pair.
package struct ThreeDevices {
    private let base: [UInt8]
    private let texts: [[UInt8]]

    fileprivate struct Head: Equatable {
        let id: Int
        let text: [UInt8]
    }

    fileprivate struct Proposal {
        let first: Int
        let second: Int
        let text: [UInt8]
    }

    struct Outcome {
        var heads: [[UInt8]]
        /// Whose edit came when.
        var arrivals: [Int]
        var merges: Int
        var isQuiet: Bool
    }

    private var heads: [Head] = []
    /// What each device knows of the heads.
    private var views: [[Head]] = [[], [], []]
    private var underWay: [Proposal] = []
    private var unsent = [0, 1, 2]
    private var arrivals: [Int] = []
    private var merges = 0
    private var ids = 3

    package init(base: [UInt8], texts: [[UInt8]]) {
        self.base = base
        self.texts = texts
    }

    /// Lets things happen in random order until nothing more can.
    mutating func run(using random: inout some RandomNumberGenerator) -> Outcome {
        for _ in 0..<60 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: arrive(using: &random)
            case 1: decide(using: &random)
            case 2: views[Int.random(in: 0..<3, using: &random)] = heads
            default: propose(by: Int.random(in: 0..<3, using: &random))
            }
        }
        while !unsent.isEmpty { arrive(using: &random) }
        // In the end every message arrives, some of them only when they are stale.
        var isQuiet = false
        for _ in 0..<8 where !isQuiet {
            while !underWay.isEmpty { decide(using: &random) }
            for device in 0..<3 {
                views[device] = heads
                propose(by: device)
            }
            isQuiet = underWay.isEmpty
        }
        return Outcome(
            heads: heads.map { $0.text }, arrivals: arrivals, merges: merges, isQuiet: isQuiet)
    }

    /// What the rule of the first pair makes of the texts, in the order of their arrival.
    package func expected(arrivals: [Int]) -> [[UInt8]] {
        // Two may have typed the same, and count as one author here: heads are told apart by place.
        var heads = arrivals.enumerated().map { Head(id: $0.offset, text: texts[$0.element]) }
        var id = heads.count
        while let proposal = firstPair(of: heads) {
            heads = heads.taking(proposal, as: id)
            id += 1
        }
        return heads.map { $0.text }
    }

    private mutating func arrive(using random: inout some RandomNumberGenerator) {
        guard !unsent.isEmpty else { return }
        let author = unsent.remove(at: Int.random(in: 0..<unsent.count, using: &random))
        arrivals.append(author)
        heads.append(Head(id: author, text: texts[author]))
    }

    private mutating func propose(by device: Int) {
        guard let proposal = firstPair(of: views[device]) else { return }
        underWay.append(proposal)
    }

    private mutating func decide(using random: inout some RandomNumberGenerator) {
        guard !underWay.isEmpty else { return }
        let proposal = underWay.remove(at: Int.random(in: 0..<underWay.count, using: &random))
        let ids = heads.map { $0.id }
        guard ids.contains(proposal.first), ids.contains(proposal.second) else { return }
        heads = heads.taking(proposal, as: self.ids)
        self.ids += 1
        merges += 1
    }

    private func firstPair(of heads: [Head]) -> Proposal? {
        for (place, first) in heads.enumerated() {
            for second in heads[(place + 1)...] {
                let result = TextMerge.merge(base: base, first: first.text, second: second.text)
                if case .merged(let text) = result {
                    return Proposal(first: first.id, second: second.id, text: text)
                }
            }
        }
        return nil
    }
}

extension [ThreeDevices.Head] {
    /// A merge takes the place of the first head that it replaces; the other goes.
    fileprivate func taking(_ proposal: ThreeDevices.Proposal, as id: Int) -> [ThreeDevices.Head] {
        compactMap { head in
            if head.id == proposal.first { return ThreeDevices.Head(id: id, text: proposal.text) }
            return head.id == proposal.second ? nil : head
        }
    }
}
