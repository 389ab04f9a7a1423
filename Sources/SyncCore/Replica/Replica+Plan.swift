/// What the disk owes the remote tree: one step an item at a time, each judged by what came out.
extension Replica {
    /// Plans the dirty items; true if a name became dirty by it.
    mutating func planItems() -> Bool {
        wakeRetries()
        var hasChanged = false
        while !dirtyItems.isEmpty {
            for id in dirtyItems.takeAll() { plan(resolve(id)) }
            hasChanged = true
        }
        return hasChanged && !dirtySlots.isEmpty && dirtySlots.nextDue == nil
    }

    private mutating func wakeRetries() {
        guard retries.values.contains(where: { $0.at <= now.steady }) else { return }
        let due = retries.filter { $0.value.at <= now.steady }.keys.sorted()
        for id in due {
            retries[id]?.at = Instant(nanoseconds: .max)
            dirtyItems.insert(id)
        }
    }

    private mutating func plan(_ id: ItemID) {
        // Nothing is installed over what the account has lost before it has it again.
        guard let node = nodes[id], node.job == nil, node.record.loss == nil else { return }
        // What this device says goes first; the remote tree answers it.
        guard node.pending == 0, let remote = node.record.remote else {
            if node.pending == 0 { forgetIfGone(id) }
            return
        }
        guard retries[id].map({ $0.at <= now.steady || $0.at.nanoseconds == .max }) ?? true
        else { return }
        if let base = node.record.base, !base.isParked {
            if dirtySlots.since[base.slot] != nil || reading[base.slot] != nil { return }
        }
        switch (remote.standing, node.record.base) {
        case (.placed, nil): install(id, node, remote)
        case (.placed, let base?): bring(id, node, remote, base)
        case (.trashed, let base?): if !isOwed(ghost: id, base) { remove(id, node, base) }
        case (.unplaced, let base?): placeAgain(id, base, remote)
        case (.unplaced, nil): placeUnplaced(id, remote)
        case (.trashed, nil): forgetIfGone(id)
        }
    }

    // MARK: New here

    private mutating func install(_ id: ItemID, _ node: Node, _ remote: ItemState) {
        guard let slot = target(id, remote) else { return }
        if let ghost = item(at: slot), holder(ofGhost: ghost) == id, inherit(ghost, id) { return }
        if node.record.residence == .evicted {
            guard let hidden = placeholderSlot(id, at: slot) else { return endEviction(of: id) }
            guard isFree(hidden, for: id) else { return }
            return placePlaceholder(id, remote, at: Berth(slot: hidden, isAside: true), over: nil)
        }
        guard isFree(slot, for: id) else { return }
        place(id, node, remote, at: Berth(slot: slot, isAside: false), over: nil)
    }

    /// The name that the remote tree gives the item, if its folder is here.
    private mutating func target(_ id: ItemID, _ remote: ItemState) -> Slot? {
        let folder = resolve(remote.placement.folder)
        guard folder == .top || base(folder) != nil else { return nil }
        // What is put into a root that was found empty would make it look complete.
        guard !isUnavailable(folder) else { return nil }
        guard let slot = slot(of: remote.placement) else {
            nodes[id]?.problem = .unreadable
            return nil
        }
        return disk.isListed(folder) ? slot : nil
    }

    func slot(of placement: Placement) -> Slot? {
        guard let bytes = vault.open(placement.name), let name = Name(bytes) else { return nil }
        return Slot(folder: resolve(placement.folder), name: name)
    }

    /// Whether nothing stands at the name; what does is asked to leave.
    private mutating func isFree(_ slot: Slot, for id: ItemID) -> Bool {
        if let other = item(at: slot), other != id {
            if exchangeIfWithin(other, holder: id) { return false }
            waiting[slot, default: []].insert(id)
            if nodes[other]?.needsPlan == true { makeWay(other, for: id) }
            // A placeholder gives its name to whoever has it in the account.
            if base(other)?.isAside == true { dirtyItems.insert(other) }
            return false
        }
        guard disk[slot] == nil else {
            // Something that is no item yet: it will be one, or it is ignored.
            waiting[slot, default: []].insert(id)
            if disk[slot]?.kind == .other { nodes[id]?.problem = .nameHeld }
            touch(slot)
            retry(id, milliseconds: 200)
            return false
        }
        return true
    }

    /// What stands at a name can be put aside now, as it could not before.
    mutating func wakeWaiters(at slot: Slot) {
        for id in (waiting[slot] ?? []).sorted() { dirtyItems.insert(id) }
    }

    // MARK: Here already

    private mutating func bring(
        _ id: ItemID, _ node: Node, _ remote: ItemState, _ base: BaseState
    ) {
        guard let own = target(id, remote) else { return stepAside(id, base) }
        let berth = berth(of: id, node, at: own)
        let slot = berth.slot
        if base.isParked {
            guard isFree(slot, for: id) else { return }
            if let path = path(of: slot) {
                begin(id, .unpark(to: path, expected: base.stamp), isAside: berth.isAside)
            } else if outermost(between: id, and: slot.folder) != nil {
                // The folder that it goes into has come to lie in it, and has to leave it first.
                unparkBeside(id, base)
            } else {
                awaitPath(id)
            }
            return
        }
        if slot != base.slot {
            if outermost(between: id, and: slot.folder) != nil {
                // The folder that it goes into lies in it: that one, or one above it, has to
                // leave it first.
                waitForAll(id, above: slot.folder)
                return
            }
            guard isFree(slot, for: id) else { return }
            guard let from = path(of: id), let to = path(of: slot) else { return awaitPath(id) }
            begin(id, .move(from: from, to: to, expected: base.stamp), isAside: berth.isAside)
            return
        }
        var base = base
        if base.placement != remote.placement.id {
            base.placement = remote.placement.id
            setBase(id, base)
        }
        guard !isStillLost(id, remote) else { return }
        let isEvicted = nodes[id]?.record.residence == .evicted
        guard let head = remote.heads.first,
            head.version != base.version || node.record.isInstalledAgain
                || (base.placeholder != nil) != isEvicted
                || isEvicted && base.placeholder != placeholder(id, remote)?.facts.digest
        else {
            settled(id)
            return
        }
        if remote.heads.contains(where: { $0.version == base.version }) {
            // Another head shows: they may merge, which is told soon.
            if hasOpenHeads(node) { return }
            if wasJustEdited(node) {
                // Whoever typed here a moment ago may go on typing.
                retry(id, milliseconds: 2_000)
                return
            }
        }
        if isEvicted {
            placePlaceholder(id, remote, at: berth, over: base)
        } else {
            place(id, node, remote, at: berth, over: base)
        }
    }

    /// A folder above it, or above where it is to go, is put aside, or not here yet.
    mutating func awaitPath(_ id: ItemID) { retry(id, milliseconds: 200) }

    private mutating func waitForAll(_ id: ItemID, above inner: ItemID) {
        var folder = inner
        while folder != id, let base = base(folder), !base.isParked {
            waiting[base.slot, default: []].insert(id)
            folder = base.slot.folder
        }
    }

    private func wasJustEdited(_ node: Node) -> Bool {
        guard let edit = node.lastEdit else { return false }
        return now.steady.milliseconds(since: edit) < 2_000
    }

    mutating func settled(_ id: ItemID) {
        retries[id] = nil
        nodes[id]?.problem = nil
        nodes[id]?.owesText = false
        if nodes[id]?.record.installing != nil {
            nodes[id]?.record.installing = nil
            changedNodes.insert(id)
        }
    }

    // MARK: Content

    private mutating func place(
        _ id: ItemID, _ node: Node, _ remote: ItemState, at berth: Berth, over base: BaseState?
    ) {
        guard let head = remote.heads.first(where: { $0.hasContent }) else { return }
        guard let path = path(of: berth.slot) else { return awaitPath(id) }
        guard let version = known(head.version, of: id) else {
            askFor(head.version, of: id)
            return
        }
        if node.record.kind == .folder {
            placeFolder(id, version, path, base)
            return
        }
        guard let source = source(of: version, id) else { return }
        note(installing: version, of: id)
        begin(
            id, .placing(node.record.kind, at: path, source, version.facts, base?.stamp),
            isAside: berth.isAside)
    }

    private mutating func placeFolder(
        _ id: ItemID, _ version: KnownVersion, _ path: LocalPath, _ base: BaseState?
    ) {
        guard let base else {
            note(installing: version, of: id)
            begin(id, .makeFolder(at: path, mode: version.facts.mode))
            return
        }
        guard base.facts.mode != version.facts.mode else {
            var same = base
            same.version = version.id
            same.lastRead = version.id
            setBase(id, same)
            settled(id)
            return
        }
        note(installing: version, of: id)
        begin(id, .setMode(at: path, version.facts.mode, expected: base.stamp))
    }

    /// Durable before the disk changes: by the end of the install another version may be the head.
    mutating func note(installing version: KnownVersion, of id: ItemID) {
        nodes[id]?.record.installing = version.id
        changedNodes.insert(id)
    }

    private mutating func source(of version: KnownVersion, _ id: ItemID) -> ContentSource? {
        if let bytes = inHand[version.id] { return .inline(bytes) }
        if fetched.contains(version.id) { return .fetched(version.id) }
        askFor(version, of: id)
        return nil
    }

    mutating func askFor(_ version: KnownVersion, of id: ItemID) {
        guard isFirst(asking: version.id, of: id) else { return }
        actions.append(
            .fetch(
                FetchRequest(
                    item: id, version: version.id, facts: version.facts, chunks: version.chunks)))
    }

    /// A head that came back, as a folder does with what is placed in it, and is not known here.
    mutating func askFor(_ version: VersionID, of id: ItemID) {
        guard isFirst(asking: version, of: id) else { return }
        actions.append(.inquire(id, version))
    }

    /// Two items can want one version where an alias ended with its history: the second waits for
    /// what the first asked.
    private mutating func isFirst(asking version: VersionID, of id: ItemID) -> Bool {
        fetching[version, default: []].insert(id)
        return fetching[version]?.count == 1
    }

    /// Those who waited beside the item that asked go on.
    private mutating func endAsking(_ version: VersionID, by item: ItemID) {
        for id in (fetching.removeValue(forKey: version) ?? []).sorted() where id != item {
            dirtyItems.insert(id)
        }
    }

    mutating func described(_ item: ItemID, _ id: VersionID, _ version: Version?) {
        let item = resolve(item)
        endAsking(id, by: item)
        guard let version else {
            noteLacking(item)
            retry(item, milliseconds: 1_000)
            return
        }
        guard let bytes = vault.open(version.facts), let facts = VersionFacts(bytes: bytes) else {
            nodes[item]?.problem = .unreadable
            retry(item, milliseconds: 60_000)
            return
        }
        var chunks: [ChunkReference] = []
        if case .chunks(let list) = version.content { chunks = list }
        if case .inline(let bytes) = version.content { hold(bytes, for: id, facts) }
        nodes[item]?.record.versions.append(
            KnownVersion(
                id: id, parents: version.parents, facts: facts, chunks: chunks, author: nil,
                moment: nil))
        noteParents(version.parents, of: id, item)
        changedNodes.insert(item)
        dirtyItems.insert(item)
    }

    /// What came with a version is its content only if it is what the version says; else it is
    /// fetched, which tells if it is damaged.
    mutating func hold(_ bytes: [UInt8], for version: VersionID, _ facts: VersionFacts) {
        if vault.hash(bytes) == facts.digest { inHand[version] = bytes }
    }

    mutating func fetched(_ item: ItemID, _ version: VersionID, _ outcome: FetchOutcome) {
        let id = resolve(item)
        endAsking(version, by: id)
        let isForMerge = isWantedForMerge(version, of: id)
        // A merge may have asked for what is to be offered from the file here.
        if supplying.contains(version), isOwed(version, id), outcome != .arrived {
            suppliedOwed(version, of: id, nil)
            guard isForMerge else { return }
        }
        if isForMerge, outcome != .arrived {
            contentUnavailable(version, of: id)
            // Only what shows is missed on the disk.
            guard nodes[id]?.record.remote?.heads.first?.version == version else { return }
        }
        // What is not wanted any more is not missed.
        guard outcome == .arrived || isAwaited(version, of: id) else { return }
        switch outcome {
        case .arrived:
            fetched.insert(version)
            if isForMerge {
                actions.append(.load(id, version))
            } else if isOwed(version, id) {
                offerFetched(version, of: id)
            } else if !isAwaited(version, of: id) {
                dropContent(version)
            }
            dirtyItems.insert(id)
        case .unavailable:
            noteLacking(id)
            retry(id, milliseconds: 1_000)
        case .failed(let failure):
            nodes[id]?.problem = .disk(failure)
            retry(id, milliseconds: 2_000)
        case .damaged:
            nodes[id]?.problem = .contentDamaged
            retry(id, milliseconds: 10_000)
        }
    }

    private mutating func noteLacking(_ id: ItemID) {
        nodes[id]?.problem = .contentUnavailable
        lacking.insert(id)
    }

    // MARK: Going

    private mutating func remove(_ id: ItemID, _ node: Node, _ base: BaseState) {
        if base.isParked {
            // Back to any free name, to be judged and removed from there.
            unparkBeside(id, base)
            return
        }
        guard disk.isListed(base.slot.folder), !isUnavailable(base.slot.folder) else { return }
        guard let path = path(of: id) else { return awaitPath(id) }
        if node.record.kind == .folder, slots[id]?.isEmpty == false {
            // The last of what is in it wakes the folder.
            for child in (slots[id] ?? [:]).values.sorted() { dirtyItems.insert(child) }
            return
        }
        if isRoot(base.slot) { return }
        begin(id, .remove(at: path, kind: node.record.kind.entryKind, expected: base.stamp))
    }

    func isTaken(_ name: Name, in folder: ItemID) -> Bool {
        let slot = Slot(folder: folder, name: name)
        if disk[slot] != nil || item(at: slot) != nil || waiting[slot] != nil { return true }
        let tag = vault.tag(name.bytes)
        return (remoteChildren[folder] ?? []).contains {
            nodes[$0]?.record.remote?.placement.tag == tag
        }
    }

    // MARK: Giving way

    /// Its place was refused, the name is another item's: the next free name, visibly.
    mutating func giveWay(_ id: ItemID) {
        guard let base = base(id), !base.isParked else { return }
        rename(id, base)
    }

    private mutating func placeAgain(_ id: ItemID, _ base: BaseState, _ remote: ItemState) {
        guard !base.isParked else {
            unparkBeside(id, base, isNaming: true)
            return
        }
        guard !liesInUnplaced(base) else {
            retry(id, milliseconds: 500)
            return
        }
        rename(id, base)
    }

    private mutating func rename(_ id: ItemID, _ base: BaseState) {
        let berth = freeBerth(for: base)
        guard let from = path(of: id), let to = path(of: berth.slot) else { return }
        waiting[berth.slot, default: []].insert(id)
        begin(
            id, .move(from: from, to: to, expected: base.stamp), isAside: berth.isAside,
            isNaming: true)
    }

    // MARK: Beginning

    mutating func begin(
        _ id: ItemID, _ task: InstallJob.Task, isAside: Bool = false, isNaming: Bool = false,
        placeholder: Digest? = nil, of version: VersionID? = nil
    ) {
        guard nodes[id]?.job == nil else { return }
        lastJob += 1
        jobs[lastJob] = Undertaking(
            item: id, task: task, target: task.paths.last.flatMap { slot(of: $0) },
            named: isNaming ? nodes[id]?.record.remote?.placement.id : nil,
            isAside: isAside, placeholder: placeholder, version: version)
        nodes[id]?.job = lastJob
        actions.append(.install(InstallJob(id: lastJob, item: id, task: task)))
    }

    mutating func retry(_ id: ItemID, milliseconds: Int64) {
        let attempts = (retries[id]?.attempts ?? 0) + 1
        let delay = min(milliseconds << Int64(min(attempts - 1, 6)), max(milliseconds, 60_000))
        retries[id] = Retry(attempts: attempts, at: now.steady.advanced(milliseconds: delay))
    }

    /// Asks to be woken for the next hold, retry or resend.
    mutating func scheduleWake() {
        var next = dirtySlots.nextDue
        if !openHeads.isEmpty { next = now.steady }
        for retry in retries.values where retry.at.nanoseconds != .max {
            next = min(next ?? retry.at, retry.at)
        }
        for state in settling.values {
            if let due = state.wakeAt, due > now.steady { next = min(next ?? due, due) }
            if let due = state.heldUntil, due > now.steady { next = min(next ?? due, due) }
        }
        if let end = catchingUpEnds, end > now.steady, !outbox.isEmpty, !isSending {
            next = min(next ?? end, end)
        }
        if isConnected, !isSending, !outbox.isEmpty {
            // What is due already waits for something else, and every event looks at it again.
            for due in held.values where due > now.steady { next = min(next ?? due, due) }
            if let due = sendAfter, due > now.steady { next = min(next ?? due, due) }
        }
        for due in offerDues.values { next = min(next ?? due, due) }
        if isConnected, hasForeignHistory, let due = snapshotDue { next = min(next ?? due, due) }
        if isConnected, let due = nextRest { next = min(next ?? due, due) }
        if let rootsDue, next.map({ rootsDue < $0 }) ?? true, isARootAway { next = rootsDue }
        if let next { actions.append(.wake(at: max(next, now.steady))) }
    }
}
