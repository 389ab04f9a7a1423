/// The lost versions are offered as soon as their contents are at hand.
extension Replica {
    /// Goes on with the items that something happened to; true if an item is to be planned by it.
    mutating func offerLosses() -> Bool {
        guard !offerDues.isEmpty || !offers.isEmpty else { return false }
        for (id, due) in offerDues.sorted(by: { $0.key < $1.key }) where due <= now.steady {
            offerDues[id] = nil
            offers.insert(id)
        }
        var hasOffered = false
        while !offers.isEmpty {
            for id in offers.takeAll() where losses.contains(id) {
                offer(id, isNew: nodes[id]?.record.remote == nil)
                hasOffered = true
            }
        }
        return hasOffered && !dirtyItems.isEmpty
    }

    /// Whether what is known of a version is kept for the account.
    func isOwed(_ version: VersionID, _ id: ItemID) -> Bool {
        losses.contains(id) && nodes[id]?.record.loss?.versions.contains(version) == true
    }

    /// Whether an operation has to wait until what was lost of its item has been offered.
    func isBehindLoss(_ entry: UInt64, _ body: Operation.Body) -> Bool {
        guard !losses.isEmpty, let item = body.item.map({ resolve($0) }), losses.contains(item),
            let loss = nodes[item]?.record.loss
        else { return false }
        return entry >= loss.entry
    }

    /// The versions in their order; what is not on this device any more is left out.
    mutating func offer(_ id: ItemID, isNew: Bool) {
        guard nodes[id]?.job == nil else { return }
        var isNew = isNew && !isCreatedHere(id)
        while let loss = nodes[id]?.record.loss, let version = loss.versions.first {
            switch supply(version, of: id) {
            case .awaited: return
            case .none: noteLost(version, of: id)
            case .content(let content):
                guard let known = known(version, of: id) else { break }
                let offered = Version(
                    id: version, parents: known.parents, nature: .edit,
                    facts: vault.seal(known.facts.bytes), content: content)
                let kind = nodes[id]?.record.kind ?? .file
                insert(
                    isNew
                        ? .create(
                            item: id, kind: kind, placement: loss.placement, version: offered)
                        : .edit(item: id, version: offered), as: loss.entry)
                isNew = false
            }
            nodes[id]?.record.loss?.versions.removeFirst()
            nodes[id]?.record.loss?.entry += 1
            changedNodes.insert(id)
            supplied[version] = nil
        }
        endOffering(id)
    }

    private func isCreatedHere(_ id: ItemID) -> Bool {
        outbox.all(on: id).contains { if case .create = $0.entry.body { true } else { false } }
    }

    private mutating func endOffering(_ id: ItemID) {
        nodes[id]?.record.loss = nil
        losses.remove(id)
        offerDues[id] = nil
        changedNodes.insert(id)
        dirtyItems.insert(id)
        openHeads.insert(id)
        for ghost in ghosts(of: id) { dirtyItems.insert(ghost) }
        prune(id)
        if let base = base(id), !base.isParked { touch(base.slot) }
    }

    /// Whether a ghost's file is the last of a version that the account has lost.
    func isOwed(ghost id: ItemID, _ base: BaseState) -> Bool {
        guard !losses.isEmpty, let holder = holder(ofGhost: id) else { return false }
        return isOwed(base.version, holder)
    }

    /// An operation before others that were made earlier.
    mutating func insert(_ body: Operation.Body, as entry: UInt64) {
        outbox.insert(OutboxEntry(body: body, made: now.wall), id: entry)
        if let item = body.item {
            nodes[item]?.pending += 1
            openHeads.insert(item)
        }
        store(entry)
        askForUpload(entry)
    }

    /// While an item's losses are not offered, what is made from them names what they were made
    /// from.
    func withLostAncestors(_ parents: [VersionID], of id: ItemID) -> [VersionID] {
        guard losses.contains(id) else { return parents }
        var all = parents
        for parent in parents {
            for ancestor in known(parent, of: id)?.parents ?? [] where !all.contains(ancestor) {
                all.append(ancestor)
            }
        }
        return all
    }

    // MARK: Contents

    private enum Supply {
        case content(StoredContent)
        /// It comes with a later event.
        case awaited
        /// This device does not have it.
        case none
    }

    private mutating func supply(_ version: VersionID, of id: ItemID) -> Supply {
        guard let node = nodes[id], let known = known(version, of: id) else { return .none }
        if node.record.kind == .folder { return .content(.none) }
        if let content = supplied[version] { return .content(content) }
        let file = fileHolding(version, of: id)
        if !known.chunks.isEmpty {
            // They are taken from the file, or from what was brought, if the server lacks them.
            if file != nil || fetched.contains(version) {
                return .content(.chunks(known.chunks))
            }
            return bring(known, of: id)
        }
        if let bytes = inHand[version] { return .content(.inline(bytes)) }
        if let file, let base = base(file) { return awaitReading(file, base, for: id, node) }
        if fetched.contains(version) {
            if supplying.insert(version).inserted { actions.append(.load(id, version)) }
            return .awaited
        }
        guard hidden.contains(version) else { return .none }
        return bring(known, of: id)
    }

    /// What this device has brought here may be complete, and what it lacks be at the server still.
    private mutating func bring(_ known: KnownVersion, of id: ItemID) -> Supply {
        guard supplying.contains(known.id) || fetching[known.id] == nil else {
            // It was asked for before it was owed: the answer goes elsewhere.
            offerDues[id] = now.steady.advanced(milliseconds: 1_000)
            return .awaited
        }
        if supplying.insert(known.id).inserted { askFor(known, of: id) }
        return .awaited
    }

    /// A long content that has come is sent from where it lies.
    mutating func offerFetched(_ version: VersionID, of id: ItemID) {
        guard let chunks = known(version, of: id)?.chunks, !chunks.isEmpty else {
            actions.append(.load(id, version))
            return
        }
        supplying.remove(version)
        supplied[version] = .chunks(chunks)
        offers.insert(id)
    }

    /// The item, or the ghost of it, whose file is the version.
    private func fileHolding(_ version: VersionID, of id: ItemID) -> ItemID? {
        ([id] + ghosts(of: id)).first { nodes[$0]?.record.shown == version }
    }

    private mutating func awaitReading(
        _ file: ItemID, _ base: BaseState, for id: ItemID, _ node: Node
    ) -> Supply {
        if let due = offerDues[id], due > now.steady { return .awaited }
        offerDues[id] = now.steady.advanced(milliseconds: 2_000)
        if base.isParked {
            unparkBeside(file, base)
        } else if disk[base.slot] != nil || !isUnavailable(base.slot.folder),
            let path = path(of: file)
        {
            // A read that does not end is begun again.
            offerDues[id] = now.steady.advanced(milliseconds: 30_000)
            actions.append(
                .read(
                    ReadRequest(
                        slot: base.slot, path: path, kind: node.record.kind.entryKind,
                        prefix: nil)))
        }
        return .awaited
    }

    /// Something was read at a name; if it is what was lost, it is offered.
    mutating func noteReading(at slot: Slot, _ content: ReadContent?) {
        guard !losses.isEmpty, let file = item(at: slot), let base = base(file) else { return }
        let id = holder(ofGhost: file) ?? file
        guard isOwed(base.version, id) else { return }
        guard let content else {
            offerDues[id] = now.steady.advanced(milliseconds: 1_000)
            return
        }
        if content.digest == base.facts.digest {
            supplied[base.version] = content.content
            offers.insert(id)
        } else {
            // It was written to since: that is an edit, and is found as one.
            offerDues[id] = now.steady.advanced(milliseconds: 1_000)
        }
    }

    /// What was kept of a head that did not show.
    mutating func suppliedOwed(_ version: VersionID, of id: ItemID, _ bytes: [UInt8]?) {
        supplying.remove(version)
        if let bytes, vault.hash(bytes) == known(version, of: id)?.facts.digest {
            supplied[version] = .inline(bytes)
        } else {
            nodes[id]?.record.loss?.versions.removeAll { $0 == version }
            changedNodes.insert(id)
            noteLost(version, of: id)
        }
        offers.insert(id)
    }

    // MARK: Made anew

    /// The account has forgotten the item that content is for: it is created again, with its id, or
    /// becomes a head of the item that this one was taken into.
    mutating func createdAgain(_ entry: OutboxEntry) -> OutboxEntry? {
        guard case .edit(let item, let version) = entry.body, version.hasContent else {
            return nil
        }
        let holder = resolve(item)
        if holder != item, nodes[holder]?.record.remote != nil {
            var again = entry
            again.number = nil
            again.body = .edit(item: holder, version: version)
            return again
        }
        guard var base = base(item), !base.isParked, let kind = nodes[item]?.record.kind else {
            return nil
        }
        let placement = newPlacement(of: item, replacing: nil, at: base.ownSlot)
        base.placement = placement.id
        setBase(item, base)
        var again = entry
        again.number = nil
        again.body = .create(
            item: item, kind: kind, placement: placement,
            version: Version(
                id: version.id, parents: version.parents, nature: .edit, facts: version.facts,
                content: version.content))
        return again
    }
}
