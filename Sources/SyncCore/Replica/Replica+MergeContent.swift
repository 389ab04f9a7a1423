/// What a merge needs is brought here: the item's history, and contents.
extension Replica {
    /// Asks for what is missing; an edit that calls for the merge waits for it a moment.
    mutating func ask(for need: HeadMerge.Need, of id: ItemID, isForEdit: Bool) {
        guard let state = settling[id] else { return }
        if isForEdit, isConnected, state.heldUntil == nil {
            settling[id]?.heldUntil = now.steady.advanced(milliseconds: Settling.hold)
        }
        if let again = state.askAgainAt, again > now.steady {
            if isConnected { settling[id]?.wakeAt = again }
            return
        }
        switch need {
        case .history: askForHistory(id)
        case .contents(let versions): for version in versions { want(version, of: id) }
        }
    }

    private mutating func askForHistory(_ id: ItemID) {
        guard isConnected, settling[id]?.isAskingHistory == false else { return }
        settling[id]?.isAskingHistory = true
        actions.append(.inquireHistory(id))
    }

    private mutating func want(_ version: VersionID, of id: ItemID) {
        guard settling[id]?.lost.contains(version) == false,
            settling[id]?.wanted.insert(version).inserted == true
        else { return }
        if fetched.contains(version) {
            actions.append(.load(id, version))
        } else if let known = known(version, of: id) ?? formerVersion(version, of: id) {
            askFor(known, of: id)
        } else {
            settling[id]?.wanted.remove(version)
            settling[id]?.lost.insert(version)
            openHeads.insert(id)
        }
    }

    /// Heads that a snapshot has brought are not known before: a person chooses among them.
    private mutating func rememberHeads(of id: ItemID) {
        for head in nodes[id]?.record.remote?.heads.withContent ?? []
        where known(head, of: id) == nil {
            guard let former = formerVersion(head, of: id) else { continue }
            noteUnknownAncestors(of: head, id)
            nodes[id]?.record.versions.append(former)
            changedNodes.insert(id)
        }
    }

    /// What came between this device's versions and one that a snapshot has brought.
    private mutating func noteUnknownAncestors(of head: VersionID, _ id: ItemID) {
        var open = [head]
        var met: Set<VersionID> = []
        while let next = open.popLast() {
            guard met.insert(next).inserted, known(next, of: id) == nil,
                let version = settling[id]?.history?.first(where: { $0.id == next })
            else { continue }
            noteParents(version.parents, of: next, id)
            open += version.parents
        }
    }

    private func formerVersion(_ id: VersionID, of item: ItemID) -> KnownVersion? {
        guard let version = settling[item]?.history?.first(where: { $0.id == id }),
            let bytes = vault.open(version.facts), let facts = VersionFacts(bytes: bytes)
        else { return nil }
        var chunks: [ChunkReference] = []
        if case .chunks(let list) = version.content { chunks = list }
        return KnownVersion(
            id: id, parents: version.parents, facts: facts, chunks: chunks, author: nil,
            moment: nil)
    }

    /// A merged content as it travels; nil while the shell cuts it into chunks.
    mutating func stored(_ bytes: [UInt8], _ digest: Digest, _ id: ItemID) -> StoredContent? {
        guard bytes.count > mergeRule.inlineLimit else { return .inline(bytes) }
        if let content = settling[id]?.kept[digest] { return content }
        if settling[id]?.keeping.insert(digest).inserted == true {
            actions.append(.keep(id, bytes))
        }
        return nil
    }

    // MARK: Answers

    mutating func history(of item: ItemID, _ versions: [Version]?) {
        let id = resolve(item)
        guard settling[id]?.isAskingHistory == true else { return }
        settling[id]?.isAskingHistory = false
        openHeads.insert(id)
        if let versions {
            settling[id]?.history = versions
            rememberHeads(of: id)
        } else if isConnected {
            settling[id]?.noteFailure(at: now.steady)
            // As if nothing were known: they are left to a person.
            if settling[id]?.failures ?? 0 >= Settling.mostFailures { settling[id]?.history = [] }
        }
    }

    /// True if a merge waits for the version.
    func isWantedForMerge(_ version: VersionID, of id: ItemID) -> Bool {
        settling[id]?.wanted.contains(version) ?? false
    }

    mutating func contentUnavailable(_ version: VersionID, of id: ItemID) {
        settling[id]?.wanted.remove(version)
        openHeads.insert(id)
        settling[id]?.noteFailure(at: now.steady)
        guard isConnected else {
            // It is asked for again when there is a connection.
            settling[id]?.askAgainAt = Instant(nanoseconds: .max)
            return
        }
        if settling[id]?.failures ?? 0 >= Settling.mostFailures {
            settling[id]?.lost.insert(version)
        }
    }

    mutating func loaded(_ item: ItemID, _ version: VersionID, _ bytes: [UInt8]?) {
        let id = resolve(item)
        if isOwed(version, id) { suppliedOwed(version, of: id, bytes) }
        guard isWantedForMerge(version, of: id) else { return }
        let facts = known(version, of: id)?.facts ?? formerVersion(version, of: id)?.facts
        if let bytes, vault.hash(bytes) == facts?.digest {
            settling[id]?.wanted.remove(version)
            settling[id]?.texts[version] = bytes
            openHeads.insert(id)
        } else {
            contentUnavailable(version, of: id)
        }
        // What shows is installed from it later.
        if version != nodes[id]?.record.remote?.heads.first?.version { dropContent(version) }
    }

    mutating func kept(_ item: ItemID, _ digest: Digest, _ content: StoredContent?) {
        let id = resolve(item)
        guard settling[id]?.keeping.remove(digest) != nil else { return }
        openHeads.insert(id)
        if let content {
            settling[id]?.kept[digest] = content
        } else {
            settling[id]?.noteFailure(at: now.steady)
        }
    }

    /// The chunks of merged contents that no operation names yet.
    var keptChunks: Set<ChunkID> {
        var chunks: Set<ChunkID> = []
        for content in settling.values.flatMap({ $0.kept.values }) {
            if case .chunks(let list) = content { chunks.formUnion(list.map { $0.id }) }
        }
        return chunks
    }
}
