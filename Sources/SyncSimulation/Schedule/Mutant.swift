/// A known fault that can be put into what is simulated: the checkers must find it.
package enum Mutant: String, Hashable, Sendable, CaseIterable {
    /// The server answers when it has decided, and commits afterwards.
    case acknowledgeBeforeCommit = "acknowledge-before-commit"
}
