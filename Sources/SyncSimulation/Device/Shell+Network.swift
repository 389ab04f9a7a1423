import SyncCore
import SyncStore
import SyncWire

/// The device's program and its server.
extension Simulation {
    /// When an answer that has not come is given up.
    private static let patience: Int64 = 10_000_000_000

    // MARK: - The push stream

    /// Tries until it succeeds; `previous` is the attempt that this one follows.
    mutating func connect(_ index: Int, after previous: UInt64?) {
        guard devices[index].connection == previous, !devices[index].isConnected else { return }
        let connection = devices[index].nextTicket()
        devices[index].connection = connection
        sendToServer(.connect(connection: connection), from: index)
        let again = now + random.within(500_000_000...3_000_000_000)
        connectLater(index, after: connection, at: again)
    }

    mutating func connectLater(_ index: Int, after previous: UInt64?, at time: Int64) {
        let life = devices[index].life
        agenda.add(.connect(device: index, life: life, after: previous), at: time)
    }

    private mutating func connected(_ connection: UInt64, on index: Int) {
        guard devices[index].connection == connection, !devices[index].isConnected else { return }
        devices[index].isConnected = true
        if story.isTold { tell(index, "the push stream is open") }
        report(.connection(isOpen: true), to: index)
    }

    /// The stream is gone; the device notices it at the latest when nothing has come for a minute.
    mutating func breakStream(of index: Int, noticedAfter delay: Int64) {
        guard let connection = devices[index].connection else { return }
        server.streams[index] = nil
        agenda.add(.streamDied(device: index, connection: connection), at: now + delay)
    }

    mutating func loseStream(_ index: Int, _ connection: UInt64) {
        guard devices[index].connection == connection else { return }
        devices[index].connection = nil
        let wasOpen = devices[index].isConnected
        devices[index].isConnected = false
        devices[index].pull = nil
        guard devices[index].replica != nil else { return }
        if wasOpen { report(.connection(isOpen: false), to: index) }
        let again = now + random.within(10_000_000...1_000_000_000)
        connectLater(index, after: nil, at: again)
    }

    // MARK: - Requests

    mutating func send(
        _ operations: [Operation], _ incarnation: Incarnation, after cursor: Position,
        on index: Int
    ) {
        var sealed = operations
        if let cipher { sealed = operations.map { $0.applying(cipher) } }
        let message = OperationsMessage(
            incarnation: incarnation, operations: sealed.map { CarriedOperation($0) },
            installed: installedNumber(of: index), cursor: cursor)
        let ticket = devices[index].nextTicket()
        devices[index].request = ticket
        acknowledged.sent(operations, incarnation, ticket, by: index)
        sendToServer(.operations(ticket: ticket, message.message()), from: index)
        let life = devices[index].life
        agenda.add(
            .requestTimeout(device: index, life: life, ticket: ticket), at: now + Self.patience)
    }

    mutating func giveUpRequest(_ ticket: UInt64, on index: Int) {
        guard devices[index].request == ticket else { return }
        devices[index].request = nil
        report(.sendFailed, to: index)
    }

    mutating func pull(after position: Position, on index: Int) {
        let ticket = devices[index].nextTicket()
        devices[index].pull = (ticket, position)
        let message = PullMessage(
            after: position, limit: 4_096, installed: installedNumber(of: index))
        sendToServer(.pull(ticket: ticket, message.message()), from: index)
        let life = devices[index].life
        agenda.add(.pullTimeout(device: index, life: life, ticket: ticket), at: now + 3_000_000_000)
    }

    mutating func pullAgain(_ ticket: UInt64, on index: Int) {
        guard let pull = devices[index].pull, pull.ticket == ticket else { return }
        guard devices[index].isConnected else { return }
        self.pull(after: pull.after, on: index)
    }

    // MARK: - Content

    mutating func upload(_ chunks: [ChunkReference], of entry: UInt64, on index: Int) {
        let isLost = chunks.contains {
            devices[index].chunks[$0.id] == nil && !server.durable.hasChunk($0.id)
        }
        if isLost { return reportLater(.contentLost(entry: entry), to: index) }
        let ticket = devices[index].nextTicket()
        devices[index].uploads[ticket] = entry
        let kept = chunks.compactMap { chunk in
            devices[index].chunks[chunk.id].map { Message.Chunk(id: chunk.id, bytes: $0) }
        }
        sendToServer(.upload(ticket: ticket, kept), from: index)
        let life = devices[index].life
        agenda.add(
            .uploadTimeout(device: index, life: life, ticket: ticket), at: now + Self.patience)
    }

    mutating func endUpload(_ ticket: UInt64, succeeded: Bool, on index: Int) {
        guard let entry = devices[index].uploads.removeValue(forKey: ticket) else { return }
        report(.uploaded(entry: entry, succeeded: succeeded), to: index)
    }

    /// From the device's own contents if they are there, else from the server.
    mutating func fetch(_ request: FetchRequest, on index: Int) {
        if let bytes = ownContent(request, on: index) {
            return arrived(bytes, of: request, on: index)
        }
        let ticket = awaitAnswer(.content(request), on: index)
        if request.chunks.isEmpty {
            sendToServer(.fetchVersion(ticket: ticket, request.version), from: index)
        } else {
            let ids = request.chunks.map(\.id)
            sendToServer(.fetchChunks(ticket: ticket, ids), from: index)
        }
    }

    private func ownContent(_ request: FetchRequest, on index: Int) -> [UInt8]? {
        if let bytes = devices[index].store.committed.contents[request.version] { return bytes }
        guard !request.chunks.isEmpty else { return nil }
        var bytes: [UInt8] = []
        for chunk in request.chunks {
            guard let own = devices[index].chunks[chunk.id] else { return nil }
            bytes += cipher?.apply(own) ?? own
        }
        return bytes
    }

    private mutating func arrived(
        _ bytes: [UInt8], of request: FetchRequest, on index: Int
    ) {
        let isSound = vault.hash(bytes) == request.facts.digest
        if isSound { devices[index].fetched[request.version] = bytes }
        let outcome: FetchOutcome = isSound ? .arrived : .damaged
        reportLater(.fetched(request.item, request.version, outcome), to: index)
    }

    mutating func inquire(_ item: ItemID, _ version: VersionID, on index: Int) {
        let ticket = awaitAnswer(.description(item, version), on: index)
        sendToServer(.fetchVersion(ticket: ticket, version), from: index)
    }

    mutating func inquireHistory(of item: ItemID, on index: Int) {
        let ticket = awaitAnswer(.history(item), on: index)
        sendToServer(.fetchHistory(ticket: ticket, item), from: index)
    }

    mutating func inquireSnapshot(_ landmarks: [Position], on index: Int) {
        let ticket = awaitAnswer(.snapshot, on: index)
        let message = SnapshotRequest(landmarks: landmarks).message()
        sendToServer(.fetchSnapshot(ticket: ticket, message), from: index)
    }

    private mutating func takeSnapshot(_ ticket: UInt64, _ bytes: [UInt8], on index: Int) {
        guard case .snapshot? = devices[index].fetches.removeValue(forKey: ticket) else { return }
        guard let snapshot = try? AccountSnapshot(message: bytes) else {
            preconditionFailure("the codec cannot read its own snapshot")
        }
        counts[.otherHistory] += 1
        report(.snapshot(snapshot), to: index)
    }

    private mutating func takeHistory(_ ticket: UInt64, _ versions: [Version], on index: Int) {
        guard case .history(let item)? = devices[index].fetches.removeValue(forKey: ticket) else {
            return
        }
        report(.history(item, versions), to: index)
    }

    private mutating func awaitAnswer(_ fetching: Fetching, on index: Int) -> UInt64 {
        let ticket = devices[index].nextTicket()
        devices[index].fetches[ticket] = fetching
        let life = devices[index].life
        agenda.add(
            .fetchTimeout(device: index, life: life, ticket: ticket), at: now + Self.patience)
        return ticket
    }

    private mutating func takeChunks(_ ticket: UInt64, _ bytes: [UInt8]?, on index: Int) {
        guard case .content(let request)? = devices[index].fetches.removeValue(forKey: ticket)
        else { return }
        guard let bytes else {
            return report(.fetched(request.item, request.version, .unavailable), to: index)
        }
        arrived(opened(bytes, request.chunks), of: request, on: index)
    }

    /// Each chunk is sealed by itself.
    private func opened(_ bytes: [UInt8], _ chunks: [ChunkReference]) -> [UInt8] {
        guard let cipher else { return bytes }
        var plain: [UInt8] = []
        for chunk in chunks {
            plain += cipher.apply(Array(bytes.dropFirst(plain.count).prefix(Int(chunk.size))))
        }
        return plain
    }

    private func opened(_ entries: [LogEntry]) -> [LogEntry] {
        guard let cipher else { return entries }
        return entries.map { $0.applying(cipher) }
    }

    private mutating func takeVersion(_ ticket: UInt64, _ version: Version?, on index: Int) {
        var version = version
        if let cipher { version = version?.applying(cipher) }
        switch devices[index].fetches.removeValue(forKey: ticket) {
        case nil, .history?, .snapshot?: break
        case .content(let request)?:
            guard case .inline(let bytes)? = version?.content else {
                return report(.fetched(request.item, request.version, .unavailable), to: index)
            }
            arrived(bytes, of: request, on: index)
        case .description(let item, let id)?:
            report(.described(item, id, version), to: index)
        }
    }

    mutating func giveUpFetch(_ ticket: UInt64, on index: Int) {
        switch devices[index].fetches.removeValue(forKey: ticket) {
        case nil: break
        case .content(let request)?:
            report(.fetched(request.item, request.version, .unavailable), to: index)
        case .description(let item, let id)?: report(.described(item, id, nil), to: index)
        case .history(let item)?: report(.history(item, nil), to: index)
        case .snapshot?: report(.snapshot(nil), to: index)
        }
    }

    /// The connection ended before all of the message had come.
    mutating func endCut(_ message: Message, on index: Int) {
        switch message {
        case .operations(let ticket, _), .answer(let ticket, _): giveUpRequest(ticket, on: index)
        case .pull(let ticket, _), .pulled(let ticket, _): pullAgain(ticket, on: index)
        case .upload(let ticket, _), .uploaded(let ticket, _):
            endUpload(ticket, succeeded: false, on: index)
        case .fetchChunks(let ticket, _), .fetchedChunks(let ticket, _),
            .fetchVersion(let ticket, _), .fetchedVersion(let ticket, _),
            .fetchHistory(let ticket, _), .fetchedHistory(let ticket, _),
            .fetchSnapshot(let ticket, _), .fetchedSnapshot(let ticket, _):
            giveUpFetch(ticket, on: index)
        case .connect, .connected, .push: break
        }
    }

    // MARK: - What comes in

    mutating func deviceReceives(_ message: Message, on index: Int) {
        guard devices[index].isLinkUp else { return }
        if let connection = message.connection, devices[index].connection != connection { return }
        switch message {
        case .answer(let ticket, let bytes): takeAnswer(ticket, bytes, on: index)
        case .pulled(let ticket, let bytes): takePulled(ticket, bytes, on: index)
        case .connected(let connection): connected(connection, on: index)
        case .push(_, let bytes): takePush(bytes, on: index)
        case .uploaded(let ticket, let succeeded):
            endUpload(ticket, succeeded: succeeded, on: index)
        case .fetchedChunks(let ticket, let bytes): takeChunks(ticket, bytes, on: index)
        case .fetchedHistory(let ticket, let versions): takeHistory(ticket, versions, on: index)
        case .fetchedSnapshot(let ticket, let bytes): takeSnapshot(ticket, bytes, on: index)
        case .fetchedVersion(let ticket, let version): takeVersion(ticket, version, on: index)
        default: break
        }
    }

    private mutating func takeAnswer(_ ticket: UInt64, _ bytes: [UInt8], on index: Int) {
        guard devices[index].request == ticket else { return }
        devices[index].request = nil
        guard let message = try? OperationsAnswer(message: bytes) else {
            preconditionFailure("the codec cannot read its own answer")
        }
        acknowledged.answered(message.answer, ticket, of: index)
        note(message.answer)
        report(.answered(message.answer), to: index)
    }

    private mutating func note(_ answer: RequestAnswer) {
        guard case .outcomes(let outcomes) = answer else { return }
        for outcome in outcomes {
            if case .refused(let refusal) = outcome {
                counts[.refusal] += 1
                shape.add(UInt64(refusal.rawValue))
            }
        }
    }

    private mutating func takePulled(_ ticket: UInt64, _ bytes: [UInt8], on index: Int) {
        guard devices[index].pull?.ticket == ticket else { return }
        devices[index].pull = nil
        guard let answer = try? PullAnswer(message: bytes) else {
            preconditionFailure("the codec cannot read its own log")
        }
        switch answer {
        case .entries(let after, let entries, let head):
            report(.entries(after: after, opened(entries), head: head), to: index)
        case .historyUnknown: report(.historyUnknown, to: index)
        }
    }

    private mutating func takePush(_ bytes: [UInt8], on index: Int) {
        guard devices[index].isConnected, let push = try? PushMessage(message: bytes) else {
            return
        }
        report(.entries(after: push.after, opened(push.entries), head: push.head), to: index)
    }
}
