/// Places: one field beside content, where the first accepted stands.
extension Deliberation {
    mutating func move(
        _ id: ItemID, _ placement: Placement, _ index: Int
    ) throws(Reader.Failure) -> Ruling {
        if refusedItems.contains(id) { return .refused(.restsOnRefused) }
        guard var state = try state(try resolve(id)) else { return .refused(.unknownItem) }
        if state.placement.id == placement.id { return .known(position.number) }
        guard state.placement.id == placement.replaces else { return .refused(.stalePlace) }
        if state.standing == .trashed { return try rescue(state, to: placement, index) }
        if case .refused(let refusal)? = rulings[index] { return .refused(refusal) }
        let folder = try resolve(placement.folder)
        guard try isStanding(folder) else { return .refused(.folderGone) }
        // What had no place arrives in the folder as from another one.
        let isElsewhere = state.placement.folder != folder || state.standing == .unplaced
        try vacate(&state, as: .placed)
        state.placement = placement.moved(to: folder)
        if isElsewhere { state.changed = nextNumber }
        try occupy(state, Placing(index: index, way: .moved))
        if state.kind == .folder { movedFolders.append(state.id) }
        set(state)
        return .accepted([.item(state, introducing: nil)])
    }

    /// Whether things can be placed in a folder.
    func isStanding(_ folder: ItemID) throws(Reader.Failure) -> Bool {
        if folder == .top { return true }
        guard let state = try state(folder) else { return false }
        return state.kind == .folder && state.standing == .placed
    }

    /// Places an item that is new, or came back to life, and stores it; the folders that came back
    /// with it are returned, outermost first.
    mutating func settle(
        _ state: inout ItemState, _ placing: Placing
    ) throws(Reader.Failure) -> [ItemState] {
        let folder = try resolve(state.placement.folder)
        state.placement = state.placement.moved(to: folder)
        var revived: [ItemState] = []
        let hasFolder = try revive(folder, &revived, placing)
        if case .unplaced? = rulings[placing.index] {
            state.standing = .unplaced
        } else if hasFolder {
            state.standing = .placed
            try occupy(state, placing)
        } else {
            state.standing = .unplaced
        }
        set(state)
        return revived
    }

    /// Brings back a folder that is only in the trash, with the folders above it; false if there
    /// is no such folder, or it cannot be placed.
    ///
    /// A move of the same request may have put it into itself, which is judged at its end.
    private mutating func revive(
        _ id: ItemID, _ revived: inout [ItemState], _ placing: Placing
    ) throws(Reader.Failure) -> Bool {
        var (chain, hasFolder) = try trashedChain(from: id)
        while var state = chain.popLast() {
            let parent = try resolve(state.placement.folder)
            state.placement = state.placement.moved(to: parent)
            state.heads = try contentBefore(state.heads)
            state.changed = nextNumber
            let slot = TagSlot(folder: parent, tag: state.placement.tag)
            // Its own name may be taken: then it lives, with what is in it, until it is placed.
            let isFree = try holders(of: slot).isEmpty
            state.standing = hasFolder && isFree ? .placed : .unplaced
            if state.standing == .placed {
                try occupy(state, Placing(index: placing.index, way: .revived))
            }
            set(state)
            revived.append(state)
            hasFolder = true
        }
        return hasFolder
    }

    /// The folders in the trash from here upwards, and whether there is one above them.
    private func trashedChain(
        from id: ItemID
    ) throws(Reader.Failure) -> (chain: [ItemState], hasFolder: Bool) {
        var chain: [ItemState] = []
        var seen: Set<ItemID> = []
        var next = id
        while next != .top {
            guard let state = try state(next), state.kind == .folder else { return (chain, false) }
            if state.standing != .trashed { return (chain, true) }
            guard seen.insert(next).inserted else { return (chain, false) }
            chain.append(state)
            next = try resolve(state.placement.folder)
        }
        return (chain, true)
    }

    /// The heads that stood before deletions: their nearest ancestors with content.
    func contentBefore(_ heads: [Head]) throws(Reader.Failure) -> [Head] {
        var before: [Head] = []
        var open = heads.map { $0.version }
        var seen: Set<VersionID> = []
        while !open.isEmpty {
            let id = open.removeFirst()
            guard seen.insert(id).inserted, let record = try record(of: id) else { continue }
            if record.nature == .deletion {
                open.append(contentsOf: record.parents)
            } else {
                before.append(Head(version: id, hasContent: true))
            }
        }
        // A deletion whose parents the account never had: the folder keeps the deletion as the
        // name of its state, and is alive by its standing alone.
        return before.isEmpty ? heads.map { Head(version: $0.version, hasContent: true) } : before
    }
}

// MARK: - Names

extension Deliberation {
    func holders(of slot: TagSlot) throws(Reader.Failure) -> [ItemID] {
        if let present = occupants[slot] { return present }
        guard let holder = try reader.holder(of: slot.tag, in: slot.folder) else { return [] }
        return [holder]
    }

    private mutating func touch(_ slot: TagSlot) throws(Reader.Failure) {
        guard occupants[slot] == nil else { return }
        occupants[slot] = try holders(of: slot)
        touchedSlots.append(slot)
    }

    mutating func occupy(_ state: ItemState, _ placing: Placing) throws(Reader.Failure) {
        let slot = TagSlot(folder: state.placement.folder, tag: state.placement.tag)
        try touch(slot)
        if mutant == .tagsCheckedAtOnce, placing.way == .moved, try !holders(of: slot).isEmpty {
            refusedAtOnce.insert(placing.index)
        }
        occupants[slot, default: []].append(state.id)
        placedBy[state.id] = placing
    }

    /// Takes an item from its name.
    mutating func vacate(
        _ state: inout ItemState, as standing: Standing
    ) throws(Reader.Failure) {
        if state.standing == .placed {
            let slot = TagSlot(folder: state.placement.folder, tag: state.placement.tag)
            try touch(slot)
            let id = state.id
            occupants[slot]?.removeAll { $0 == id }
        }
        state.standing = standing
    }

    /// What cannot hold of the round's places, by operation.
    ///
    /// Names with two items, of which the one that had the name first keeps it, and folders within
    /// themselves.
    func clashes() throws(Reader.Failure) -> [Int: PlaceRuling] {
        var clashes: [Int: PlaceRuling] = [:]
        for index in refusedAtOnce { clashes[index] = .refused(.nameTaken) }
        for slot in touchedSlots {
            guard let holders = occupants[slot], let first = holders.first else { continue }
            for loser in holders.dropFirst() {
                guard let placing = placedBy[loser] else { continue }
                clashes[placing.index] = try ruling(on: loser, placing.way, heldBy: first)
            }
        }
        if mutant == .cyclesAccepted { return clashes }
        for folder in movedFolders where try isWithinItself(folder) {
            if let index = try lastMove(ofCycleThrough: folder) {
                clashes[index] = .refused(.cycle)
            }
        }
        return clashes
    }

    private func ruling(
        on loser: ItemID, _ way: Placing.Way, heldBy holder: ItemID
    ) throws(Reader.Failure) -> PlaceRuling {
        switch way {
        case .moved: return .refused(.nameTaken)
        case .revived: return .unplaced
        case .created:
            let isSameKind = try state(loser)?.kind == state(holder)?.kind
            return isSameKind ? .joined(holder) : .unplaced
        }
    }

    private func isWithinItself(_ folder: ItemID) throws(Reader.Failure) -> Bool {
        var seen: Set<ItemID> = []
        var id = folder
        while id != .top, seen.insert(id).inserted {
            guard let state = try state(id) else { return false }
            id = state.placement.folder
            if id == folder { return true }
        }
        return false
    }

    private func lastMove(ofCycleThrough folder: ItemID) throws(Reader.Failure) -> Int? {
        var last: Int?
        var id = folder
        repeat {
            if let placing = placedBy[id], placing.way == .moved, placing.index > last ?? -1 {
                last = placing.index
            }
            guard let state = try state(id) else { return last }
            id = state.placement.folder
        } while id != folder && id != .top
        return last
    }
}
