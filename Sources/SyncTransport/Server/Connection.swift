import Glibc

/// One client's connection; used by its loop's thread alone.
///
/// It reads a request, hands it to the handler, sends the answer, and only then looks at the next
/// request, so that pipelined requests are answered in order.
final class Connection {
    enum State {
        /// A request is awaited or arrives.
        case reading
        /// The handler has a request, which this describes.
        case handling(Exchange)
        /// An answer is being sent.
        case writing(closes: Bool)
        case streaming(PushStream)
        /// Everything has been sent; what still arrives is dropped until the client closes too.
        case lingering
        case closed
    }

    /// What of a request decides how its answer is sent.
    struct Exchange {
        let isHead: Bool
        let keepsAlive: Bool
        let isOldVersion: Bool
    }

    let key: ConnectionKey
    let peer: PeerAddress
    unowned let loop: EventLoop
    let tls: TLSSession?
    /// When `receiveDeadline` is due, in the loop's milliseconds.
    var deadline: UInt64?
    /// The wheel's tick that looks at the deadline.
    var scheduledTick: UInt64?

    var state = State.reading
    var output = OutputQueue()
    /// Let go once the connection is a stream.
    var parser: RequestParser?
    /// Bytes behind the request in hand.
    var pending: [UInt8] = []
    /// Body bytes at the time that the deadline was last put off.
    var bodyMark = 0
    /// What may still be dropped while lingering.
    var lingerBytesLeft = 4 * 1024 * 1024
    /// Heartbeats in a row that found the stream stuck.
    var stuckBeats = 0
    private var interest = Epoll.Events.readable
    private var isReadPaused = false

    init(key: ConnectionKey, peer: PeerAddress, loop: EventLoop) throws(SystemError) {
        self.key = key
        self.peer = peer
        self.loop = loop
        tls = try loop.shared.tls?.accept(key.descriptor)
        let configuration = loop.shared.configuration
        let limits = RequestParser.Limits(
            headBytes: configuration.headBytesMax, targetBytes: configuration.targetBytesMax,
            headers: configuration.headersMax)
        parser = RequestParser(
            settings: loop.parserSettings, limits: limits, bodyLimit: loop.shared.bodyLimit)
    }

    var configuration: HTTPServerConfiguration { loop.shared.configuration }

    func start() {
        SocketAddress.setOption(key.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        // The kernel gives up on a peer that acknowledges nothing for this long.
        let patience = Int32(clamping: configuration.idleMilliseconds)
        SocketAddress.setOption(key.descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, patience)
        setDeadline(after: configuration.headMilliseconds)
    }

    func receive(_ events: Epoll.Events) {
        if events.contains(.writable) {
            send()
            if tls?.wantsWritable ?? false {
                receiveReadable()
            }
        }
        if events.contains(.readable) {
            receiveReadable()
        } else if !events.isDisjoint(with: .broken) {
            close()
        }
    }

    func receiveDeadline() {
        switch state {
        case .reading where parser?.isIdle ?? true:
            close()
        case .reading:
            reject(.timedOut)
        case .streaming(let stream):
            beat(stream)
        case .handling, .closed:
            deadline = nil
        case .writing, .lingering:
            close()
        }
    }

    /// Ends soon because the server ends: at once if idle, else after the answer in hand.
    func drain() {
        switch state {
        case .reading where parser?.isIdle ?? true:
            close()
        case .streaming(let stream):
            // Clients come back spread over some seconds, not all at once.
            output.append(Array("retry: \(Int.random(in: 0...5000))\n\n".utf8))
            stream.close()
        default:
            break
        }
    }

    func setDeadline(after milliseconds: UInt64) {
        loop.setDeadline(loop.now + milliseconds, of: self)
    }

    func close() {
        if case .closed = state { return }
        let ending = state
        state = .closed
        tls?.end()
        Glibc.close(key.descriptor)
        output = OutputQueue()
        parser = nil
        loop.didClose(self)
        if case .streaming(let stream) = ending {
            stream.finish()
        }
    }

    /// Stops watching for bytes until the request in hand has been answered.
    func pauseReading() {
        isReadPaused = true
        updateInterest()
    }

    func resumeReading() {
        isReadPaused = false
        updateInterest()
    }

    func updateInterest() {
        if case .closed = state { return }
        var wanted: Epoll.Events = []
        if !isReadPaused { wanted.insert(.readable) }
        if !output.isEmpty || tls?.wantsWritable ?? false { wanted.insert(.writable) }
        if wanted != interest {
            interest = wanted
            loop.epoll.change(key, wanted)
        }
    }
}
