import SyncCore
import SyncTransport
import SyncWire

/// Operations and the log.
extension ServerLink {
    private static var pullBytes: UInt64 { 4_194_304 }

    func send(
        _ incarnation: Incarnation, _ operations: [Operation], after cursor: Position,
        installed: UInt64
    ) {
        let message = OperationsMessage(
            incarnation: incarnation, operations: operations.map { CarriedOperation($0) },
            installed: installed, cursor: cursor)
        noteReport(installed)
        start(request("POST", "/v1/sync/operations", body: message.message())) {
            [weak self] result in
            guard let self else { return }
            guard case .success(let response) = result, response.isSuccess,
                let answer = try? OperationsAnswer(message: response.body)
            else {
                self.tell(.sendFailed)
                self.note(result)
                return
            }
            self.refusal = nil
            self.tell(.answered(answer.answer))
        }
    }

    func pull(after position: Position, installed: UInt64) {
        let message = PullMessage(
            after: position, limit: down.most(ServerLink.pullBytes), installed: installed)
        noteReport(installed)
        start(request("POST", "/v1/sync/log", body: message.message())) { [weak self] result in
            guard let self else { return }
            guard case .success(let response) = result, response.isSuccess,
                let answer = try? PullAnswer(message: response.body)
            else {
                self.drop(ServerLink.reason(result))
                return
            }
            switch answer {
            case .entries(let after, let entries, let head):
                self.tell(.entries(after: after, entries, head: head))
            case .historyUnknown: self.tell(.historyUnknown)
            }
        }
    }

    /// The account as it is.
    func snapshot(having landmarks: [Position]) {
        let message = SnapshotRequest(landmarks: landmarks)
        var request = request("POST", "/v1/sync/snapshot", body: message.message())
        // A large account has some hundred bytes an item.
        request.responseBytesMax = 1 << 30
        request.stallMilliseconds = 300_000
        start(request) { [weak self] result in
            var snapshot: AccountSnapshot?
            if case .success(let response) = result, response.isSuccess {
                snapshot = try? AccountSnapshot(message: response.body)
            }
            self?.tell(.snapshot(snapshot))
        }
    }

    func inquire(_ item: ItemID, _ version: VersionID) {
        start(question("GET", "/v1/sync/versions/\(version.text)")) { [weak self] result in
            var description: Version?
            if case .success(let response) = result, response.isSuccess {
                description = try? VersionMessage(message: response.body).version
            }
            self?.tell(.described(item, version, description))
        }
    }

    /// The history of an item, newest first; nil if it cannot be had.
    func versions(of item: ItemID, then completion: @escaping ([VersionMessage]?) -> Void) {
        start(request("GET", "/v1/sync/items/\(item.text)/versions")) { result in
            guard case .success(let response) = result, response.isSuccess else {
                return completion(nil)
            }
            completion((try? VersionList(message: response.body))?.versions.reversed())
        }
    }

    /// One version with its content; nil if it cannot be had.
    func version(_ id: VersionID, then completion: @escaping (VersionMessage?) -> Void) {
        start(question("GET", "/v1/sync/versions/\(id.text)")) { result in
            guard case .success(let response) = result, response.isSuccess else {
                return completion(nil)
            }
            completion(try? VersionMessage(message: response.body))
        }
    }

    /// One version with its content, or why it is not to be had.
    func content(
        of id: VersionID, then completion: @escaping (Result<VersionMessage, Lack>) -> Void
    ) {
        start(question("GET", "/v1/sync/versions/\(id.text)")) { result in
            guard case .success(let response) = result else {
                return completion(.failure(.unreachable))
            }
            switch response.status {
            case 404: completion(.failure(.unknown))
            case 410: completion(.failure(.expired))
            default:
                guard response.isSuccess,
                    let message = try? VersionMessage(message: response.body)
                else { return completion(.failure(.unreachable)) }
                completion(.success(message))
            }
        }
    }

    /// All that is in the trash, page after page; nil if it cannot be had.
    func trash(then completion: @escaping ([TrashedItem]?) -> Void) {
        trash(after: nil, TrashPages(), then: completion)
    }

    private func trash(
        after last: ItemID?, _ pages: TrashPages,
        then completion: @escaping ([TrashedItem]?) -> Void
    ) {
        let body = TrashRequest(after: last).message()
        start(question("POST", "/v1/sync/trash", body: body)) { [weak self] result in
            guard case .success(let response) = result, response.isSuccess,
                let page = try? TrashList(message: response.body)
            else { return completion(nil) }
            var pages = pages
            switch pages.take(page) {
            case .complete(let rows): completion(rows)
            case .more(let next): self?.trash(after: next, pages, then: completion)
            case .refused: completion(nil)
            }
        }
    }

    /// A refusal that the server means for the whole request: it is offered again later.
    func note(_ result: Result<HTTPClientResponse, HTTPClientError>) {
        switch result {
        case .failure: drop(ServerLink.reason(result))
        case .success(let response) where response.status == 507:
            refusal = "the server's disk is full; it is tried again"
        case .success(let response):
            refusal = "the server did not take a change (\(response.status)); it is tried again"
        }
    }

    static func reason(_ result: Result<HTTPClientResponse, HTTPClientError>) -> String {
        switch result {
        case .failure(let error): error.description
        case .success(let response) where response.isSuccess: "the server speaks another version"
        case .success(let response): "the server answered \(response.status)"
        }
    }
}

/// Why a version's content is not to be had.
enum Lack: Error {
    /// The account has no such version.
    case unknown
    /// It was replaced so long ago that its content is not kept.
    case expired
    /// The server does not answer, or not now.
    case unreachable
}

/// Answers as JSON.
extension ServerLink {
    /// The log's newest number; nil if the server cannot be asked.
    func head(then completion: @escaping (UInt64?) -> Void) {
        start(request("GET", "/v1/account")) { result in
            guard case .success(let response) = result, response.isSuccess else {
                return completion(nil)
            }
            completion(AccountAnswer.number(response.body))
        }
    }
}
