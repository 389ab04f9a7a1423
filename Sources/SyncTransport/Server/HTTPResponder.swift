import Synchronization

/// Answers one request, once, from any thread.
///
/// A request whose responder goes away unanswered is answered with status 500.
package final class HTTPResponder: Sendable {
    private let inbox: LoopInbox
    private let key: ConnectionKey
    private let streamBytesMax: Int
    private let isAnswered = Atomic(false)

    init(inbox: LoopInbox, key: ConnectionKey, streamBytesMax: Int) {
        self.inbox = inbox
        self.key = key
        self.streamBytesMax = streamBytesMax
    }

    deinit {
        if !isAnswered.load(ordering: .relaxed) {
            inbox.post(.respond(key, HTTPRejection.notAnswered.response))
        }
    }

    /// Answers; only the first answer to a request is sent.
    package func respond(_ response: HTTPResponse) {
        if claim() {
            inbox.post(.respond(key, response))
        }
    }

    package func respond(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        respond(HTTPResponse(status: status, headers: headers, body: body))
    }

    /// Answers with a part of a file, which the kernel copies where it can.
    package func respond(
        status: Int, headers: HTTPHeaders = [:], file: HTTPFile, offset: Int64, count: Int64
    ) {
        respond(
            HTTPResponse(
                status: status, headers: headers, file: file, offset: offset, count: count))
    }

    /// Answers with a stream of server-sent events, open until either side ends it.
    ///
    /// The result is closed already if the request was answered before.
    package func openEventStream(headers: HTTPHeaders = [:]) -> PushStream {
        let stream = PushStream(inbox: inbox, key: key, bytesMax: streamBytesMax)
        if claim() {
            inbox.post(.openStream(key, headers, stream))
        } else {
            stream.finish()
        }
        return stream
    }

    private func claim() -> Bool {
        !isAnswered.exchange(true, ordering: .relaxed)
    }
}
