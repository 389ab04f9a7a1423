import SyncCore
import SyncStore
import SyncTransport

/// Answers requests: reads them, has them done, and writes down what came of it.
///
/// It runs on the loops' threads and blocks nowhere: the database, files and passwords are other
/// threads' work.
final class Application: Sendable {
    typealias Reply = @Sendable (HTTPResponse) -> Void

    let limits: ServerLimits
    let metrics: Metrics
    let hub: PushHub
    let committer: Committer
    /// Threads that read the database.
    let readers: WorkerPool<ReadConnection>
    /// Threads that read and write chunks, which takes the disk's time.
    let files: WorkerPool<ReadConnection>
    let chunks: FileChunkStore
    let passwords: PasswordCheck
    let budget: BodyBudget
    let contacts = Contacts()
    let arrivals = ChunkArrivals()
    /// Chunks that have come and are not durable yet.
    let received: ReceivedChunks
    let authority = Authority()
    private let upkeep: Upkeep

    /// Opens everything that is in a folder; what was begun ends by itself if that fails.
    init(_ folder: DataFolder, _ limits: ServerLimits) throws(ServerStartFailure) {
        self.limits = limits
        metrics = Metrics()
        hub = PushHub(frameBytes: limits.pushFrameBytes, metrics: metrics)
        budget = BodyBudget(total: limits.waitingBytes, ofDevice: limits.waitingBytesOfDevice)
        chunks = try folder.openChunks()
        let database = try folder.openDatabase()
        let readConnections = try folder.openConnections(limits.readers)
        let fileConnections = try folder.openConnections(limits.fileThreads)
        received = try ReceivedChunks(folder, chunks, database)
        let upkeepConnection = ReadConnection(try folder.openDatabase())
        passwords = try PasswordCheck(limits)
        do throws(SystemError) {
            committer = try Committer(
                database: database, limits: limits, hub: hub, metrics: metrics)
            readers = try WorkerPool(tools: readConnections, waiting: limits.waitingReads)
            files = try WorkerPool(tools: fileConnections, waiting: limits.waitingFiles)
            upkeep = try Upkeep(
                connection: upkeepConnection,
                collector: Collector(
                    authority: authority, retention: limits.retention, committer: committer,
                    contacts: contacts, chunks: chunks, arrivals: arrivals))
        } catch {
            throw ServerStartFailure(error)
        }
    }

    /// Holds a request's bytes against the budget until it is answered; nil if it is exceeded.
    func held(_ request: IncomingRequest, _ token: Digest, _ reply: @escaping Reply) -> Reply? {
        let bytes = request.body.count
        guard budget.take(bytes, of: token) else { return nil }
        return { [budget] response in
            budget.giveBack(bytes, of: token)
            reply(response)
        }
    }

    /// Does what is waiting, and closes everything.
    func close() {
        upkeep.close()
        // In the order in which they hand work on.
        passwords.close()
        readers.close()
        files.close()
        committer.close()
    }

    /// Answers one request of the HTTP server.
    func handle(_ request: HTTPRequest, _ responder: HTTPResponder) {
        let incoming = IncomingRequest(
            head: request.head, body: request.body, address: request.peer.host)
        do throws(APIError) {
            let route = try Route(request.head)
            guard route != .push else {
                return openPush(incoming, responder)
            }
            answer(incoming, route) { [metrics] response in
                metrics.recordAnswer(response, received: incoming.body.count)
                responder.respond(response)
            }
        } catch {
            let response = HTTPResponse.failure(error)
            metrics.recordAnswer(response, received: incoming.body.count)
            responder.respond(response)
        }
    }

    /// How large the body of a request may be.
    func bodyLimit(_ head: HTTPRequestHead) -> Int {
        do throws(APIError) {
            let limit = try Route(head).bodyLimit(limits)
            // Who names no token is not worth the memory.
            return IncomingRequest.token(of: head) == nil ? min(limit, limits.jsonBytes) : limit
        } catch {
            return limits.jsonBytes
        }
    }

    /// Answers a request for anything but a push stream, now or later.
    func answer(_ request: IncomingRequest, _ route: Route, _ reply: @escaping Reply) {
        switch route {
        case .frontPage:
            reply(.page(FrontPage.html(version: ServerVersion.text)))
        case .health: reply(.json(JSONBodies.Health(status: "ok", version: ServerVersion.text)))
        case .metrics:
            reply(.text(metrics.text(pushStreams: hub.count), type: "text/plain; version=0.0.4"))
        case .join: join(request, reply)
        case .leave: leave(request, reply)
        case .account: account(request, reply)
        case .devices: devices(request, reply)
        case .renameDevice(let device): rename(device, request, reply)
        case .revokeDevice(let device): revoke(device, request, reply)
        case .snapshot: snapshot(request, reply)
        case .operations: operations(request, reply)
        case .log: log(request, reply)
        case .missingChunks: missingChunks(request, reply)
        case .putChunks: putChunks(request, reply)
        case .fetchChunks: fetchChunks(request, reply)
        case .putChunk(let id): putChunk(id, request, reply)
        case .getChunk(let id): getChunk(id, request, reply)
        case .version(let id): version(id, request, reply)
        case .versions(let item): versions(of: item, request, reply)
        case .trash: trash(request, reply)
        case .push: reply(.failure(.notFound))
        }
    }
}

/// What the application takes of a request, however it came.
struct IncomingRequest: Sendable {
    let head: HTTPRequestHead
    let body: [UInt8]
    /// Where it came from.
    let address: String

    /// The hash of the token that it carries.
    var token: Digest? { IncomingRequest.token(of: head) }

    static func token(of head: HTTPRequestHead) -> Digest? {
        guard let field = head.headers["Authorization"] else { return nil }
        let parts = field.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return DeviceToken(text: String(parts[1]))?.hash
    }
}

extension Metrics {
    func recordAnswer(_ response: HTTPResponse, received: Int) {
        let sent =
            switch response.body {
            case .bytes(let bytes): bytes.count
            case .file(_, _, let count): Int(count)
            }
        recordAnswer(status: response.status, received: received, sent: sent)
    }
}
