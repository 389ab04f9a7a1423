/// The work that one merge may still spend on finding differences, in steps.
///
/// Counted in steps and not in time, so that every device gives up at the same point. A step is
/// one diagonal looked at, one token walked over, or one line that a change slides by: a few
/// nanoseconds.
package struct SearchBudget: Sendable {
    /// What a merge of two texts may cost in all: about two seconds of one core.
    package static let whole = SearchBudget(steps: 300_000_000)

    package private(set) var steps: Int

    package init(steps: Int) { self.steps = steps }

    var isSpent: Bool { steps <= 0 }

    mutating func spend(_ count: Int) {
        steps -= count
    }
}
