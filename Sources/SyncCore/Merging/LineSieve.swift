/// Leaves out lines that would lead a comparison astray, as git does before it compares.
///
/// A line that the other text lacks is surely changed. A line that the other text has very often
/// (an empty one, a brace) says little about where it belongs: it is left out too, if it stands
/// among lines that are surely changed. The search then sees what is kept alone.
struct LineSieve {
    private enum Worth {
        case unmatched
        case telling
        case frequent
    }

    /// No line counts as frequent below the square root of its text's lines, nor above this.
    private static let frequencyLimit = 1024
    /// How many lines on each side of a frequent line are looked at.
    private static let window = 100

    /// How often each symbol is in the text that a line is looked for in.
    private let occurrences: [Int32]

    /// Prepares to sift a text by the lines of the other one, whose symbols are given.
    init(otherText symbols: [Int32], symbolCount: Int) {
        var counts = [Int32](repeating: 0, count: symbolCount)
        for symbol in symbols { counts[Int(symbol)] += 1 }
        occurrences = counts
    }

    /// Returns which lines of a range are kept, and marks the others as changed.
    func sift(_ symbols: [Int32], in range: Range<Int>, marking marks: inout [Bool]) -> [Int32] {
        let limit = Int32(min(roughSquareRoot(symbols.count), Self.frequencyLimit))
        var worths: [Worth] = []
        worths.reserveCapacity(range.count)
        for index in range { worths.append(worth(of: symbols[index], limit: limit)) }
        var walk = NeighbourWalk(worths)
        var kept: [Int32] = []
        kept.reserveCapacity(range.count)
        for (offset, worth) in worths.enumerated() {
            let isLeftOut: Bool
            switch worth {
            case .telling: isLeftOut = false
            case .unmatched: isLeftOut = true
            case .frequent: isLeftOut = walk.standsAmongChanged(offset)
            }
            if isLeftOut {
                marks[range.lowerBound + offset] = true
            } else {
                kept.append(Int32(range.lowerBound + offset))
            }
        }
        return kept
    }

    private func worth(of symbol: Int32, limit: Int32) -> Worth {
        let count = occurrences[Int(symbol)]
        if count == 0 { return .unmatched }
        return count >= limit ? .frequent : .telling
    }

    /// Looks at the lines around frequent lines, from the first to the last.
    private struct NeighbourWalk {
        private let worths: [Worth]
        /// How many unmatched lines come before each line, and in all.
        private let unmatchedBefore: [Int32]
        /// Just after the last telling line before the current one.
        private var runStart = 0
        private var lookedAt = 0
        /// The first telling line after the current one, or the end.
        private var runEnd = 0

        init(_ worths: [Worth]) {
            self.worths = worths
            var sums: [Int32] = [0]
            sums.reserveCapacity(worths.count + 1)
            var sum: Int32 = 0
            for worth in worths {
                if worth == .unmatched { sum += 1 }
                sums.append(sum)
            }
            unmatchedBefore = sums
        }

        /// Returns whether a frequent line lies in a run of mostly unmatched lines.
        ///
        /// There must be some on both sides, and more than three for each frequent line.
        mutating func standsAmongChanged(_ index: Int) -> Bool {
            while lookedAt < index {
                if worths[lookedAt] == .telling { runStart = lookedAt + 1 }
                lookedAt += 1
            }
            runEnd = max(runEnd, index + 1)
            while runEnd < worths.count, worths[runEnd] != .telling { runEnd += 1 }

            let low = max(runStart, index - LineSieve.window)
            let high = min(runEnd, index + LineSieve.window + 1)
            let before = unmatched(in: low..<index)
            let after = unmatched(in: index..<high)
            guard before > 0, after > 0 else { return false }
            let frequent = high - low + 1 - before - after
            return frequent * 4 < frequent + before + after
        }

        private func unmatched(in range: Range<Int>) -> Int {
            Int(unmatchedBefore[range.upperBound] - unmatchedBefore[range.lowerBound])
        }
    }
}
