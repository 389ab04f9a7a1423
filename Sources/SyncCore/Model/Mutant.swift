/// A fault that an engineer could write, each of one condition: the simulator must catch it.
///
/// Only the simulator ever sets one; a server and a device have none.
package enum Mutant: String, Hashable, Sendable, CaseIterable {
    /// The server answers when it has decided, and commits afterwards.
    case acknowledgeBeforeCommit = "acknowledge-before-commit"
    /// An edit that was not made from the head takes its place, and the head is gone.
    case dropSecondHead = "drop-second-head"
    /// An edit was made from the version that is installed, though nobody had read it.
    case parentIsInstalled = "parent-is-installed"
    /// A deletion takes what another device edited.
    case deleteBeatsEdit = "delete-beats-edit"
    /// A known operation number is answered without comparing hashes.
    case numberProvesReplay = "number-proves-replay"
    /// Names are looked at operation by operation instead of at the request's end.
    case tagsCheckedAtOnce = "tags-checked-at-once"
    /// What is forgotten of an item with its content: that there ever was one.
    case tombstonesDroppedEarly = "tombstones-dropped-early"
    /// Days are counted by the wall clock.
    case expiryByWallClock = "expiry-by-wall-clock"
    /// A folder's deletion takes what its device had heard of, installed or not.
    case deletionByCursor = "deletion-by-cursor"
    /// A deletion takes all heads, also those that its device did not have.
    case booleanDeleted = "boolean-deleted"
    /// A root that is found empty was emptied by a person.
    case emptyRootIsDeletion = "empty-root-is-deletion"
    /// A chunk that is marked for collection counts as stored.
    case haveItWithoutReference = "have-it-without-reference"
}
