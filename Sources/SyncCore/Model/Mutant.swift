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
    /// Heads are merged from what the first of them was made from, and not from what both were.
    case wrongAncestor = "wrong-ancestor"
    /// A merge is taken though one of its parents is a head no more.
    case staleMerge = "stale-merge"
    /// The device is part of a merge's id, and devices merge what is merged.
    case authorInMergeID = "author-in-merge-id"
}
