import Glibc
import SyncTransport
import Synchronization

/// A real server whose routes show what it received.
final class EchoServer: Sendable {
    let server: HTTPServer
    let streams = Streams()

    /// Push streams, as they are opened and closed.
    final class Streams: Sendable {
        private let open = Mutex<[PushStream]>([])
        private let closed = Atomic(0)
        private let held = Mutex<[HTTPResponder]>([])

        /// Keeps a request unanswered.
        func hold(_ responder: HTTPResponder) {
            held.withLock { $0.append(responder) }
        }

        /// The requests that wait for an answer.
        var waiting: [HTTPResponder] { held.withLock { $0 } }

        func add(_ stream: PushStream) {
            open.withLock { $0.append(stream) }
            stream.onClose { self.closed.add(1, ordering: .relaxed) }
        }

        var all: [PushStream] { open.withLock { $0 } }
        var closedCount: Int { closed.load(ordering: .relaxed) }
    }

    init(
        port: UInt16 = 0, bodyLimit: Int = 8 * 1024 * 1024,
        _ change: (inout HTTPServerConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = HTTPServerConfiguration()
        configuration.port = port
        change(&configuration)
        let streams = streams
        server = try HTTPServer(
            configuration, bodyLimit: { _ in bodyLimit },
            handler: { EchoServer.answer($0, $1, streams) })
    }

    var port: UInt16 { server.port }
    var url: String { "http://127.0.0.1:\(port)" }

    private static func answer(
        _ request: HTTPRequest, _ responder: HTTPResponder, _ streams: Streams
    ) {
        switch request.path {
        case "/stream":
            streams.add(responder.openEventStream())
        case "/dropped":
            // The responder goes away without an answer.
            break
        case "/held":
            streams.hold(responder)
        case "/thread":
            onThread { responder.respond(status: 200, body: Array("from a thread".utf8)) }
        case "/large":
            responder.respond(
                status: 200, body: [UInt8](repeating: 7, count: Int(request.query ?? "0") ?? 0))
        default:
            responder.respond(status: 200, headers: describe(request), body: request.body)
        }
    }

    private static func describe(_ request: HTTPRequest) -> HTTPHeaders {
        var headers: HTTPHeaders = ["X-Method": request.method, "X-Path": request.path]
        headers.append("X-Query", request.query ?? "none")
        headers.append("X-Fields", "\(request.headers.fields.map { "\($0.name)=\($0.value)" })")
        return headers
    }
}

/// Runs something on a thread of its own.
func onThread(_ work: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Box(work)).toOpaque()
    pthread_create(
        &thread, nil,
        {
            Unmanaged<Box>.fromOpaque($0!).takeRetainedValue().work()
            return nil
        }, context)
    pthread_detach(thread)
}
