/// What a predicate needs from its caller beyond the standard library.
package struct PredicateServices: Sendable {
    /// Gives equal bytes for texts that the options call equal.
    package var fold: @Sendable (_ text: [UInt8], PredicateOptions) -> [UInt8]
    /// Whether a regular expression matches the whole text; nil if the pattern is invalid.
    package var matches:
        (@Sendable (_ text: [UInt8], _ pattern: [UInt8], PredicateOptions) -> Bool?)?
    /// The order of two texts in the person's language, for `[l]`; without it the folded bytes'.
    package var collate: (@Sendable ([UInt8], [UInt8], PredicateOptions) -> PredicateOrder)?
    /// Whether a type identifier conforms to another.
    package var conforms: (@Sendable (_ type: [UInt8], _ to: [UInt8]) -> Bool)?
    /// Seconds since 2001-01-01 00:00 UTC.
    package var now: (@Sendable () -> Double)?
    package var random: (@Sendable () -> UInt64)?

    package init(
        fold: @escaping @Sendable ([UInt8], PredicateOptions) -> [UInt8] = { text, options in
            PredicateFolding.fold(text, options)
        },
        matches: (@Sendable ([UInt8], [UInt8], PredicateOptions) -> Bool?)? = nil,
        collate: (@Sendable ([UInt8], [UInt8], PredicateOptions) -> PredicateOrder)? = nil,
        conforms: (@Sendable ([UInt8], [UInt8]) -> Bool)? = nil,
        now: (@Sendable () -> Double)? = nil,
        random: (@Sendable () -> UInt64)? = nil
    ) {
        self.fold = fold
        self.matches = matches
        self.collate = collate
        self.conforms = conforms
        self.now = now
        self.random = random
    }
}

/// How two values stand to each other.
package enum PredicateOrder: Sendable, Equatable {
    case ascending
    case same
    case descending
}
