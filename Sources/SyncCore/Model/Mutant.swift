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
    case knownNumberWithoutHash = "known-number-without-hash"
    /// Whatever number is not above the last one is answered as done.
    case numberAtMostLast = "number-at-most-last"
    /// A restored server is known by a count of its restorings, not by its log's digest.
    case epochAsCounter = "epoch-as-counter"
    /// A position is a number alone.
    case cursorWithoutDigest = "cursor-without-digest"
    /// What is offered after a server was restored becomes a head, whatever was made from it.
    case ancestorIsAHead = "ancestor-is-a-head"
    /// Names are looked at operation by operation instead of at the request's end.
    case tagsCheckedAtOnce = "tags-checked-at-once"
    /// Heads are merged from what the first of them was made from, and not from what both were.
    case wrongAncestor = "wrong-ancestor"
    /// A merge is taken though one of its parents is a head no more.
    case staleMerge = "stale-merge"
    /// The device is part of a merge's id, and devices merge what is merged.
    case authorInMergeID = "author-in-merge-id"
    /// Of two heads a device keeps the one that was written later by the writers' clocks.
    case newestClockWins = "newest-clock-wins"
    /// A file of the same size and second as before is taken for unchanged.
    case timesBySecond = "times-by-second"
    /// An operation that may have been sent is replaced by the next one.
    case sentIsReplaced = "sent-is-replaced"
    /// An operation that comes twice is applied twice.
    case replayIsApplied = "replay-is-applied"
    /// Names that are canonically equivalent are taken for one.
    case namesAsStrings = "names-as-strings"
    /// An install looks whether the file is as expected, and then renames over it.
    case checkThenRename = "check-then-rename"
    /// What a look or a read shows is told before what the watcher saw earlier.
    case answersOvertakeWatcher = "answers-overtake-watcher"
    /// The cursor is durable before what the log said.
    case cursorFirst = "cursor-first"
    /// A file with an inode that was another's is that one, moved.
    case inodeProvesMove = "inode-proves-move"
    /// A key-value's stamp is its device's clock.
    case deviceClockInStamps = "device-clock-in-stamps"
    /// What a device wrote before its first pull counts like any write.
    case defaultsWin = "defaults-win"
    /// A folder may be moved into itself.
    case cyclesAccepted = "cycles-accepted"
    /// A version's id is worked out from the bytes that are stored.
    case idOverStoredBytes = "id-over-stored-bytes"
    /// A root that is found empty had all in it deleted.
    case emptyRootDeletes = "empty-root-deletes"
    /// A folder's deletion takes all that was heard of, whether it was here or not.
    case deletionByCursor = "deletion-by-cursor"
    /// A deletion takes all heads, also those that nobody on its device saw.
    case deletionOfAllHeads = "deletion-of-all-heads"
    /// A choice, or an old version that comes back, drops also what nobody on its device knows.
    case choiceDropsUntold = "choice-drops-untold"
    /// The copy of what a choice drops is sent once the choice is in the log.
    case copyAfterChoice = "copy-after-choice"
    /// What is forgotten of an item with its content: that there ever was one.
    case tombstonesDroppedEarly = "tombstones-dropped-early"
    /// Days are counted by the wall clock.
    case expiryByWallClock = "expiry-by-wall-clock"
    /// A package is read as soon as it is seen, and not once it has rested.
    case packageReadAtOnce = "package-read-at-once"
    /// A package that was installed counts as read.
    case packageCountsAsRead = "package-counts-as-read"
    /// A placeholder takes the place of whatever stands there, without a look at what came out.
    case evictedUnseen = "evicted-unseen"
    /// What somebody wrote to a placeholder counts as the placeholder.
    case writtenPlaceholderDropped = "written-placeholder-dropped"
    /// A chunk that is marked for collection counts as stored.
    case haveItWithoutReference = "have-it-without-reference"
}
