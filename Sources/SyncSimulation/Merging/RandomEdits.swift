/// Makes random texts and random edits of them, the same ones for the same seed.
package struct RandomEdits: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Three texts: a base of up to `lineLimit` lines, and two edits of it.
    package mutating func triple(lineLimit: Int) -> (base: [UInt8], first: [UInt8], second: [UInt8])
    {
        let vocabulary = [2, 4, 20, 1_000_000].randomElement(using: &self) ?? 2
        let count = Int.random(in: 0...lineLimit, using: &self)
        let base = (0..<count).map { _ in line(vocabulary) }
        let editLimit = [1, 2, 3, max(1, count / 4)].randomElement(using: &self) ?? 1
        let first = edited(base, times: Int.random(in: 1...editLimit, using: &self), vocabulary)
        // Now and then both have an edit in common.
        let origin = chance(0.15) ? first : base
        let second = edited(origin, times: Int.random(in: 1...editLimit, using: &self), vocabulary)
        return (text(base), text(first), text(second))
    }

    private mutating func edited(
        _ lines: [String], times: Int, _ vocabulary: Int
    ) -> [String] {
        var lines = lines
        for _ in 0..<times {
            let start = Int.random(in: 0...lines.count, using: &self)
            let end = min(lines.count, start + Int.random(in: 1...3, using: &self))
            switch Int.random(in: 0..<10, using: &self) {
            case 0, 1, 2: lines.removeSubrange(start..<end)
            case 3, 4, 5: lines.insert(contentsOf: [line(vocabulary)], at: start)
            case 6, 7: lines.replaceSubrange(start..<end, with: [line(vocabulary)])
            case 8:
                let target = Int.random(in: 0...lines.count, using: &self)
                lines.insert(contentsOf: lines[start..<end], at: target)
            default:
                let block = lines[start..<end]
                lines.removeSubrange(start..<end)
                let target = Int.random(in: 0...lines.count, using: &self)
                lines.insert(contentsOf: block, at: target)
            }
        }
        return lines
    }

    private mutating func line(_ vocabulary: Int) -> String {
        if chance(0.15) { return ["", "}", "\r", "- [ ] tea"].randomElement(using: &self) ?? "" }
        let first = Int.random(in: 0..<vocabulary, using: &self)
        return chance(0.3) ? "\(first) or \(Int.random(in: 0..<9, using: &self))" : "\(first)"
    }

    private mutating func text(_ lines: [String]) -> [UInt8] {
        let text = lines.joined(separator: "\n")
        return Array((lines.isEmpty || chance(0.1) ? text : text + "\n").utf8)
    }

    private mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }
}
