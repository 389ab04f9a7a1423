/// The log goes into the remote tree; the cursor is what the remote tree has durably.
extension Replica {
    mutating func take(_ entries: [LogEntry], after: Position, head: Position) {
        // What is pushed meanwhile does not end a pull: one that is far behind asks once, not with
        // each push.
        if after.number == pulledFrom { pulledFrom = nil }
        if head.number >= serverHead?.number ?? 0 { serverHead = head }
        // Only what goes on from the cursor itself is this history: a number alone is none.
        guard let digest = digest(at: progress.cursor.number, after, entries) else { return }
        let isBlind = mutant == .cursorWithoutDigest || mutant == .epochAsCounter
        guard digest == progress.cursor.digest || isBlind else {
            historyUnknown()
            return
        }
        hasForeignHistory = false
        for entry in entries where entry.position.number == progress.cursor.number &+ 1 {
            apply(entry)
        }
        if !progress.hasPulled, progress.cursor.number >= head.number { firstPullEnded() }
        compareWithLog()
        if entries.isEmpty { return }
        actions.append(.notify(.statusChanged))
    }

    /// The digest that a stretch of a log has at a number; nil if it does not reach there.
    private func digest(
        at number: UInt64, _ after: Position, _ entries: [LogEntry]
    ) -> Digest? {
        if after.number == number { return after.digest }
        return entries.first { $0.position.number == number }?.position.digest
    }

    mutating func firstPullEnded() {
        progress.hasPulled = true
        for slot in unpulled.sorted() { touch(slot) }
        unpulled.removeAll()
        for name in containers { ensureContainer(name) }
    }

    mutating func pullIfBehind() {
        guard isConnected, pulledFrom == nil, !hasForeignHistory, let serverHead else { return }
        guard serverHead.number > progress.cursor.number else { return }
        pull()
    }

    mutating func pull() {
        pulledFrom = progress.cursor.number
        actions.append(.pull(after: progress.cursor))
    }

    private mutating func apply(_ entry: LogEntry) {
        let own = ownEntry(of: entry)
        for effect in entry.effects {
            switch effect {
            case .item(let state, let version): apply(state, version, entry, own)
            case .alias(let id, let holder): alias(id, of: holder)
            case .folderRemoved(let folder, let deletion, let survivors):
                removeRemotely(folder, deletion, Set(survivors), entry)
            case .register(let state): apply(state, own)
            }
        }
        progress.cursor = entry.position
        noteLandmark(entry.position)
        if let own { finish(own) }
        for id in outbox.ids(accepted: entry.position.number) { finish(id) }
    }

    /// The outbox entry that the log entry is the outcome of.
    ///
    /// An entry of this incarnation under a number that was given to something else shows that the
    /// device was restored from an image: its numbers are taken.
    private mutating func ownEntry(of entry: LogEntry) -> UInt64? {
        guard entry.author == device else { return nil }
        if let id = outbox.ids(accepted: entry.position.number).first { return id }
        guard entry.incarnation == progress.incarnation,
            let id = outbox.id(number: entry.operation)
        else { return nil }
        if let body = outbox[id]?.body, entry.effects.contains(where: { body.led(to: $0) }) {
            return id
        }
        beginIncarnation()
        return nil
    }

    private mutating func apply(
        _ state: ItemState, _ version: Version?, _ entry: LogEntry, _ own: UInt64?
    ) {
        let number = entry.position.number
        separate(state.id)
        noteAncestry(
            state, version, before: nodes[state.id]?.record.remote, number: number)
        setRemote(state)
        if let version { learn(version, of: state.id, entry, own) }
        noteHeads(state, version, from: entry.author)
        prune(state.id)
        if mutant == .newestClockWins { settleByClock(state) }
        keepHidden(state)
        if let version, base(state.id)?.version == version.id { inHand[version.id] = nil }
        actions.append(.notify(.itemChanged(state.id)))
    }

    private mutating func learn(
        _ version: Version, of id: ItemID, _ entry: LogEntry, _ own: UInt64?
    ) {
        guard version.hasContent else { return }
        guard let bytes = vault.open(version.facts), let facts = VersionFacts(bytes: bytes) else {
            nodes[id]?.problem = .unreadable
            return
        }
        var chunks: [ChunkReference] = []
        if case .chunks(let list) = version.content { chunks = list }
        if case .inline(let bytes) = version.content { hold(bytes, for: version.id, facts) }
        // Our own content is left out of what the server sends us.
        if let own, case .inline(let bytes)? = outbox[own]?.body.version?.content {
            inHand[version.id] = bytes
        }
        nodes[id]?.record.versions.removeAll { $0.id == version.id }
        nodes[id]?.record.versions.append(
            KnownVersion(
                id: version.id, parents: version.parents, facts: facts, chunks: chunks,
                author: entry.author, moment: entry.moment))
    }

    /// Heads that do not show are readable here all the same.
    private mutating func keepHidden(_ state: ItemState) {
        for head in state.heads.dropFirst() {
            guard let bytes = inHand[head.version] else { continue }
            changes.append(.content(head.version, bytes))
            hidden.insert(head.version)
            inHand[head.version] = nil
        }
    }

    /// A member of a removed folder, with where the folder that holds it was met.
    private struct Member {
        let id: ItemID
        let folder: Int?
        /// It, or something in it, lives on.
        var isAlive: Bool
    }

    private mutating func removeRemotely(
        _ folder: ItemID, _ deletion: VersionID, _ survivors: Set<ItemID>, _ entry: LogEntry
    ) {
        var met: [Member] = []
        // Between two entries of a request a folder may be in itself.
        var seen: Set<ItemID> = []
        var open = [Member(id: folder, folder: nil, isAlive: survivors.contains(folder))]
        while let next = open.popLast() {
            guard seen.insert(next.id).inserted else { continue }
            for child in (remoteChildren[next.id] ?? []).sorted().reversed() {
                open.append(
                    Member(id: child, folder: met.count, isAlive: survivors.contains(child)))
            }
            met.append(next)
        }
        for place in met.indices.reversed() {
            let member = met[place]
            if member.isAlive {
                if let folder = member.folder { met[folder].isAlive = true }
            } else {
                let version =
                    member.id == folder
                    ? deletion : FolderRemoval.deletion(of: member.id, by: deletion, vault.hash)
                takeAway(member.id, version, entry.position.number)
            }
        }
    }

    private mutating func takeAway(_ id: ItemID, _ deletion: VersionID, _ number: UInt64) {
        guard var state = nodes[id]?.record.remote else { return }
        state.standing = .trashed
        state.heads = [Head(version: deletion, hasContent: false)]
        state.changed = number
        setRemote(state)
        actions.append(.notify(.itemChanged(id)))
    }
}

extension Operation.Body {
    /// Whether an effect can be what the log made of the operation.
    fileprivate func led(to effect: Effect) -> Bool {
        switch (self, effect) {
        case (.create(let item, _, _, let version), .item(let state, let introduced)):
            introduced?.id == version.id || state.id == item
        case (.create(let item, _, _, _), .alias(let id, _)): id == item
        case (.edit(_, let version), .item(_, let introduced)): introduced?.id == version.id
        case (.move(_, let placement), .item(let state, _)): state.placement.id == placement.id
        case (.removeFolder(let removal), .folderRemoved(_, let deletion, _)):
            removal.version.id == deletion
        case (.restoreFolder(let restoration), .item(let state, _)):
            restoration.folder == state.id
        case (.write(let write), .register(let state)): state.register == write.register
        default: false
        }
    }
}
