import SyncCore
import SyncWire

/// The server's program.
extension Simulation {
    mutating func serverReceives(_ message: Message, from index: Int) {
        guard server.isRunning, devices[index].isLinkUp else { return }
        // Nothing is answered to a device whose key is not known.
        guard !server.revoked.contains(devices[index].id) else { return }
        switch message {
        case .operations(let ticket, let bytes):
            guard let message = try? OperationsMessage(message: bytes) else {
                preconditionFailure("the codec cannot read its own operations")
            }
            let isKnown = message.cursor.map { server.holds($0, of: index) } ?? true
            hear(from: index, installed: isKnown ? message.installed : nil)
            server.waiting.append(.init(device: index, ticket: ticket, message: message))
            workLater()
        case .pull(let ticket, let bytes):
            guard let pull = try? PullMessage(message: bytes) else { return }
            let isKnown = server.holds(pull.after, of: index)
            hear(from: index, installed: isKnown ? pull.installed : nil)
            let answer = isKnown ? server.answer(to: pull) : .historyUnknown
            sendToDevice(.pulled(ticket: ticket, answer.message()), index)
        case .fetchSnapshot(let ticket, let bytes):
            guard let request = try? SnapshotRequest(message: bytes) else { return }
            let snapshot = server.snapshot(for: request.landmarks, of: index)
            sendToDevice(.fetchedSnapshot(ticket: ticket, snapshot.message()), index)
        case .connect(let connection): openStream(connection, index)
        case .upload(let ticket, let chunks):
            let areSound = chunks.allSatisfy { vault.hash($0.bytes) == $0.id }
            // Only what is missing is brought.
            for chunk in chunks
            where vault.hash(chunk.bytes) == chunk.id && !server.durable.hasChunk(chunk.id) {
                server.keep(chunk.bytes)
            }
            sendToDevice(.uploaded(ticket: ticket, succeeded: areSound), index)
        case .fetchChunks(let ticket, let ids):
            sendToDevice(.fetchedChunks(ticket: ticket, server.durable.joined(ids)), index)
        case .fetchVersion(let ticket, let id):
            sendToDevice(.fetchedVersion(ticket: ticket, server.durable.kept(id)), index)
        case .fetchHistory(let ticket, let item):
            let history = server.durable.history(of: item)
            sendToDevice(.fetchedHistory(ticket: ticket, history), index)
        default: break
        }
    }

    private mutating func openStream(_ connection: UInt64, _ index: Int) {
        guard server.openStream(connection, to: index) else { return }
        sendToDevice(.connected(connection: connection), index)
    }

    private mutating func workLater() {
        guard !server.isWorking else { return }
        server.isWorking = true
        agenda.add(.serverWork(life: server.life), at: now + random.within(10_000...500_000))
    }

    /// Decides all that waits, as one group; it is durable when the commit is done.
    mutating func serverWorks() {
        let wall = serverClock
        readServerDays()
        for waiting in server.waiting where !server.revoked.contains(devices[waiting.device].id) {
            noteWrites(waiting)
            server.decide(waiting, as: devices[waiting.device].id, at: wall)
        }
        haltIfBroken()
        server.waiting = []
        if mutant == .acknowledgeBeforeCommit { answerGroup() }
        let delay =
            random.happens(perMille: 50)
            ? random.within(5_000_000...200_000_000) : random.within(50_000...3_000_000)
        agenda.add(.serverCommit(life: server.life), at: now + delay)
    }

    mutating func serverCommits() {
        let group = server.group
        let before = server.durable.position()
        checkDeletions(group)
        server.commit(at: now)
        lastChange = now
        count(group)
        if isCalm { decidedInCalm += group.reduce(0) { $0 + $1.decision.entries.count } }
        if mutant != .acknowledgeBeforeCommit { answerGroup() }
        server.group = []
        push(group.flatMap(\.decision.entries), after: before)
        server.isWorking = false
        if !server.waiting.isEmpty { workLater() }
    }

    private mutating func answerGroup() {
        for answered in server.group {
            let bytes = OperationsAnswer(answered.decision.answer).message()
            sendToDevice(.answer(ticket: answered.ticket, bytes), answered.device)
        }
    }

    private mutating func push(_ entries: [LogEntry], after before: Position) {
        guard !entries.isEmpty else { return }
        let head = server.durable.position()
        let bytes = PushMessage(after: before, entries: entries, head: head).message()
        for index in devices.indices {
            guard let stream = server.streams[index] else { continue }
            sendToDevice(.push(connection: stream.connection, bytes), index)
        }
    }

    private mutating func count(_ group: [SimulatedServer.Undurable]) {
        for entry in group.flatMap(\.decision.entries) {
            counts[.entries] += 1
            trace.add(UInt64(entry.position.digest.words.0))
            shape.add(shapeOf: entry)
            for effect in entry.effects { count(effect) }
            story.tell(now, "server", Telling.told(entry))
        }
    }

    private mutating func count(_ effect: Effect) {
        switch effect {
        case .item(let state, let version):
            if state.heads.filter(\.hasContent).count > 1 { counts[.twoHeads] += 1 }
            if let version { witness.note(version) }
            if let version, version.hasContent, let bytes = server.durable.content(of: version.id) {
                known.insert(simulatedHash(bytes))
            }
            if let version, version.nature == .settlement { count(settlement: version) }
        case .alias: counts[.alias] += 1
        case .folderRemoved: counts[.removedFolder] += 1
        case .register: break
        }
    }

    /// A choice is one of its parents over again; what differs from all of them is a merge.
    private mutating func count(settlement version: Version) {
        counts[.settlement] += 1
        let facts = VersionFacts(bytes: version.facts)
        let parents = version.parents.map { parent in
            server.durable.versions[parent].flatMap { VersionFacts(bytes: $0.facts) }
        }
        if !parents.contains(facts) { counts[.merge] += 1 }
        if !parents.contains(where: { $0?.digest == facts?.digest }) { counts[.textMerge] += 1 }
    }

    mutating func crashServer(restartAfter delay: Int64) {
        guard server.isRunning else { return }
        counts[.serverCrash] += 1
        if !server.group.isEmpty { counts[.lostCommit] += 1 }
        story.tell(now, "server", "crashes")
        server.crash()
        // Devices send again what they do not see in the log: it must have been there before.
        found += acknowledged.violations(in: server.durable)
        for index in devices.indices {
            breakStream(of: index, noticedAfter: random.within(1_000_000...2_000_000_000))
        }
        agenda.add(.serverStart, at: now + delay)
    }

    mutating func startServer() { server.isRunning = true }
}
