/// Deletions below folders that came shortly after each other: what a slow `rm -rf` took, one by
/// one, before it took the folder itself.
struct DeletionSweeps: Sendable {
    private struct Sweep {
        let first: VersionID
        let began: Instant
        var last: Instant
    }

    /// By folder, of all that went below it.
    private var sweeps: [ItemID: Sweep] = [:]

    /// What goes later than this after the one before, in milliseconds, is not of the same sweep.
    private static var pause: Int64 { 10_000 }
    /// A program that deletes for ever makes a new sweep of it from time to time.
    private static var longest: Int64 { 600_000 }
    private static var most: Int { 10_000 }

    /// An item went that the log has, or will have before its deletion.
    mutating func note(_ deletion: VersionID, below folders: [ItemID], at now: Instant) {
        if sweeps.count >= DeletionSweeps.most { forgetOld(at: now) }
        for folder in folders {
            if let sweep = sweeps[folder], isGoingOn(sweep, at: now) {
                sweeps[folder]?.last = now
            } else {
                sweeps[folder] = Sweep(first: deletion, began: now, last: now)
            }
        }
    }

    /// The folder goes too: gives the first deletion of the sweep below it.
    mutating func end(_ folder: ItemID, at now: Instant) -> VersionID? {
        guard let sweep = sweeps.removeValue(forKey: folder), isGoingOn(sweep, at: now) else {
            return nil
        }
        return sweep.first
    }

    private func isGoingOn(_ sweep: Sweep, at now: Instant) -> Bool {
        now.milliseconds(since: sweep.last) < DeletionSweeps.pause
            && now.milliseconds(since: sweep.began) < DeletionSweeps.longest
    }

    private mutating func forgetOld(at now: Instant) {
        for (folder, sweep) in sweeps where !isGoingOn(sweep, at: now) { sweeps[folder] = nil }
        if sweeps.count >= DeletionSweeps.most { sweeps.removeAll() }
    }
}

/// A folder in the trash, and the deletion that took what went with it.
private struct SweptFolder {
    let id: ItemID
    let deletion: VersionID
}

/// What a folder's deletion says to devices, in ``Version/facts``: opaque to the server.
package struct FolderDeletionFacts: Hashable, Sendable {
    /// The first deletion of the sweep that the folder's own ended.
    package let sweptFrom: VersionID

    package init(sweptFrom: VersionID) { self.sweptFrom = sweptFrom }

    private static var layout: UInt8 { 1 }

    /// Layout 1: 1, the version's id (16).
    package var bytes: [UInt8] { [FolderDeletionFacts.layout] + sweptFrom.bytes }

    /// Nil for another layout or too few bytes; what follows was added by a later version.
    package init?(bytes: [UInt8]) {
        guard bytes.count >= 17, bytes[0] == FolderDeletionFacts.layout else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for byte in bytes[1..<9] { high = high << 8 | UInt64(byte) }
        for byte in bytes[9..<17] { low = low << 8 | UInt64(byte) }
        sweptFrom = VersionID(high: high, low: low)
    }
}

extension Replica {
    /// A deletion was appended, of what stood at the name.
    mutating func noteSwept(_ deletion: VersionID, of id: ItemID, at slot: Slot) {
        // Of what the log may never hear of nothing can be undone.
        guard nodes[id]?.record.remote != nil else { return }
        var folders: [ItemID] = []
        var next = slot.folder
        while next != .top, folders.count < 4_096 {
            folders.append(next)
            guard let base = base(next) else { break }
            next = base.slot.folder
        }
        sweeps.note(deletion, below: folders, at: now.steady)
    }

    /// What a folder's deletion says of its sweep.
    package func facts(ofFolderDeletion version: Version) -> FolderDeletionFacts? {
        vault.open(version.facts).flatMap { FolderDeletionFacts(bytes: $0) }
    }

    /// What went one by one from a folder, in the sweep that its own deletion ended.
    ///
    /// Among what the folder's device has deleted, all in it that came into the trash from that
    /// entry of the log on, and that the folder's own deletion did not take: the deletions of it.
    package func sweep(
        of folder: ItemState, from first: UInt64, among trash: [ItemState]
    ) -> [VersionID] {
        guard let deletion = folder.heads.first?.version else { return [] }
        var members: [ItemID: [ItemState]] = [:]
        for state in trash where state.standing == .trashed {
            members[state.placement.folder, default: []].append(state)
        }
        var swept: [VersionID] = []
        var open = [SweptFolder(id: folder.id, deletion: deletion)]
        while let next = open.popLast() {
            for member in members.removeValue(forKey: next.id) ?? [] {
                let taken = FolderRemoval.deletion(
                    of: member.id, by: next.deletion, vault.hash)
                if member.heads.contains(where: { $0.version == taken }) {
                    open.append(SweptFolder(id: member.id, deletion: next.deletion))
                } else if (first...max(first, folder.changed)).contains(member.changed),
                    let own = member.heads.first?.version
                {
                    swept.append(own)
                    open.append(SweptFolder(id: member.id, deletion: own))
                }
            }
        }
        return swept
    }
}
