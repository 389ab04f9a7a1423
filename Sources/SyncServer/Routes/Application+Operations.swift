import SyncCore
import SyncStore
import SyncTransport
import SyncWire

/// Operations: read here, decided by the core, committed, and only then answered.
extension Application {
    func operations(_ request: IncomingRequest, _ reply: @escaping Reply) {
        guard let token = request.token else { return reply(.failure(.noToken)) }
        guard let reply = held(request, token, reply) else { return reply(.failure(.busy)) }
        // Reading a large request takes milliseconds in which the loop would serve nobody.
        guard request.body.count > Application.smallBody else {
            return submit(request.body, token, reply)
        }
        let isTaken = readers.run { [self] _ in submit(request.body, token, reply) }
        if !isTaken { reply(.failure(.busy)) }
    }

    /// The most bytes that are read on a loop's thread.
    private static let smallBody = 65_536

    private func submit(_ body: [UInt8], _ token: Digest, _ reply: @escaping Reply) {
        do throws(APIError) {
            let message = try decodeMessage(OperationsMessage.self, from: body)
            guard message.operations.count <= limits.operationsInRequest else { throw .tooLarge }
            guard message.operations.allSatisfy({ $0.operation.body.isWithinInlineLimit }) else {
                throw .malformed("content of over 65,536 bytes belongs into chunks")
            }
            let write = decision(
                on: OperationRequest(
                    incarnation: message.incarnation,
                    operations: message.operations.map {
                        ReceivedOperation(operation: $0.operation, hash: SHA256.hash($0.body))
                    }, cursor: message.cursor),
                installed: message.installed, token, reply)
            guard message.operations.contains(where: { $0.operation.body.hasChunks }),
                !received.isEmpty
            else {
                guard committer.submit(write) else { throw .busy }
                return
            }
            try submitBehindChunks(write, token, reply)
        } catch {
            reply(.failure(error))
        }
    }

    /// Notes the chunks down that the operations may name before these are decided.
    private func submitBehindChunks(
        _ write: Write, _ token: Digest, _ reply: @escaping Reply
    ) throws(APIError) {
        let isTaken = files.run { [self] connection in
            do throws(APIError) {
                let account = try connection.session(token).account
                try stored { () throws(StoreError) in try keepReceived(of: account) }
                guard committer.submit(write) else { throw .busy }
            } catch {
                reply(.failure(error))
            }
        }
        if !isTaken { throw .busy }
    }

    /// The work of deciding a request within a transaction.
    private func decision(
        on request: OperationRequest, installed: UInt64?, _ token: Digest,
        _ reply: @escaping Reply
    ) -> Write {
        let authority = authority
        let metrics = metrics
        let contacts = contacts
        return Write.ofDevice(token, weight: max(1, request.operations.count), reply) {
            session, database throws(StoreError) in
            let account = database.account(session.account)
            let before = try account.position()
            let sender = Sender(
                device: session.device, now: Clocks.wall(), lastContact: contacts.last(of: session),
                hash: { SHA256.hash($0) })
            let decision = try authority.decide(request, from: sender, reading: account)
            try account.apply(decision.changes)
            let isOfThisHistory = decision.answer != .historyUnknown
            try database.noteContact(
                session.device, of: session.account, at: sender.now,
                installed: isOfThisHistory ? installed : nil)
            return Performed(
                news: News(account: session.account, after: before, entries: decision.entries),
                answer: {
                    metrics.record(decision)
                    reply(.message(OperationsAnswer(decision.answer)))
                })
        }
    }
}

extension Operation.Body {
    fileprivate var isWithinInlineLimit: Bool {
        switch self {
        case .create(_, _, _, let version), .edit(_, let version):
            guard case .inline(let bytes) = version.content else { return true }
            return bytes.count <= StoredContent.inlineLimit
        case .move, .removeFolder, .restoreFolder, .write: return true
        }
    }
}

extension Operation.Body {
    fileprivate var hasChunks: Bool {
        switch self {
        case .create(_, _, _, let version), .edit(_, let version):
            if case .chunks = version.content { true } else { false }
        case .move, .removeFolder, .restoreFolder, .write: false
        }
    }
}

extension Metrics {
    fileprivate func record(_ decision: Decision) {
        guard case .outcomes(let outcomes) = decision.answer else { return }
        let accepted = outcomes.count { outcome in
            if case .accepted = outcome { true } else { false }
        }
        operationsAccepted.add(decision.entries.count)
        operationsRepeated.add(accepted - decision.entries.count)
        operationsRefused.add(outcomes.count - accepted)
    }
}
