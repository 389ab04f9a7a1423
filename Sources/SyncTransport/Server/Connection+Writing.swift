import Glibc

extension Connection {
    /// How long a client that was told goodbye may take to close its side.
    private static let lingerMilliseconds: UInt64 = 2000
    private static let stuckBeatsMax = 3
    private static let turnBytesMax = 4 * 1024 * 1024

    func respond(_ response: HTTPResponse) {
        guard case .handling(let exchange) = state else { return }
        let closes = !exchange.keepsAlive || loop.isDraining
        write(response, exchange, closes: closes)
    }

    /// Answers what cannot be read or is not allowed; nothing after it can be understood.
    func reject(_ rejection: HTTPRejection) {
        pending = []
        let exchange = Exchange(isHead: false, keepsAlive: false, isOldVersion: false)
        write(rejection.response, exchange, closes: true)
    }

    func openStream(_ stream: PushStream, _ headers: HTTPHeaders) {
        guard case .handling = state else {
            stream.finish()
            return
        }
        var headers = headers
        headers.set("Content-Type", "text/event-stream")
        headers.set("Cache-Control", "no-store")
        // Proxies must not gather events before they pass them on.
        headers.set("X-Accel-Buffering", "no")
        let head = HTTPResponseHead(
            status: 200, headers: headers, contentLength: nil, closes: true, saysKeepAlive: false,
            date: loop.currentDate())
        output.append(head.encoded(reservingFor: 0))
        state = .streaming(stream)
        parser = nil
        pending = []
        resumeReading()
        setDeadline(after: configuration.heartbeatMilliseconds)
        if loop.isDraining {
            drain()
        }
        flush(stream)
    }

    /// Sends what was offered to the stream.
    func flush(_ stream: PushStream) {
        guard case .streaming(let own) = state, own === stream else { return }
        let (queue, end) = stream.takeQueue()
        for bytes in queue {
            output.append(bytes.bytes)
        }
        switch end {
        case .atOnce:
            close()
        case .afterQueue:
            state = .writing(closes: true)
            stream.finish()
            setDeadline(after: configuration.idleMilliseconds)
            send()
        case nil:
            send()
        }
    }

    /// Keeps an idle stream known to be alive, and ends one whose client takes nothing.
    func beat(_ stream: PushStream) {
        stuckBeats = output.isEmpty ? 0 : stuckBeats + 1
        guard stuckBeats < Connection.stuckBeatsMax else {
            close()
            return
        }
        if output.isEmpty {
            output.append(Array(":\n\n".utf8))
        }
        setDeadline(after: configuration.heartbeatMilliseconds)
        send()
    }

    /// Sends as much as the socket takes, and goes on with what follows the last byte.
    func send() {
        if case .closed = state { return }
        var turnBytes = 0
        // A fast reader of a large file must not keep the others waiting: it goes on next turn.
        while !output.isEmpty, turnBytes < Connection.turnBytesMax {
            switch write() {
            case .moved(let count):
                turnBytes += count
                output.didSend(count)
                didMove()
            case .wouldBlock:
                didSend()
                return
            case .ended, .failed:
                close()
                return
            }
        }
        didSend()
    }

    private func write() -> IOResult {
        if let tls {
            tls.write(output)
        } else {
            SocketIO.write(key.descriptor, output)
        }
    }

    private func didMove() {
        if case .writing = state, !output.isEmpty {
            setDeadline(after: configuration.idleMilliseconds)
        }
    }

    private func didSend() {
        updateInterest()
        switch state {
        case .writing(let closes) where output.isEmpty:
            if closes || loop.isDraining {
                linger()
            } else {
                state = .reading
                readNext()
            }
        case .streaming(let stream):
            stream.setBacklog(Int(output.left))
        default:
            break
        }
    }

    private func write(_ response: HTTPResponse, _ exchange: Exchange, closes: Bool) {
        let isSent = !exchange.isHead && !response.isBodyless
        let head = HTTPResponseHead(
            status: response.status, headers: response.headers,
            contentLength: response.isBodyless ? nil : response.body.count, closes: closes,
            saysKeepAlive: exchange.isOldVersion, date: loop.currentDate())
        switch response.body {
        case .bytes(let bytes) where isSent && bytes.count <= 16 * 1024:
            output.append(head.encoded(reservingFor: bytes.count) + bytes)
        case .bytes(let bytes):
            output.append(head.encoded(reservingFor: 0))
            if isSent { output.append(bytes) }
        case .file(let file, let offset, let count):
            output.append(head.encoded(reservingFor: 0))
            if isSent { output.append(file, offset: offset, count: count) }
        }
        state = .writing(closes: closes)
        setDeadline(after: configuration.idleMilliseconds)
        send()
    }

    /// Says that nothing follows and waits for the client to close: closing at once would make
    /// the kernel take back what the client has not read yet, if bytes of it are unread here.
    private func linger() {
        state = .lingering
        tls?.sayGoodbye()
        shutdown(key.descriptor, Int32(SHUT_WR))
        setDeadline(after: Connection.lingerMilliseconds)
        resumeReading()
    }
}
