/// What happens to a device: the shell reports, the replica decides.
///
/// What the disk shows, by a look, a list or a read, is reported after all that the watcher had to
/// tell until then: who read a file is known before what that person made of it. Only the end of
/// an install comes before what the watcher saw of it.
package enum ReplicaEvent: Hashable, Sendable {
    /// Names that may have changed, as they are now; those of one moment go together.
    case seen([Sighting])
    /// A folder's names, complete, answering ``ReplicaAction/list(folder:path:)``.
    case listed(folder: ItemID, entries: [Sighting])
    /// The folder could not be listed; it is not there, or it is not ours to read.
    case unlisted(folder: ItemID, DiskFailure?)
    /// Answers ``ReplicaAction/read(_:)``.
    case read(ReadRequest, ReadOutcome)
    /// Somebody writes to the file at the name, in place; it is looked at when that is done. With
    /// what stands at the name now: it may be another item's file, moved there a moment ago.
    case written(Sighting)
    /// Another program opened what was installed, for reading; in its order with ``written(_:)``.
    case opened(ItemID)
    /// Something happened in a package: below the folder that it is.
    case stirred(FileIdentity)
    /// Answers ``ReplicaAction/install(_:)``.
    case installed(JobID, JobOutcome)
    /// Answers ``ReplicaAction/fetch(_:)``.
    case fetched(ItemID, VersionID, FetchOutcome)
    /// Answers ``ReplicaAction/inquire(_:_:)``; nil if it could not be asked.
    case described(ItemID, VersionID, Version?)
    /// Answers ``ReplicaAction/inquireHistory(_:)``; nil if it could not be asked.
    case history(ItemID, [Version]?)
    /// Answers ``ReplicaAction/load(_:_:)``; nil if it is not there any more.
    case loaded(ItemID, VersionID, [UInt8]?)
    /// Answers ``ReplicaAction/keep(_:_:)`` with the digest of the bytes; nil if the disk does not
    /// take them.
    case kept(ItemID, Digest, StoredContent?)
    /// Answers ``ReplicaAction/upload(entry:chunks:)``.
    case uploaded(entry: UInt64, succeeded: Bool)
    /// Instead of ``uploaded(entry:succeeded:)``: a chunk is neither here nor at the server.
    case contentLost(entry: UInt64)
    /// The answer to the request last sent.
    case answered(RequestAnswer)
    /// The request last sent came to nothing, or to nobody knows what.
    case sendFailed
    /// A stretch of the log: what follows `after`, up to `through`; `head` is the newest.
    case entries(after: Position, [LogEntry], head: Position)
    /// The server does not have the cursor's digest: it has another history.
    case historyUnknown
    /// Answers ``ReplicaAction/inquireSnapshot(_:)``; nil if it could not be asked.
    case snapshot(AccountSnapshot?)
    /// Answers ``ReplicaAction/recallAncestry(after:)``.
    case ancestry([Ancestry])
    /// The push stream is open, or is not.
    case connection(isOpen: Bool)
    case command(ReplicaCommand)
    /// The moment of ``ReplicaAction/wake(at:)`` has come.
    case timer
}

/// What a person or an app asks for.
package enum ReplicaCommand: Hashable, Sendable {
    /// The container shall exist here and in the account.
    case openContainer(Name)
    /// Keeps one head of an item; the others become old versions.
    ///
    /// Those in `aside` become items of their own, beside it.
    ///
    /// It was made among the heads in `seen`: what came since was nobody's to drop, and nothing is
    /// done.
    case resolve(ItemID, keep: HeadContent, aside: [HeadContent], seen: [VersionID])
    /// Nil removes the key.
    case setValue(store: [UInt8], key: [UInt8], value: [UInt8]?)
    /// An app has read this version of the item, whatever the disk shows.
    case noteRead(ItemID, VersionID)
    /// A person here was shown these versions of the item in a list.
    case noteTold(ItemID, [VersionID])
    /// Brings an item back from the trash: its state there, and what its heads were before the
    /// deletion, with their contents; with a folder what these deletions took of it before.
    case restore(ItemState, [Version], swept: [VersionID])
    /// Makes an old version, which comes with its content, current again, instead of the one that
    /// stood there when the person asked; ``Replica/isKnownHere(_:of:)`` has said that it is known.
    case makeCurrent(ItemID, Version, instead: VersionID)
    /// Gives an item a place that has none.
    case place(ItemID)
    /// Where an item's content is to be on this device; an item that cannot be evicted is not.
    case setResidence(ItemID, Residence)
    /// Somebody wants to know how things stand: the roots are looked at now.
    case lookAtRoots
    /// The deletions that wait, and the roots that are empty, gone or replaced, are meant; if not,
    /// what waits is put back.
    case confirm(isMeant: Bool)
}

/// A head with its content as the server stores it.
package struct HeadContent: Hashable, Sendable {
    package let version: VersionID
    package let content: StoredContent

    package init(version: VersionID, content: StoredContent) {
        self.version = version
        self.content = content
    }
}

package enum FetchOutcome: Hashable, Sendable {
    /// In the device's own folder, with the digest and size that the version says.
    case arrived
    /// Not to be had now: no connection, or the server does not give it.
    case unavailable
    /// The disk does not take it.
    case failed(DiskFailure)
    /// The server gave what the version does not say.
    case damaged
}

/// Why the disk refused.
package enum DiskFailure: UInt8, Hashable, Sendable {
    case noSpace = 1
    case notPermitted = 2
    /// The file system cannot show the name.
    case nameNotPossible = 3
    case inputOutput = 4
    case missing = 5
    case other = 6
}

/// A file's or a package's content to be read, hashed and kept.
package struct ReadRequest: Hashable, Sendable {
    package let slot: Slot
    package let path: LocalPath
    package let kind: EntryKind
    /// Hash also the first bytes, to learn whether the file was only appended to.
    package let prefix: UInt64?
    /// Somebody has written to it for so long that what reads the same before and after is taken.
    package let isForOpenFile: Bool

    package init(
        slot: Slot, path: LocalPath, kind: EntryKind, prefix: UInt64?, isForOpenFile: Bool = false
    ) {
        self.slot = slot
        self.path = path
        self.kind = kind
        self.prefix = prefix
        self.isForOpenFile = isForOpenFile
    }
}

package enum ReadOutcome: Hashable, Sendable {
    /// Stat, read, stat gave the same stamp before and after; of a package all that is in it.
    case content(ReadContent)
    /// It is being written: a writer has it open, or it changed while it was read.
    case busy
    /// It is not there any more, or is of another kind.
    case gone
    case failed(DiskFailure)
}

package struct ReadContent: Hashable, Sendable {
    package let stamp: FileStamp
    package let digest: Digest
    /// The digest of the first ``ReadRequest/prefix`` bytes, if that many were there.
    package let prefixDigest: Digest?
    /// The bytes, or the chunks that now lie in the device's own folder.
    package let content: StoredContent

    package init(
        stamp: FileStamp, digest: Digest, prefixDigest: Digest?, content: StoredContent
    ) {
        self.stamp = stamp
        self.digest = digest
        self.prefixDigest = prefixDigest
        self.content = content
    }
}
