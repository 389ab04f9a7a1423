/// How often each line is in a text.
struct LineTally {
    private(set) var counts: [ArraySlice<UInt8>: Int] = [:]

    init(_ text: [UInt8]) {
        for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
            counts[line, default: 0] += 1
        }
        // What follows the last line feed is no line.
        if text.last == 0x0A || text.isEmpty { counts[[]]? -= 1 }
    }

    subscript(line: ArraySlice<UInt8>) -> Int { counts[line, default: 0] }

    /// What a merge has too few or too many of: it must hold at least what each side added, and at
    /// most what both have.
    func isMerge(of first: LineTally, and second: LineTally, from base: LineTally) -> Bool {
        var lines = Set(counts.keys)
        lines.formUnion(base.counts.keys)
        lines.formUnion(first.counts.keys)
        lines.formUnion(second.counts.keys)
        return lines.allSatisfy { line in
            let added = max(first[line] - base[line], second[line] - base[line], 0)
            return added <= self[line] && self[line] <= first[line] + second[line]
        }
    }
}
