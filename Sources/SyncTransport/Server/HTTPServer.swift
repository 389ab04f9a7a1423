import Glibc
import Synchronization

/// An HTTP/1.1 server: a few threads, each running any number of connections.
///
/// The handler is called on a loop's thread with each complete request. It must not block: what
/// takes longer goes to another thread, which answers through the responder.
package final class HTTPServer: Sendable {
    /// The port that the server listens on.
    package let port: UInt16
    private let caps: ConnectionCaps
    private let inboxes: [LoopInbox]
    private let threads: Mutex<[pthread_t]>

    /// Listens and starts the loops.
    ///
    /// - Parameters:
    ///   - configuration: Where to listen, and the limits.
    ///   - bodyLimit: How many bytes a request's body may have, asked when its head has arrived.
    ///   - handler: Gets each request; it answers now or later, from any thread.
    /// - Throws: What keeps it from listening there, or from using the certificate.
    package init(
        _ configuration: HTTPServerConfiguration,
        bodyLimit: @escaping @Sendable (HTTPRequestHead) -> Int = { _ in 8 * 1024 * 1024 },
        handler: @escaping @Sendable (HTTPRequest, HTTPResponder) -> Void
    ) throws(HTTPServerError) {
        let tls = try configuration.tls.map { files throws(HTTPServerError) in
            try TLSContext(files)
        }
        caps = ConnectionCaps(
            totalMax: configuration.connectionsMax,
            perHostMax: configuration.connectionsPerAddressMax)
        let listener = try SocketAddress.listen(
            address: configuration.address, port: configuration.port)
        port = listener.port
        let acceptor = Acceptor(listening: listener.descriptor)
        let shared = EventLoop.Shared(
            configuration: configuration, caps: caps, tls: tls, bodyLimit: bodyLimit,
            handler: handler)
        let loops: [EventLoop]
        do {
            loops = try HTTPServer.makeLoops(
                max(1, configuration.loops), shared: shared, acceptor: acceptor)
        } catch {
            throw .system(error)
        }
        inboxes = loops.map(\.inbox)
        threads = Mutex([])
        try start(loops)
    }

    /// How many connections are open.
    package var connectionCount: Int { caps.total }

    /// Ends the server: idle connections now, requests in hand after their answer.
    ///
    /// Push streams are told to come back within five seconds. Waits until all is done or the
    /// time is up; what is still open then is closed. Must not be called from the handler.
    package func shutDown(withinMilliseconds limit: UInt64 = 10_000) {
        let deadline = MonotonicClock.milliseconds() + limit
        for inbox in inboxes {
            inbox.post(.shutDown(deadline: deadline))
        }
        let running = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in running {
            pthread_join(thread, nil)
        }
    }

    deinit {
        shutDown(withinMilliseconds: 0)
    }

    private static func makeLoops(
        _ count: Int, shared: EventLoop.Shared, acceptor: Acceptor
    ) throws(SystemError) -> [EventLoop] {
        var inboxes: [LoopInbox] = []
        for _ in 0..<count {
            inboxes.append(try LoopInbox())
        }
        var loops: [EventLoop] = []
        for (index, inbox) in inboxes.enumerated() {
            loops.append(
                try EventLoop(
                    shared: shared, inbox: inbox, peers: inboxes,
                    acceptor: index == 0 ? acceptor : nil))
        }
        return loops
    }

    /// Starts all loops or none.
    private func start(_ loops: [EventLoop]) throws(HTTPServerError) {
        for loop in loops {
            do {
                let thread = try HTTPServer.startThread(loop)
                threads.withLock { $0.append(thread) }
            } catch {
                shutDown(withinMilliseconds: 0)
                throw .system(error)
            }
        }
    }

    private static func startThread(_ loop: EventLoop) throws(SystemError) -> pthread_t {
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(loop).toOpaque()
        let code = unsafe pthread_create(&thread, nil, { unsafe runLoop($0) }, context)
        guard code == 0 else {
            unsafe Unmanaged<EventLoop>.fromOpaque(context).release()
            throw SystemError("pthread_create", code)
        }
        return thread
    }
}

/// The body of a loop's thread, which alone uses the loop from here on.
private func runLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    // A client that goes away must not end the process; the write's error says enough.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    unsafe Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
