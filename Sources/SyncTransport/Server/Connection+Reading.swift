extension Connection {
    func receiveReadable() {
        switch state {
        case .reading:
            readRequest()
        case .handling, .writing:
            pauseReading()
        case .streaming:
            dropArriving()
        case .lingering:
            dropArriving()
        case .closed:
            break
        }
    }

    /// Goes on with bytes that arrived behind the request that has just been answered.
    func readNext() {
        resumeReading()
        if pending.isEmpty {
            setDeadline(after: configuration.idleMilliseconds)
        } else {
            let bytes = pending
            pending = []
            unsafe bytes.withUnsafeBytes { unsafe consume($0) }
        }
        // OpenSSL may hold bytes that the kernel does not know of any more.
        if case .reading = state, tls?.hasPending ?? false {
            readRequest()
        }
    }

    private func readRequest() {
        switch read() {
        case .moved(let count):
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: loop.buffer.bytes[..<count])
            unsafe consume(bytes)
            if case .reading = state, tls?.hasPending ?? false {
                readRequest()
            }
        case .wouldBlock:
            updateInterest()
        case .ended, .failed:
            close()
        }
    }

    private func read() -> IOResult {
        if let tls {
            unsafe tls.read(into: loop.buffer.bytes)
        } else {
            unsafe SocketIO.read(key.descriptor, into: loop.buffer.bytes)
        }
    }

    private func consume(_ bytes: UnsafeRawBufferPointer) {
        guard let parser else { return }
        let wasIdle = parser.isIdle
        let wasInBody = parser.isInBody
        let (consumed, outcome) = unsafe parser.feed(bytes)
        switch outcome {
        case .complete(let head, let body, let keepsAlive):
            unsafe pending.append(contentsOf: bytes[consumed...])
            handle(head, body, keepsAlive: keepsAlive, isOldVersion: parser.isOldVersion)
        case .rejected(let rejection):
            reject(rejection)
        case .needsMore:
            awaitMore(parser, wasIdle: wasIdle, wasInBody: wasInBody)
        }
    }

    private func awaitMore(_ parser: RequestParser, wasIdle: Bool, wasInBody: Bool) {
        if parser.isInBody {
            let hasProgressed = parser.bodyBytesHeld - bodyMark >= 64 * 1024
            if !wasInBody || hasProgressed {
                bodyMark = parser.bodyBytesHeld
                setDeadline(after: configuration.idleMilliseconds)
            }
        } else if wasIdle, !parser.isIdle {
            setDeadline(after: configuration.headMilliseconds)
        }
        if parser.awaitsContinue {
            parser.didSendContinue()
            output.append(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
            send()
        }
    }

    private func handle(
        _ head: HTTPRequestHead, _ body: [UInt8], keepsAlive: Bool, isOldVersion: Bool
    ) {
        state = .handling(
            Exchange(
                isHead: head.method == "HEAD", keepsAlive: keepsAlive, isOldVersion: isOldVersion))
        deadline = nil
        bodyMark = 0
        let request = HTTPRequest(head: head, body: body, peer: peer, isSecure: tls != nil)
        let responder = HTTPResponder(
            inbox: loop.inbox, key: key, streamBytesMax: configuration.streamBytesMax)
        loop.shared.handler(request, responder)
    }

    private func dropArriving() {
        switch read() {
        case .moved(let count):
            guard case .lingering = state else { return }
            lingerBytesLeft -= count
            if lingerBytesLeft < 0 { close() }
        case .wouldBlock:
            updateInterest()
        case .ended, .failed:
            close()
        }
    }
}
