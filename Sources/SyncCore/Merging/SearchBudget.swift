/// The work that one merge may still spend on finding differences, in steps.
///
/// Counted in steps and not in time, so that every device gives up at the same point. A step is
/// one diagonal looked at or one token walked over: a few nanoseconds.
struct SearchBudget {
    /// What a merge of two texts may cost in all: about two seconds of one core.
    static let whole = SearchBudget(steps: 300_000_000)

    private(set) var steps: Int

    var isSpent: Bool { steps <= 0 }

    mutating func spend(_ count: Int) {
        steps -= count
    }
}
