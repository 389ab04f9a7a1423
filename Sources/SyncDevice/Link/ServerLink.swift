import Glibc
import SyncCore
import SyncStore
import SyncTransport
import SyncWire

/// The device's connection to its server: one push stream, one request of operations at a time.
///
/// It lives on the daemon's thread; what comes is gathered and taken by ``takeEvents()``. Every
/// request that was asked for is answered by an event, whatever happens to it.
final class ServerLink {
    /// How the server was last met.
    enum Condition: Equatable {
        case closed
        case open
        /// The token is no longer taken; nothing is tried again until the account is joined anew.
        case revoked
    }

    let client: HTTPClient
    let identity: DeviceIdentity
    private(set) var condition: Condition = .closed
    /// Why there is no connection, for people.
    private(set) var problem: String?
    /// What the server last said to a change that it did not take; nil once it takes one.
    var refusal: String?
    /// What the server was last told of this device's disk, and when.
    private(set) var lastReport: (installed: UInt64, at: Instant)?
    /// When the next attempt is due; nil while one is under way.
    private(set) var nextAttempt: Instant?

    /// What goes to the server, and what comes from it.
    var up = Pace()
    var down = Pace()

    private let token: String
    private var events: [ReplicaEvent] = []
    private var stream: HTTPClient.TransferID?
    private var parser = SSEParser(eventBytesMax: 1 << 20)
    private var attempts = 0
    private var isEnded = false

    init(client: HTTPClient, identity: DeviceIdentity, token: String) {
        self.client = client
        self.identity = identity
        self.token = token
        nextAttempt = Instant(nanoseconds: 0)
    }

    func takeEvents() -> [ReplicaEvent] {
        let taken = events
        events.removeAll()
        return taken
    }

    /// Something was told that is not taken yet.
    var hasEvents: Bool { !events.isEmpty }

    func tell(_ event: ReplicaEvent) {
        if !isEnded { events.append(event) }
    }

    /// Ends the stream and forgets what is under way.
    func end() {
        isEnded = true
        if let stream { client.cancel(stream) }
        stream = nil
        condition = .closed
    }

    // MARK: Requests

    func request(
        _ method: String, _ path: String, body: [UInt8] = []
    ) -> HTTPClientRequest {
        var request = HTTPClientRequest(method: method, url: identity.server + path, body: body)
        request.headers.set("Authorization", "Bearer \(token)")
        if !body.isEmpty { request.headers.set("Content-Type", "application/octet-stream") }
        return request
    }

    /// A question that a program waits for: it is told before it gives up.
    func question(_ method: String, _ path: String, body: [UInt8] = []) -> HTTPClientRequest {
        var request = request(method, path, body: body)
        request.timeoutMilliseconds = 20_000
        return request
    }

    /// What is known to come is counted at once, anything else when it is here.
    func start(
        _ request: HTTPClientRequest, expecting expected: Int = 0,
        then completion: @escaping (Result<HTTPClientResponse, HTTPClientError>) -> Void
    ) {
        var request = request
        request.sendBytesPerSecond = up.rate == 0 ? nil : up.rate
        request.receiveBytesPerSecond = down.rate == 0 ? nil : down.rate
        let begun = Clock.now().steady
        up.take(request.body.count, at: begun)
        down.take(expected, at: begun)
        client.start(request) { [weak self] result in
            guard let self, !self.isEnded else { return }
            if case .success(let response) = result {
                self.down.take(response.body.count - expected, at: Clock.now().steady)
            }
            if case .success(let response) = result, response.status == 401 { self.revoked() }
            completion(result)
        }
    }

    private func revoked() {
        condition = .revoked
        problem = "the server does not take this device's key any more"
        nextAttempt = nil
        if let stream { client.cancel(stream) }
        stream = nil
        tell(.connection(isOpen: false))
    }

    func noteReport(_ installed: UInt64) { lastReport = (installed, Clock.now().steady) }

    // MARK: The push stream

    /// Opens the stream if it is due.
    func connect(at now: Instant) {
        guard stream == nil, condition == .closed, let due = nextAttempt, due <= now else { return }
        nextAttempt = nil
        parser = SSEParser(eventBytesMax: 1 << 20)
        var request = HTTPClientRequest.eventStream(
            url: identity.server + "/v1/sync/push",
            stream: .init(onBytes: { [weak self] bytes in self?.received(bytes) }))
        request.headers.set("Authorization", "Bearer \(token)")
        request.needsNewConnection = attempts > 0
        stream = client.start(request) { [weak self] result in self?.streamEnded(result) }
    }

    private func received(_ bytes: [UInt8]) {
        down.take(bytes.count, at: Clock.now().steady)
        let arrived: [ServerSentEvent]
        do {
            arrived = try parser.feed(bytes)
        } catch {
            drop("the server sent more than a push may have")
            return
        }
        for event in arrived { take(event) }
    }

    private func take(_ event: ServerSentEvent) {
        guard let bytes = Base64.decode(event.data) else {
            drop("this is no Ubiquity server")
            return
        }
        switch event.event {
        case "hello":
            guard let message = try? PositionMessage(message: bytes) else {
                drop("the server speaks another version")
                return
            }
            hello(message.position)
        case "log":
            guard let message = try? PushMessage(message: bytes) else {
                drop("the server speaks another version")
                return
            }
            tell(.entries(after: message.after, message.entries, head: message.head))
        case "revoked": revoked()
        default: break
        }
    }

    private func hello(_ head: Position) {
        if condition != .open {
            condition = .open
            attempts = 0
            problem = nil
            tell(.connection(isOpen: true))
        }
        tell(.entries(after: head, [], head: head))
    }

    private func streamEnded(_ result: Result<HTTPClientResponse, HTTPClientError>) {
        stream = nil
        guard !isEnded else { return }
        switch result {
        case .success(let response) where response.status == 401: revoked()
        case .success(let response) where response.isSuccess: closed("the server ended the stream")
        case .success(let response): closed("the server answered \(response.status)")
        case .failure(let error): closed(error.description)
        }
    }

    /// Ends a connection that is of no use, and tries again later.
    func drop(_ reason: String) {
        if let stream { client.cancel(stream) }
        stream = nil
        closed(reason)
    }

    private func closed(_ reason: String) {
        guard condition != .revoked else { return }
        problem = reason
        if condition == .open { tell(.connection(isOpen: false)) }
        condition = .closed
        nextAttempt = Clock.now().steady.advanced(milliseconds: delay())
        attempts += 1
    }

    /// 50 ms, doubled with each attempt up to 10 s, and up to half of it more by chance, so that
    /// many devices do not come back at the same moment.
    private func delay() -> Int64 {
        let base = Int64(50) << Int64(min(attempts, 8))
        return min(base, 10_000) + Int64.random(in: 0...(min(base, 10_000) / 2))
    }
}
