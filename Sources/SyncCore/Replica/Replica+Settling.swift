/// Heads that merge do so by themselves; a conflict is what was found not to.
extension Replica {
    /// Looks at the heads that something happened to; true if an item is to be planned by it.
    mutating func lookAtHeads() -> Bool {
        if settling.values.contains(where: { isOver($0.wakeAt) }) {
            for id in settling.filter({ isOver($0.value.wakeAt) }).keys.sorted() {
                settling[id]?.wakeAt = nil
                openHeads.insert(id)
            }
        }
        var left = Settling.mostLooks
        while left > 0, !openHeads.isEmpty {
            for id in openHeads.takeAll() {
                // The rest is looked at when others have had their turn.
                if left > 0 { lookAtHeads(of: resolve(id), &left) } else { openHeads.insert(id) }
            }
        }
        return !dirtyItems.isEmpty
    }

    private func isOver(_ moment: Instant?) -> Bool { moment.map { $0 <= now.steady } ?? false }

    /// Heads with content that are not known to be in conflict.
    func hasOpenHeads(_ id: ItemID) -> Bool { nodes[id].map(hasOpenHeads) ?? false }

    func hasOpenHeads(_ node: Node) -> Bool {
        guard let remote = node.record.remote, remote.heads.areSeveral else { return false }
        return node.record.conflict != remote.heads.withContent
    }

    /// What an item's heads will be, and what of them this device has yet to send.
    private struct Prospect {
        var heads: [Head]
        var unsent: [Version]
        /// The newest head is this device's, and is not in the log yet.
        var isOwn: Bool
    }

    private func prospect(_ node: Node, _ id: ItemID) -> Prospect? {
        guard let remote = node.record.remote else { return nil }
        var prospect = Prospect(heads: remote.heads, unsent: [], isOwn: false)
        guard node.pending > 0 else { return prospect }
        let pending = outbox.all(on: id)
        // Some of it is about the item by another id.
        guard pending.count == node.pending else { return nil }
        for (_, entry) in pending {
            if case .removeFolder = entry.body { return nil }
            guard let version = entry.body.version else { continue }
            let heads = prospect.heads.map { $0.version }
            if heads.contains(version.id) { continue }
            if version.nature == .settlement,
                !version.parents.allSatisfy({ heads.contains($0) })
            {
                continue
            }
            prospect.heads = prospect.heads.adding(version)
            prospect.unsent.append(version)
            prospect.isOwn = true
        }
        return prospect
    }

    private mutating func lookAtHeads(of id: ItemID, _ left: inout Int) {
        guard let node = nodes[id], let prospect = prospect(node, id) else { return }
        guard prospect.heads.areSeveral else {
            endSettling(id)
            return
        }
        let heads = prospect.heads.withContent
        if settling[id] == nil, !prospect.isOwn, node.record.conflict == heads { return }
        var state = settling[id] ?? Settling(heads: heads, at: now.steady)
        if state.heads != heads { state.begin(heads) }
        if prospect.isOwn {
            state.lookAt = min(state.lookAt, now.steady)
            state.sendAt = min(state.sendAt, now.steady)
        }
        settling[id] = state
        guard !state.isDecided else { return }
        guard state.lookAt <= now.steady else {
            settling[id]?.wakeAt = state.lookAt
            return
        }
        left -= 1
        decide(id, heads, prospect)
    }

    /// The first pair in the list that merges goes first.
    private mutating func decide(_ id: ItemID, _ heads: [VersionID], _ prospect: Prospect) {
        guard let state = settling[id] else { return }
        // What is known of the item is gathered only if a pair is left to be tried.
        var gathered: HeadMerge?
        for (place, first) in heads.enumerated() {
            for second in heads[(place + 1)...] {
                let pair = HeadPair(first: first, second: second)
                if state.refuted.contains(pair) { continue }
                let search = gathered ?? search(id, state, prospect.unsent)
                gathered = search
                switch search.merge(first, second) {
                case .conflict: settling[id]?.refuted.insert(pair)
                case .needs(let need):
                    ask(for: need, of: id, isForEdit: prospect.isOwn)
                    return
                case .merged(let side):
                    merge(id, pair, side, prospect)
                    return
                }
            }
        }
        foundConflict(id, heads, isSent: !prospect.isOwn)
    }

    private func search(_ id: ItemID, _ state: Settling, _ unsent: [Version]) -> HeadMerge {
        var lineage = Lineage()
        var facts: [VersionID: VersionFacts] = [:]
        var texts = state.texts
        var stored: Set<VersionID> = []
        let told = (state.history ?? []) + unsent
        let known = nodes[id]?.record.versions ?? []
        lineage.reserve(told.count + known.count)
        facts.reserveCapacity(told.count + known.count)
        for version in told {
            lineage.add(version.id, parents: version.parents)
            guard version.hasContent, let bytes = vault.open(version.facts) else { continue }
            facts[version.id] = VersionFacts(bytes: bytes)
            if case .inline(let bytes) = version.content { texts[version.id] = bytes }
        }
        for version in known {
            lineage.add(version.id, parents: version.parents)
            facts[version.id] = version.facts
            if !version.chunks.isEmpty { stored.insert(version.id) }
            if let bytes = inHand[version.id] { texts[version.id] = bytes }
        }
        lineage.isWhole = state.history != nil
        return HeadMerge(
            kind: nodes[id]?.record.kind ?? .file, mergesMembers: mergesMembers(id),
            rule: mergeRule, hash: vault.hash,
            mutant: mutant, lineage: lineage, facts: facts, texts: texts, lost: state.lost,
            storedInChunks: stored)
    }

    // MARK: What is found

    private mutating func foundConflict(_ id: ItemID, _ heads: [VersionID], isSent: Bool) {
        settling[id]?.heldUntil = nil
        // What this device has yet to send is in conflict only once others can see it.
        guard isSent else { return }
        settling[id]?.isDecided = true
        settling[id]?.forgetTexts()
        if settling.count > Settling.mostRemembered, settling[id]?.lost.isEmpty == true {
            settling[id] = nil
        }
        dirtyItems.insert(id)
        guard nodes[id]?.record.conflict != heads else { return }
        nodes[id]?.record.conflict = heads
        changedNodes.insert(id)
        actions.append(.notify(.itemChanged(id)))
        actions.append(.notify(.statusChanged))
    }

    private mutating func endSettling(_ id: ItemID) {
        guard let state = settling.removeValue(forKey: id) else { return }
        for version in state.wanted.sorted() where !isAwaited(version, of: id) {
            dropContent(version)
        }
    }

    /// Sends a merge, if all that is known of the log says that both are heads.
    private mutating func merge(
        _ id: ItemID, _ pair: HeadPair, _ side: HeadMerge.Side, _ prospect: Prospect
    ) {
        guard let state = settling[id], state.refused != state.heads else { return }
        guard isConnected, isCaughtUp else {
            settling[id]?.isAwaitingLog = true
            return
        }
        guard state.sendAt <= now.steady else {
            settling[id]?.wakeAt = state.sendAt
            return
        }
        guard let content = content(of: side, id, isForEdit: prospect.isOwn) else { return }
        settling[id]?.heldUntil = nil
        let parents = [pair.first, pair.second]
        let version = Version(
            id: newMergeID(of: id, parents: parents, facts: side.facts), parents: parents,
            nature: .settlement, facts: vault.seal(side.facts.bytes), content: content)
        remember(version, side.facts, of: id)
        changedNodes.insert(id)
        append(.edit(item: id, version: version), isUploaded: side.version != nil)
    }

    private mutating func content(
        of side: HeadMerge.Side, _ id: ItemID, isForEdit: Bool
    ) -> StoredContent? {
        if nodes[id]?.record.kind == .folder { return StoredContent.none }
        switch side.source {
        case .merged(let bytes): return stored(bytes, side.facts.digest, id)
        case .version(let version):
            if let chunks = known(version, of: id)?.chunks, !chunks.isEmpty {
                return .chunks(chunks)
            }
            if let bytes = text(version, of: id) { return .inline(bytes) }
            ask(for: .contents([version]), of: id, isForEdit: isForEdit)
            return nil
        }
    }

    private func text(_ version: VersionID, of id: ItemID) -> [UInt8]? {
        if let bytes = settling[id]?.texts[version] ?? inHand[version] { return bytes }
        for (_, entry) in outbox.all(on: id) where entry.body.version?.id == version {
            if case .inline(let bytes)? = entry.body.version?.content { return bytes }
        }
        return nil
    }

    // MARK: What the log says

    /// An entry has brought a version of an item that has several heads now, or will have.
    mutating func noteHeads(_ state: ItemState, _ version: Version?, from author: DeviceID) {
        if let version { settling[state.id]?.history?.append(version) }
        guard state.heads.areSeveral else { return }
        let heads = state.heads.withContent
        var open = settling[state.id] ?? Settling(heads: heads, at: now.steady)
        if version != nil {
            open.refused = []
            open.lookAt = now.steady
            open.sendAt = now.steady
            if author != device {
                open.lookAt = now.steady.advanced(milliseconds: Settling.patience)
                open.sendAt = now.steady.advanced(milliseconds: Settling.courtesy)
            }
        }
        for head in heads where settling.count < Settling.mostRemembered {
            if let bytes = inHand[head], UInt64(bytes.count) <= mergeRule.sizeLimit {
                open.texts[head] = bytes
            }
        }
        settling[state.id] = open
    }

    /// The server's heads are others than this device knew: the log will bring them, or has.
    ///
    /// If the log has overtaken the refusal, the parents are heads no more, and what the heads are
    /// by now was never refused: nothing else would come to have it looked at again.
    mutating func mergeRefused(_ id: ItemID, of parents: [VersionID]) {
        guard let node = nodes[id], let prospect = prospect(node, id) else { return }
        let heads = prospect.heads.withContent
        guard heads.count > 1, parents.allSatisfy({ heads.contains($0) }) else { return }
        var state = settling[id] ?? Settling(heads: heads, at: now.steady)
        state.refused = heads
        settling[id] = state
    }

    /// All of the log is known: what waited for it is looked at.
    mutating func compareWithLog() {
        guard isCaughtUp else { return }
        for id in settling.keys.sorted() where settling[id]?.isAwaitingLog == true {
            settling[id]?.isAwaitingLog = false
            openHeads.insert(id)
        }
        guard mustCompareOutbox else { return }
        mustCompareOutbox = false
        for (_, entry) in outbox.all {
            if let item = entry.body.item { openHeads.insert(resolve(item)) }
        }
    }

    /// Nothing of the log that the server is known to have is missing here.
    var isCaughtUp: Bool {
        pulledFrom == nil && !hasForeignHistory
            && serverHead.map { progress.cursor.number >= $0.number } ?? false
    }

    /// Whether an edit waits a moment, so that its merge goes with it.
    func isHeldForMerge(_ body: Operation.Body) -> Bool {
        guard !settling.isEmpty, body.version != nil, let item = body.item,
            let until = settling[resolve(item)]?.heldUntil
        else { return false }
        return now.steady < until
    }

    private func newMergeID(
        of item: ItemID, parents: [VersionID], facts: VersionFacts
    ) -> VersionID {
        if mutant == .authorInMergeID {
            return singularVersionID(
                of: item, parents: parents, nature: .settlement, facts: facts)
        }
        return newVersionID(of: item, parents: parents, nature: .settlement, facts: facts)
    }
}

extension Settling {
    fileprivate mutating func forgetTexts() {
        kept.removeAll()
        keeping.removeAll()
        history = nil
        if texts.values.reduce(0, { $0 + $1.count }) > Settling.mostKept { texts.removeAll() }
    }
}

extension [Head] {
    /// More than one has content.
    var areSeveral: Bool {
        var isAny = false
        for head in self where head.hasContent {
            if isAny { return true }
            isAny = true
        }
        return false
    }

    /// The heads that have content, in their order.
    var withContent: [VersionID] { filter { $0.hasContent }.map { $0.version } }
}
