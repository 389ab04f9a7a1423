/// The server has another history than this device: it was restored, however that was done.
///
/// Or it does not keep the part of its log that follows this device's cursor. Either way the device
/// takes the account as it is at one position, and offers what the account lacks of its own.
/// Nothing on the disk changes before all of it is decided.
extension Replica {
    /// Every so many entries a position is kept, to be named to a server that was restored.
    static var landmarkDistance: UInt64 { 16 }

    mutating func historyUnknown() {
        pulledFrom = nil
        hasForeignHistory = true
        actions.append(.notify(.statusChanged))
        askForSnapshot()
    }

    /// Asks once at a time; what was not answered is asked again a second later.
    mutating func askForSnapshot() {
        guard isConnected, hasForeignHistory, !isAskingSnapshot, arriving == nil else { return }
        if let due = snapshotDue, due > now.steady { return }
        snapshotDue = nil
        isAskingSnapshot = true
        actions.append(.inquireSnapshot([progress.cursor] + landmarks.reversed()))
    }

    mutating func take(_ snapshot: AccountSnapshot?) {
        guard isAskingSnapshot else { return }
        isAskingSnapshot = false
        guard hasForeignHistory else { return }
        guard let snapshot, snapshot.isSound else {
            snapshotDue = now.steady.advanced(milliseconds: 1_000)
            return
        }
        arriving = snapshot
        actions.append(.recallAncestry(after: snapshot.common.number))
    }

    mutating func recalled(_ ancestries: [Ancestry]) {
        guard let snapshot = arriving else { return }
        arriving = nil
        guard hasForeignHistory else { return }
        var ancestors: [VersionID: [VersionID]] = [:]
        for ancestry in ancestries { ancestors[ancestry.child] = ancestry.parents }
        // What this device made itself, and what the log may never tell it of: the snapshot can
        // have it already.
        for (_, entry) in outbox.all {
            guard let version = entry.body.version, !version.parents.isEmpty else { continue }
            ancestors[version.id] = version.parents
            changes.append(
                .ancestry(
                    Ancestry(
                        child: version.id, parents: version.parents, number: Ancestry.ofNoEntry)))
        }
        goOn(from: snapshot, Lineages(parents: ancestors))
    }

    /// Follows the cursor; most are forgotten again as it goes on, so that they lie ever wider
    /// apart.
    mutating func noteLandmark(_ position: Position) {
        guard position.number % Replica.landmarkDistance == 0 else { return }
        landmarks.append(position)
        changes.append(.landmark(position, isKept: true))
        let step = position.number / Replica.landmarkDistance
        landmarks.removeAll { landmark in
            let place = landmark.number / Replica.landmarkDistance
            let span = UInt64(2) << UInt64(place.trailingZeroBitCount)
            guard step > place, step - place > span else { return false }
            changes.append(.landmark(landmark, isKept: false))
            return true
        }
    }

    /// A snapshot names the heads alone; what they were made from comes with what they are.
    mutating func noteParents(_ parents: [VersionID], of version: VersionID, _ item: ItemID) {
        guard !parents.isEmpty, let number = nodes[item]?.record.remote?.changed else { return }
        changes.append(.ancestry(Ancestry(child: version, parents: parents, number: number)))
    }

    /// Ancestors are needed when the server has lost them.
    mutating func noteAncestry(
        _ state: ItemState, _ version: Version?, before: ItemState?, number: UInt64
    ) {
        if let version, !version.parents.isEmpty {
            changes.append(
                .ancestry(
                    Ancestry(child: version.id, parents: version.parents, number: number)))
        }
        if state.placement.id != before?.placement.id,
            let ancestry = Ancestry(of: state.placement, number: number)
        {
            changes.append(.ancestry(ancestry))
        }
    }
}

/// Who was made from whom, as far as the device has kept it.
struct Lineages {
    let parents: [VersionID: [VersionID]]

    /// All ancestors of versions, nearest first, without going beyond those that are known.
    func ancestors(of versions: [VersionID], known: Set<VersionID> = []) -> [VersionID] {
        var found: [VersionID] = []
        var seen = Set(versions)
        var open = versions
        var next = 0
        while next < open.count {
            let version = open[next]
            next += 1
            guard !known.contains(version) else { continue }
            for parent in parents[version] ?? [] where seen.insert(parent).inserted {
                found.append(parent)
                open.append(parent)
            }
        }
        return found
    }

    /// Whether a place came, by whatever ways, from another.
    func leads(from old: PlaceID, to new: PlaceID) -> Bool {
        ancestors(of: [VersionID(new)]).contains(VersionID(old))
    }
}

// MARK: - Going on from a snapshot

extension Replica {
    private mutating func goOn(from snapshot: AccountSnapshot, _ lineages: Lineages) {
        let hasCursor = snapshot.common == progress.cursor
        var recovery = Recovery(
            snapshot: snapshot, before: nodes.compactMapValues { $0.record.remote },
            lineages: lineages)
        endAllSettling()
        if !hasCursor { dropAliases(recovery) }
        for alias in snapshot.aliases { take(alias, &recovery) }
        if !hasCursor { beginHistory(recovery) }
        for state in snapshot.items where nodes[state.id] != nil || state.standing != .trashed {
            if !hasCursor { noteReturned(state, recovery) }
            let before = recovery.before[state.id]
            noteAncestry(state, nil, before: before, number: state.changed)
            setRemote(state)
        }
        for id in recovery.before.keys.sorted() where recovery.states[id] == nil {
            guard holder(ofGhost: id) == nil, !isDeletedForBoth(id, recovery) else { continue }
            leaveOut(id, hasCursor: hasCursor)
        }
        take(snapshot.registers, isHistory: !hasCursor)
        if hasCursor { finishAccepted(through: snapshot.position.number) }
        goOn(at: snapshot)
    }

    /// In the account as it is, what was taken into a holder may be an item of its own, or the
    /// holder of the other.
    private mutating func dropAliases(_ recovery: Recovery) {
        let others = Dictionary(lastOf: recovery.snapshot.aliases.map { ($0.item, $0.holder) })
        for item in aliases.keys.sorted() where aliases[item] != nil {
            var next = aliases[item] ?? item
            var met: Set<ItemID> = []
            while next != item, met.insert(next).inserted, let holder = others[next] {
                next = holder
            }
            guard next == item || recovery.states[item] != nil || others[item] != nil else {
                continue
            }
            endAlias(item)
        }
    }

    private mutating func take(_ alias: ItemAlias, _ recovery: inout Recovery) {
        guard aliases[alias.item] == nil else { return }
        let holder = resolve(alias.holder)
        guard holder != alias.item else { return }
        if let lost = recovery.before.removeValue(forKey: alias.item) {
            recovery.inherit(lost, by: holder)
        }
        self.alias(alias.item, of: holder)
    }

    private mutating func goOn(at snapshot: AccountSnapshot) {
        landmarks.removeAll { landmark in
            guard landmark.number > snapshot.common.number else { return false }
            changes.append(.landmark(landmark, isKept: false))
            return true
        }
        progress.cursor = snapshot.position
        noteLandmark(snapshot.position)
        serverHead = snapshot.position
        hasForeignHistory = false
        for id in nodes.keys.sorted() {
            noteInstalled(id)
            prune(id)
        }
        if !progress.hasPulled { firstPullEnded() }
        // What was pushed while the snapshot was on its way could not be taken.
        if isConnected { pull() }
        actions.append(.notify(.statusChanged))
    }

    private mutating func finishAccepted(through number: UInt64) {
        for (id, entry) in outbox.all {
            if let accepted = entry.accepted, accepted <= number { finish(id) }
        }
    }

    private mutating func endAllSettling() {
        for id in settling.keys.sorted() {
            for version in (settling[id]?.wanted ?? []).sorted() { dropContent(version) }
            openHeads.insert(id)
        }
        settling.removeAll()
    }

    /// What was deleted before the common position is not told again.
    private func isDeletedForBoth(_ id: ItemID, _ recovery: Recovery) -> Bool {
        guard let before = recovery.before[id] else { return false }
        return before.standing == .trashed && before.changed <= recovery.snapshot.common.number
    }

    /// The account as it is does not have the item.
    private mutating func leaveOut(_ id: ItemID, hasCursor: Bool) {
        guard var state = nodes[id]?.record.remote else { return }
        if hasCursor {
            // The log goes on from what this device had: it was deleted since.
            state.standing = .trashed
            state.heads = state.heads.map { Head(version: $0.version, hasContent: false) }
            setRemote(state)
        } else {
            clearRemote(id)
        }
        actions.append(.notify(.itemChanged(id)))
    }

    /// What both had once, and the device not any more, was deleted in what the server has lost.
    private mutating func noteReturned(_ state: ItemState, _ recovery: Recovery) {
        guard state.standing == .placed,
            state.changed <= recovery.snapshot.common.number || recovery.hadMore(of: state)
        else { return }
        let before = recovery.before[state.id]
        guard before == nil || before?.standing == .trashed else { return }
        if nodes[state.id] == nil {
            nodes[state.id] = Node(
                record: NodeRecord(
                    kind: state.kind, remote: nil, versions: [], base: nil, installing: nil))
        }
        nodes[state.id]?.record.hasReturned = true
        actions.append(.notify(.itemChanged(state.id)))
    }

    /// Nothing of this device's is in the log any more for certain: its numbers begin anew, and
    /// what it has yet to say goes after what the account has lost.
    private mutating func beginHistory(_ recovery: Recovery) {
        progress.installed = min(progress.installed, recovery.snapshot.common.number)
        changes.append(.ancestryLost(after: recovery.snapshot.common.number))
        freeCopies()
        dropNeedlessPlacings(recovery)
        let unsent = outbox.all.map { (id: $0.id, entry: again($0.entry, recovery)) }
        var found = findLosses(recovery)
        reserve(&found)
        renumberOutbox(unsent)
        progress.incarnation = newIncarnation()
        progress.lastNumber = 0
        offerAtOnce(found)
    }

    /// The copy of what a choice drops waits for the choice no longer if others may have heard of
    /// it: they offer it, and what it drops would be gone after the copy was found needless.
    private mutating func freeCopies() {
        let told = Set(
            outbox.all.filter { $0.entry.number != nil }.compactMap { $0.entry.body.version?.id })
        for (id, entry) in outbox.all {
            guard let choice = entry.restsOn, told.contains(choice) else { continue }
            var free = entry
            free.restsOn = nil
            outbox.update(id, free)
        }
    }

    /// What was to get a name because it had no place has its place in the account as it is.
    private mutating func dropNeedlessPlacings(_ recovery: Recovery) {
        for (id, entry) in outbox.all {
            guard case .move(let given, _) = entry.body else { continue }
            let item = resolve(given)
            guard base(item) == nil, recovery.before[item]?.standing == .unplaced,
                recovery.states[item]?.standing == .placed
            else { continue }
            finish(id)
        }
    }

    /// Entries of the outbox go after those that are reserved for what was lost.
    private mutating func renumberOutbox(_ entries: [(id: UInt64, entry: OutboxEntry)]) {
        var ids: [UInt64: UInt64] = [:]
        var renumbered: [UInt64: OutboxEntry] = [:]
        for (id, entry) in entries {
            progress.lastEntry += 1
            ids[id] = progress.lastEntry
            renumbered[progress.lastEntry] = entry
            changes.append(.outbox(entry: id, nil))
            changes.append(.outbox(entry: progress.lastEntry, entry))
            if uploading.contains(id) { actions.append(.releaseUpload(entry: id)) }
        }
        outbox = Outbox(renumbered)
        inFlight = []
        uploading.removeAll()
        held.removeAll()
        wavering = Dictionary(
            lastOf: wavering.compactMap { id, container in ids[id].map { ($0, container) } })
        for container in waves.keys { waves[container]?.renumber(ids) }
        for (key, record) in registers {
            guard let entry = record.pending?.entry, let id = ids[entry] else { continue }
            registers[key]?.pending?.entry = id
            changes.append(.register(key, registers[key]))
        }
        for (id, _) in outbox.all { askForUpload(id) }
        countPending()
    }

    /// An operation as it goes again: with the ancestors that the account may have lost.
    private func again(_ entry: OutboxEntry, _ recovery: Recovery) -> OutboxEntry {
        var again = entry
        again.giveUpNumber()
        again.isUploaded = false
        switch entry.body {
        case .create(let item, let kind, let placement, let version):
            again.body = .create(
                item: item, kind: kind, placement: placement,
                version: version.withAncestors(of: resolve(item), recovery))
        case .edit(let item, let version):
            if let creation = creation(of: resolve(item), version, recovery) {
                again.body = creation
            } else if version.nature != .settlement {
                again.body = .edit(
                    item: item, version: version.withAncestors(of: resolve(item), recovery))
            }
        case .removeFolder(let removal): again.body = .removeFolder(self.again(removal, recovery))
        case .move, .restoreFolder, .write: break
        }
        return again
    }

    /// Content for an item that the account does not have any more, and that has no file here to be
    /// created from when the content is refused.
    private func creation(
        of item: ItemID, _ version: Version, _ recovery: Recovery
    ) -> Operation.Body? {
        guard version.hasContent, recovery.states[item] == nil, base(item) == nil,
            let before = recovery.before[item]
        else { return nil }
        let first = Version(
            id: version.id, parents: version.parents, nature: .edit, facts: version.facts,
            content: version.content)
        return .create(
            item: item, kind: before.kind, placement: asFirst(before.placement),
            version: first.withAncestors(of: item, recovery))
    }

    /// A place as that of an item which has none in the account.
    func asFirst(_ placement: Placement) -> Placement {
        Placement(
            id: placement.id, replaces: nil, folder: resolve(placement.folder),
            tag: placement.tag, name: placement.name)
    }

    /// A number of another history names nothing: what was installed after the last common one is
    /// named by its versions, and what was never seen is beyond the number in this history too.
    private func again(_ removal: FolderRemoval, _ recovery: Recovery) -> FolderRemoval {
        let members = remoteMembers(of: resolve(removal.folder))
        let reach = removal.reach
        var installed = min(removal.installed, recovery.snapshot.common.number)
        for member in members {
            guard let before = recovery.before[member], !reach.covers(before),
                let state = recovery.states[member]
            else { continue }
            installed = min(installed, state.lastBefore)
        }
        // What had left the folder, and lies in it again in the account as it is, was not meant.
        let meant = Set(members)
        for member in recovery.members(of: resolve(removal.folder))
        where !meant.contains(member) && recovery.before[member]?.standing == .placed {
            guard let state = recovery.states[member] else { continue }
            installed = min(installed, state.lastBefore)
        }
        var beyond = removal.beyond
        for member in members {
            guard let state = recovery.before[member], state.changed > installed,
                state.changed <= removal.installed
            else { continue }
            beyond += state.heads.map { $0.version }
        }
        beyond += recovery.lineages.ancestors(of: beyond)
        return FolderRemoval(
            folder: removal.folder, version: removal.version, installed: installed, beyond: beyond)
    }

    private func remoteMembers(of folder: ItemID) -> [ItemID] {
        var members: [ItemID] = []
        var met: Set<ItemID> = [folder]
        var open = [folder]
        while let folder = open.popLast() {
            let children = (remoteChildren[folder] ?? []).sorted().filter {
                met.insert($0).inserted
            }
            members += children
            open += children
        }
        return members
    }
}

extension Version {
    func withAncestors(of item: ItemID, _ recovery: Recovery) -> Version {
        Version(
            id: id, parents: recovery.withAncestors(parents, of: item), nature: nature,
            facts: facts, content: content)
    }
}

/// What a device had before it met another history, and what it met.
struct Recovery {
    let snapshot: AccountSnapshot
    /// The items of the account as it is.
    let states: [ItemID: ItemState]
    /// The remote tree as it was.
    var before: [ItemID: ItemState]
    let lineages: Lineages
    /// All that something came of that the account may have lost.
    private let replaced: Set<VersionID>
    /// The folders of the account as it is.
    private let children: [ItemID: [ItemID]]

    init(snapshot: AccountSnapshot, before: [ItemID: ItemState], lineages: Lineages) {
        self.snapshot = snapshot
        states = Dictionary(lastOf: snapshot.items.map { ($0.id, $0) })
        self.before = before
        self.lineages = lineages
        replaced = Set(lineages.parents.values.joined())
        var children: [ItemID: [ItemID]] = [:]
        for state in snapshot.items where state.standing == .placed {
            children[state.placement.folder, default: []].append(state.id)
        }
        self.children = children
    }

    /// All that lies in a folder, and below it, in the account as it is.
    func members(of folder: ItemID) -> [ItemID] {
        var members: [ItemID] = []
        var met: Set<ItemID> = [folder]
        var open = [folder]
        while let next = open.popLast() {
            let found = (children[next] ?? []).filter { met.insert($0).inserted }
            members += found
            open += found
        }
        return members
    }

    /// What was known of an item that the account knows as another.
    mutating func inherit(_ state: ItemState, by holder: ItemID) {
        let others = before[holder]?.heads ?? []
        before[holder] = ItemState(
            id: holder, kind: state.kind, standing: before[holder]?.standing ?? state.standing,
            placement: before[holder]?.placement ?? state.placement,
            heads: others + state.heads.filter { !others.contains($0) },
            changed: before[holder]?.changed ?? state.changed)
    }

    /// Whether something came after one of an item's heads that is the newest now.
    func hadMore(of state: ItemState) -> Bool {
        state.heads.contains { replaced.contains($0.version) }
    }

    /// Parents and all that they were made from, back to what the account has as heads.
    func withAncestors(_ parents: [VersionID], of item: ItemID) -> [VersionID] {
        let heads = Set(states[item]?.heads.map { $0.version } ?? [])
        return parents + lineages.ancestors(of: parents, known: heads)
    }
}

extension Dictionary {
    /// Of several values of a key the last; the standard library's way needs casts, which Embedded
    /// Swift does not have.
    fileprivate init(lastOf pairs: [(Key, Value)]) {
        self.init(minimumCapacity: pairs.count)
        for (key, value) in pairs { self[key] = value }
    }
}
