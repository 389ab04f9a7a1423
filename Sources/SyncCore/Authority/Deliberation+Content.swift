/// Creating and editing: content is never refused for its parents or its place.
extension Deliberation {
    mutating func create(
        _ id: ItemID, _ kind: Kind, _ placement: Placement, _ version: Version, _ index: Int
    ) throws(Reader.Failure) -> Ruling {
        guard version.nature == .edit, id != .top, placement.replaces == nil else {
            return .refused(.malformed)
        }
        if let present = try record(of: version.id) { return try known(present, as: id) }
        let resolved = try resolve(id)
        if let present = try state(resolved) {
            return try createAgain(present, kind, version, index)
        }
        guard try hasContent(version) else { return refuse(id, .chunksMissing) }
        let folder = try resolve(placement.folder)
        if refusedItems.contains(folder) { return refuse(id, .restsOnRefused) }
        var state = ItemState(
            id: id, kind: kind, standing: .unplaced, placement: placement.moved(to: folder),
            heads: [Head(version: version.id, hasContent: true)], changed: nextNumber)
        if case .joined(let holder)? = rulings[index] {
            return try join(state, version, to: holder)
        }
        add(version, to: id)
        let revived = try settle(&state, Placing(index: index, way: .created))
        return .accepted(
            revived.map { .item($0, introducing: nil) } + [.item(state, introducing: version)])
    }

    /// A version that is in the log; under another item's id if that had been taken into the holder
    /// of its name, and the server that was restored has lost that.
    private mutating func known(
        _ present: VersionRecord, as id: ItemID
    ) throws(Reader.Failure) -> Ruling {
        let holder = try resolve(present.item)
        let own = try resolve(id)
        guard holder != own, try state(own) == nil else { return .known(present.number) }
        aliases[own] = holder
        changes.append(.alias(own, of: holder))
        return .accepted([.alias(own, of: holder)])
    }

    private mutating func refuse(_ id: ItemID, _ refusal: Refusal) -> Ruling {
        refusedItems.insert(id)
        return .refused(refusal)
    }

    /// An id given before: by two devices for the same container, by a clone of this device, or by
    /// a device that offers what a restored server has lost.
    private mutating func createAgain(
        _ present: ItemState, _ kind: Kind, _ version: Version, _ index: Int
    ) throws(Reader.Failure) -> Ruling {
        guard present.kind == kind else { return .refused(.wrongKind) }
        if kind == .folder, present.standing == .placed, version.parents.isEmpty {
            return .known(position.number)
        }
        return try edit(present.id, version, index)
    }

    /// Takes a created item into the holder of its name: a file's content becomes a further head,
    /// a folder is the same folder.
    private mutating func join(
        _ state: ItemState, _ version: Version, to holder: ItemID
    ) throws(Reader.Failure) -> Ruling {
        guard var target = try self.state(holder) else { return .refused(.malformed) }
        aliases[state.id] = holder
        changes.append(.alias(state.id, of: holder))
        guard state.kind != .folder else { return .accepted([.alias(state.id, of: holder)]) }
        add(version, to: holder)
        let before = target.heads
        target.heads = target.heads.adding(version, mutant)
        noteReplaced(before, by: target.heads, in: target.kind)
        target.changed = nextNumber
        set(target)
        return .accepted([
            .alias(state.id, of: holder), .item(target, introducing: version),
        ])
    }

    mutating func edit(
        _ id: ItemID, _ version: Version, _ index: Int
    ) throws(Reader.Failure) -> Ruling {
        if let present = try record(of: version.id), mutant != .replayIsApplied {
            return try settleAgain(present, version) ?? .known(present.number)
        }
        if refusedItems.contains(id) { return .refused(.restsOnRefused) }
        guard var state = try state(try resolve(id)) else { return .refused(.unknownItem) }
        if version.nature == .settlement {
            let heads = state.heads.map { $0.version }
            let areHeads = version.parents.allSatisfy { heads.contains($0) }
            let isStaleTaken = mutant == .staleMerge || mutant == .authorInMergeID
            guard areHeads || isStaleTaken, !version.parents.isEmpty else {
                return .refused(.staleParents)
            }
        }
        // A folder goes with all that is in it, or not at all.
        if version.nature == .deletion, state.kind == .folder { return .refused(.malformed) }
        if version.parents.contains(where: { refusedVersions.contains($0) }) {
            refusedVersions.insert(version.id)
            return .refused(.restsOnRefused)
        }
        guard try hasContent(version) else {
            refusedVersions.insert(version.id)
            return .refused(.chunksMissing)
        }
        add(version, to: state.id)
        let before = state.heads
        state.heads = state.heads.adding(version, mutant)
        if version.hasContent, let rest = try headsThatSurpass(version, before) {
            state.heads = rest
            if state.kind != .folder {
                changes.append(.replaced(version.id, number: nextNumber))
            }
        }
        if state.heads != before { state.changed = nextNumber }
        noteReplaced(before, by: state.heads, in: state.kind)
        let revived = try place(&state, index)
        return .accepted(
            revived.map { .item($0, introducing: nil) } + [.item(state, introducing: version)])
    }

    /// A merge that the log has, of heads that a restored server was offered after what came of it:
    /// it is their merge again, or the devices would send it for ever.
    private mutating func settleAgain(
        _ present: VersionRecord, _ version: Version
    ) throws(Reader.Failure) -> Ruling? {
        guard version.nature == .settlement, var state = try state(try resolve(present.item))
        else { return nil }
        let before = state.heads
        let heads = before.map { $0.version }
        guard !heads.contains(version.id), !version.parents.isEmpty,
            version.parents.allSatisfy({ heads.contains($0) }), try hasContent(version)
        else { return nil }
        state.heads = before.adding(version, mutant)
        state.changed = nextNumber
        noteReplaced(before, by: state.heads, in: state.kind)
        set(state)
        return .accepted([.item(state, introducing: nil)])
    }

    /// The heads that stay in place of a version, if one of them was made from it, a deletion too:
    /// a device offers what a restored server has lost, after another has offered, or made, what
    /// came of it.
    private func headsThatSurpass(
        _ version: Version, _ before: [Head]
    ) throws(Reader.Failure) -> [Head]? {
        let rest = before.filter { !version.parents.contains($0.version) }
        // An edit of a branch, which is the usual case, replaces its one parent.
        guard !rest.isEmpty, version.parents.count != 1 || rest.count == before.count,
            mutant != .ancestorIsAHead
        else { return nil }
        var open = rest.map { $0.version }
        var seen = Set(open)
        while let next = open.popLast() {
            guard let record = try record(of: next) else { continue }
            if record.parents.contains(version.id) { return rest }
            for parent in record.parents where seen.insert(parent).inserted { open.append(parent) }
        }
        return nil
    }

    /// Gives a state whose heads changed the standing that follows from them, and stores it.
    private mutating func place(
        _ state: inout ItemState, _ index: Int
    ) throws(Reader.Failure) -> [ItemState] {
        let isAlive = state.heads.contains { $0.hasContent }
        if isAlive, state.standing == .trashed {
            return try settle(&state, Placing(index: index, way: .revived))
        }
        if !isAlive, state.standing != .trashed { try vacate(&state, as: .trashed) }
        set(state)
        return []
    }

    private func hasContent(_ version: Version) throws(Reader.Failure) -> Bool {
        guard case .chunks(let chunks) = version.content else { return true }
        for chunk in chunks where try !reader.hasChunk(chunk.id) { return false }
        return true
    }
}

extension [Head] {
    /// The heads after a version is added: it takes the place of the first head that it replaces;
    /// a head without content yields to any head with content.
    func adding(_ version: Version, _ mutant: Mutant? = nil) -> [Head] {
        let added = Head(version: version.id, hasContent: version.hasContent)
        var heads: [Head] = []
        var isIn = false
        for head in self {
            let isReplaced = version.parents.contains(head.version) || mutant == .dropSecondHead
            guard isReplaced else {
                heads.append(head)
                continue
            }
            if !isIn { heads.append(added) }
            isIn = true
        }
        if !isIn { heads.append(added) }
        if mutant == .deleteBeatsEdit, !version.hasContent { return [added] }
        if mutant == .deletionOfAllHeads, version.nature == .deletion, isIn { return [added] }
        guard heads.contains(where: { $0.hasContent }) else { return heads }
        return heads.filter { $0.hasContent }
    }
}

extension Placement {
    func moved(to folder: ItemID) -> Placement {
        Placement(id: id, replaces: replaces, folder: folder, tag: tag, name: name)
    }
}
