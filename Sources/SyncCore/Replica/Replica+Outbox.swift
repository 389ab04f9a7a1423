/// Operations from their making to their place in the log.
extension Replica {
    static var requestOperations: Int { 512 }
    static var requestBytes: UInt64 { 1_048_576 }

    /// Requests that are not to take long carry less.
    package mutating func limitRequests(to bytes: UInt64) {
        requestLimit = min(bytes, Replica.requestBytes)
    }

    /// Its chunks are at the server already if it names those of a version there.
    mutating func append(
        _ body: Operation.Body, isUploaded: Bool = false, restingOn choice: VersionID? = nil
    ) {
        progress.lastEntry += 1
        let entry = OutboxEntry(
            body: body, made: now.wall, isUploaded: isUploaded, restsOn: choice)
        outbox.append(entry, id: progress.lastEntry)
        if let item = body.item {
            nodes[item]?.pending += 1
            openHeads.insert(item)
        }
        store(progress.lastEntry)
        askForUpload(progress.lastEntry)
    }

    mutating func store(_ id: UInt64) { changes.append(.outbox(entry: id, outbox[id])) }

    mutating func askForUpload(_ id: UInt64) {
        guard isConnected, let entry = outbox[id], !entry.isUploaded else { return }
        let chunks = entry.body.chunks
        guard !chunks.isEmpty, uploading.insert(id).inserted else { return }
        actions.append(.upload(entry: id, chunks: chunks))
    }

    mutating func setAwaiting(_ id: UInt64, _ awaits: Bool) {
        guard var entry = outbox[id] else { return }
        entry.awaitsConfirmation = awaits
        outbox.update(id, entry)
        store(id)
    }

    /// The item's newest operation, if a later version may take its version's place: it cannot have
    /// been sent, and its content is long.
    ///
    /// A short content that was saved stays a version, whatever came after it: the next one may be
    /// what a failure of power has left. Of a long file only the newest state travels.
    func squashable(_ id: ItemID, under version: VersionID) -> UInt64? {
        guard let last = outbox.newest(on: id) else { return nil }
        guard
            last.entry.isAlterable
                || mutant == .sentIsReplaced && last.entry.accepted == nil,
            last.entry.body.version?.id == version,
            last.entry.body.version?.nature == .edit,
            !last.entry.body.chunks.isEmpty || mutant == .sentIsReplaced
        else { return nil }
        return last.id
    }

    mutating func replaceVersion(of id: UInt64, by version: Version) {
        guard var entry = outbox[id] else { return }
        if !entry.body.chunks.isEmpty {
            uploading.remove(id)
            actions.append(.releaseUpload(entry: id))
        }
        switch entry.body {
        case .create(let item, let kind, let placement, _):
            entry.body = .create(item: item, kind: kind, placement: placement, version: version)
        case .edit(let item, _): entry.body = .edit(item: item, version: version)
        case .move, .removeFolder, .restoreFolder, .write:
            preconditionFailure("it brings no content")
        }
        entry.isUploaded = false
        outbox.update(id, entry)
        store(id)
        askForUpload(id)
    }

    mutating func replaceWrite(of id: UInt64, by write: KeyValueWrite) {
        guard var entry = outbox[id] else { return }
        entry.body = .write(write)
        entry.made = now.wall
        held[id] = nil
        outbox.update(id, entry)
        store(id)
    }

    mutating func uploaded(_ id: UInt64, _ succeeded: Bool) {
        uploading.remove(id)
        guard var entry = outbox[id] else { return }
        guard succeeded else {
            // An earlier attempt's failure says nothing of what was sent since.
            guard entry.number == nil else { return }
            held[id] = now.steady.advanced(milliseconds: 1_000)
            return
        }
        entry.isUploaded = true
        outbox.update(id, entry)
        store(id)
    }

    /// The chunks of an operation are not to be had on this device any more.
    ///
    /// They are read again from the file, if it still is that version; while it is put aside, or in
    /// a folder that is, it waits. Else nobody can send it: the person has replaced or removed it
    /// since.
    mutating func contentLost(_ id: UInt64) {
        uploading.remove(id)
        guard let entry = outbox[id], entry.number == nil else { return }
        guard let item = entry.body.item.map({ resolve($0) }), let base = base(item),
            base.version == entry.body.version?.id,
            let kind = nodes[item]?.record.kind.entryKind
        else {
            finish(id)
            return
        }
        held[id] = now.steady.advanced(milliseconds: 500)
        let isInPlace = !base.isParked && !isUnavailable(base.slot.folder)
        guard isInPlace, let path = path(of: item) else { return }
        actions.append(
            .read(ReadRequest(slot: base.slot, path: path, kind: kind, prefix: nil)))
    }

    // MARK: Sending

    /// Sends what is ready; a number is given, and durable, before the first byte leaves.
    mutating func sendOutbox() {
        guard isConnected, !isSending, !hasForeignHistory, !outbox.isEmpty else { return }
        if let sendAfter, sendAfter > now.steady { return }
        sendAfter = nil
        var batch = outbox.firstUnanswered
        if batch.isEmpty {
            guard !isCatchingUp else { return }
            batch = numberReady()
        }
        guard !batch.isEmpty else { return }
        isSending = true
        inFlight = batch.map { $0.id }
        actions.append(.send(progress.incarnation, batch.map(message), after: progress.cursor))
    }

    /// What the log holds since is heard first, so that an edit and its merge go together; but not
    /// for long.
    private var isCatchingUp: Bool {
        guard let end = catchingUpEnds, now.steady < end else { return false }
        return !isCaughtUp
    }

    var catchingUpEnds: Instant? { connectedAt?.advanced(milliseconds: 10_000) }

    private func message(_ id: UInt64, _ entry: OutboxEntry) -> Operation {
        let made = entry.made.milliseconds
        let age = mutant == .deviceClockInStamps ? made : max(0, now.wall.milliseconds - made)
        return Operation(
            number: entry.number ?? 0, age: UInt64(age), body: entry.body, restsOn: entry.restsOn)
    }

    private mutating func numberReady() -> [(id: UInt64, entry: OutboxEntry)] {
        var batch: [(id: UInt64, entry: OutboxEntry)] = []
        var waiting = WaitingOperations()
        var size: UInt64 = 0
        for id in outbox.unsentIDs {
            guard var entry = outbox[id], entry.accepted == nil else { continue }
            let goesWithChoice = entry.restsOn.map { choice in
                mutant != .copyAfterChoice
                    && batch.contains { $0.entry.body.version?.id == choice }
            }
            if waiting.concern(entry.body, resolve)
                || !isReady(id, &entry, goesWithChoice: goesWithChoice ?? false)
            {
                // It waits for its chunks or for room; what has nothing to do with it goes ahead.
                waiting.insert(entry.body, leaving: placeInAccount(entry.body), resolve)
                continue
            }
            size += entry.body.weight
            if !batch.isEmpty, size > requestLimit { break }
            if batch.count == Replica.requestOperations { break }
            batch.append((id, entry))
        }
        for index in batch.indices { batch[index] = number(batch[index].id, batch[index].entry) }
        return batch
    }

    /// The name that the account has the operation's item under.
    private func placeInAccount(_ body: Operation.Body) -> Placement? {
        guard let record = body.item.flatMap({ nodes[resolve($0)]?.record }) else { return nil }
        guard let remote = record.remote else { return record.loss?.placement }
        return remote.standing == .placed ? remote.placement : nil
    }

    private mutating func isReady(
        _ id: UInt64, _ entry: inout OutboxEntry, goesWithChoice: Bool
    ) -> Bool {
        guard !entry.awaitsConfirmation, isAtRest(id), !isBehindLoss(id, entry.body) else {
            return false
        }
        if let choice = entry.restsOn, !goesWithChoice {
            guard isFree(id, entry, of: choice) else { return false }
            entry.restsOn = nil
            outbox.update(id, entry)
        }
        if let due = held[id] {
            guard due <= now.steady else { return false }
            held[id] = nil
        }
        if isHeldForMerge(entry.body) { return false }
        if entry.body.chunks.isEmpty || entry.isUploaded { return true }
        askForUpload(id)
        return false
    }

    /// Whether a copy of what a choice drops can go without it: the choice is in the log, or was
    /// refused and what the log has instead does not show the copy's content.
    ///
    /// In between it waits; where the content shows, there is nothing to copy. Most go in one
    /// request with their choice, resting on it: a device that dies then has done all or nothing.
    private mutating func isFree(
        _ id: UInt64, _ entry: OutboxEntry, of choice: VersionID
    ) -> Bool {
        if outbox.all.contains(where: { $0.entry.body.version?.id == choice }) { return false }
        guard let refused = refusedChoices[choice] else { return true }
        let item = resolve(refused.item)
        let heads = nodes[item]?.record.remote?.heads ?? []
        let isTold = heads.map { $0.version } != refused.parents
        guard isCaughtUp, isTold || refused.isOld(now.steady) else {
            held[id] = now.steady.advanced(milliseconds: 1_000)
            return false
        }
        let digest = entry.body.version.flatMap { vault.open($0.facts) }
            .flatMap { VersionFacts(bytes: $0)?.digest }
        let isShown = heads.withContent.contains { known($0, of: item)?.facts.digest == digest }
        if isShown { finish(id) }
        return !isShown
    }

    /// A person chooses again: what waits for a choice that was refused is not wanted any more.
    mutating func forgetRefusedChoices(of item: ItemID) {
        for (choice, refused) in refusedChoices.sorted(by: { $0.key < $1.key })
        where resolve(refused.item) == item {
            refusedChoices[choice] = nil
            for id in outbox.ids(where: { $0.restsOn == choice && $0.number == nil }) {
                finish(id)
            }
        }
    }

    private mutating func number(
        _ id: UInt64, _ entry: OutboxEntry
    ) -> (id: UInt64, entry: OutboxEntry) {
        var numbered = entry
        progress.lastNumber += 1
        numbered.number = progress.lastNumber
        outbox.update(id, numbered)
        store(id)
        return (id, numbered)
    }

    mutating func sendFailed() {
        isSending = false
        inFlight = []
        let delay = min(Int64(250) << Int64(min(failedSends, 8)), 30_000)
        failedSends += 1
        sendAfter = now.steady.advanced(milliseconds: delay)
    }

    // MARK: Answers

    mutating func answered(_ answer: RequestAnswer) {
        let sent = inFlight
        if answer.isNothingDone, !sent.isEmpty {
            // A server that never does anything is not asked as fast as it answers.
            sendFailed()
        } else {
            isSending = false
            inFlight = []
            failedSends = 0
        }
        switch answer {
        case .outcomes(let outcomes):
            for (id, outcome) in zip(sent, outcomes) { settle(id, outcome) }
        case .numberGap: beginNumbers()
        case .otherIncarnationNeeded: beginIncarnation()
        case .historyUnknown: if !sent.isEmpty { historyUnknown() }
        }
    }

    private mutating func settle(_ id: UInt64, _ outcome: Outcome) {
        guard var entry = outbox[id] else { return }
        switch outcome {
        case .accepted(let number) where number > progress.cursor.number:
            entry.accepted = number
            outbox.update(id, entry)
            store(id)
        case .accepted: finish(id)
        case .refused(let refusal): refused(id, entry, refusal)
        }
    }

    /// The operation is in the remote tree, or nowhere.
    mutating func finish(_ id: UInt64) {
        guard let entry = outbox[id] else { return }
        outbox.remove(id)
        held[id] = nil
        uploading.remove(id)
        store(id)
        if !entry.body.chunks.isEmpty { actions.append(.releaseUpload(entry: id)) }
        if case .write(let write) = entry.body { settled(write, entry: id) }
        guard let item = entry.body.item.map({ resolve($0) }), let node = nodes[item] else {
            return
        }
        nodes[item]?.pending = max(0, node.pending - 1)
        dirtyItems.insert(item)
        openHeads.insert(item)
        if let base = node.record.base {
            touch(base.slot)
            wakeWaiters(at: base.slot)
        }
    }

    private mutating func refused(_ id: UInt64, _ entry: OutboxEntry, _ refusal: Refusal) {
        let item = entry.body.item.map { resolve($0) }
        switch refusal {
        case .chunksMissing:
            // Sent again under a new number once the chunks are there.
            var again = entry
            again.number = nil
            again.isUploaded = false
            outbox.update(id, again)
            store(id)
            askForUpload(id)
        case .nameTaken:
            finish(id)
            if let item { giveWay(item) }
        case .overLimit:
            if case .write(let write) = entry.body { refuseWrite(write, entry: id, refusal) }
            hold(id, entry, refusal, milliseconds: 60_000)
        case .stalePlace, .cycle, .folderGone:
            finish(id)
            // Another name is tried, but not as fast as the server answers.
            if let item, nodes[item]?.record.remote?.standing == .unplaced {
                retry(item, milliseconds: 1_000)
            }
        case .staleParents:
            finish(id)
            if let item, let choice = entry.body.version, outbox.rests(on: choice.id) {
                refusedChoices[choice.id] = RefusedChoice(
                    item: item, parents: choice.parents, at: now.steady)
            }
            if let item { mergeRefused(item, of: entry.body.version?.parents ?? []) }
        case .restsOnRefused: hold(id, entry, refusal, milliseconds: 500)
        case .unknownItem:
            if let item, base(item)?.isParked == true {
                return hold(id, entry, refusal, milliseconds: 500)
            }
            guard let again = createdAgain(entry) else { return finish(id) }
            outbox.update(id, again)
            store(id)
        case .wrongKind, .malformed:
            // Another program at either end may take it: what somebody has typed is not given up.
            if entry.body.bringsContent {
                return hold(id, entry, refusal, milliseconds: 60_000)
            }
            finish(id)
            if let item { nodes[item]?.problem = .refused(refusal) }
        }
    }

    /// Kept, and offered again later under a new number.
    private mutating func hold(
        _ id: UInt64, _ entry: OutboxEntry, _ refusal: Refusal, milliseconds: Int64
    ) {
        var again = entry
        again.number = nil
        outbox.update(id, again)
        store(id)
        held[id] = now.steady.advanced(milliseconds: milliseconds)
        if let item = entry.body.item.map({ resolve($0) }) {
            nodes[item]?.problem = .refused(refusal)
        }
    }

    /// This device was restored from an image, or cloned: what is not in the log goes again.
    mutating func beginIncarnation() {
        progress.incarnation = newIncarnation()
        progress.lastNumber = 0
        for (id, entry) in outbox.all where entry.accepted == nil {
            var again = entry
            again.giveUpNumber()
            outbox.update(id, again)
            store(id)
        }
    }

    /// The server has the cursor, but not the numbers before this one: it was restored.
    ///
    /// All goes again; what it knows it answers as done.
    private mutating func beginNumbers() {
        forgetAnswers()
        beginIncarnation()
    }

    /// What was answered and has not come with the log may be lost with a server that is restored.
    private mutating func forgetAnswers() {
        for (id, entry) in outbox.all where entry.accepted != nil {
            var again = entry
            again.giveUpNumber()
            outbox.update(id, again)
            store(id)
        }
    }

    mutating func connection(_ isOpen: Bool) {
        isConnected = isOpen
        isAskingSnapshot = false
        arriving = nil
        actions.append(.notify(.statusChanged))
        guard isOpen else {
            pulledFrom = nil
            connectedAt = nil
            return
        }
        forgetAnswers()
        // An answer that is still to come may be of a history that the server has lost meanwhile.
        inFlight = []
        sendAfter = nil
        failedSends = 0
        connectedAt = now.steady
        mustCompareOutbox = true
        pull()
        for id in settling.keys.sorted() {
            settling[id]?.forgetFailures()
            openHeads.insert(id)
        }
        for (id, _) in outbox.all { askForUpload(id) }
        lacking = lacking.filter { nodes[$0]?.problem == .contentUnavailable }
        for id in lacking.sorted() {
            retries[id] = nil
            dirtyItems.insert(id)
        }
    }
}

extension RequestAnswer {
    /// Whether no operation was accepted or refused.
    fileprivate var isNothingDone: Bool {
        switch self {
        case .outcomes(let outcomes): outcomes.isEmpty
        case .numberGap, .otherIncarnationNeeded: true
        case .historyUnknown: false
        }
    }
}
