/// A request of the client; times are in milliseconds.
package struct HTTPClientRequest {
    package var method: String
    package var url: String
    package var headers: HTTPHeaders
    package var body: [UInt8]
    /// From the start to the last byte of the answer; nil for as long as bytes go either way.
    package var timeoutMilliseconds: Int?
    /// How long no byte may go either way, to the second; nil for ever.
    package var stallMilliseconds: Int? = 60_000
    /// How long the server may send nothing, sleep of the machine included; nil for ever.
    package var silenceMilliseconds: UInt64?
    /// The most that an answer's body may have.
    package var responseBytesMax = 64 * 1024 * 1024
    /// The most bytes a second of the body and of the answer; nil for as many as go.
    package var sendBytesPerSecond: UInt64?
    package var receiveBytesPerSecond: UInt64?
    /// Takes no connection that is open already, as after sleep, when they may be dead.
    package var needsNewConnection = false
    /// Set for an answer that is read while it arrives.
    package var stream: Stream?

    /// A request for a whole answer.
    package init(
        method: String = "GET", url: String, headers: HTTPHeaders = [:], body: [UInt8] = []
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// A request for a stream of server-sent events that stays open.
    ///
    /// The server's heartbeat has to come more often than the silence that is allowed.
    package static func eventStream(
        url: String, headers: HTTPHeaders = [:], silenceMilliseconds: UInt64 = 45_000,
        stream: Stream
    ) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url, headers: headers)
        request.headers.set("Accept", "text/event-stream")
        request.stallMilliseconds = nil
        request.silenceMilliseconds = silenceMilliseconds
        request.stream = stream
        return request
    }

    /// Takes an answer while it arrives.
    ///
    /// Used for status 200 to 299 only: other answers are
    /// gathered and come with the completion.
    package struct Stream {
        /// Called once, when the head has arrived.
        package var onHead: (HTTPClientResponse) -> Void
        /// Called for bytes in order, cut anywhere.
        package var onBytes: ([UInt8]) -> Void

        package init(
            onHead: @escaping (HTTPClientResponse) -> Void = { _ in },
            onBytes: @escaping ([UInt8]) -> Void
        ) {
            self.onHead = onHead
            self.onBytes = onBytes
        }
    }
}
