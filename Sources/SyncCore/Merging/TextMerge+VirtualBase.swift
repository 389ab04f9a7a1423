extension TextMerge {
    /// Returns the one base that stands for several common ancestors: their own merge.
    ///
    /// Each is merged from `base`, the ancestor of them all. They are taken in the order of their
    /// bytes, so that the order given makes no difference, and equal ones count once. Nil if they
    /// do not merge, or if there are none: then there is no base, and both heads stay.
    package static func virtualBase(of ancestors: [[UInt8]], base: [UInt8]) -> [UInt8]? {
        let inOrder = ancestors.sorted { $0.lexicographicallyPrecedes($1) }
        guard var merged = inOrder.first else { return nil }
        for ancestor in inOrder.dropFirst() where ancestor != merged {
            guard
                case .merged(let both) = merge(base: base, first: merged, second: ancestor)
            else { return nil }
            merged = both
        }
        return merged
    }
}
