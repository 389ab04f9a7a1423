/// Why there is no answer, or no whole one.
package enum HTTPClientError: Error, Equatable, CustomStringConvertible {
    /// No connection: nobody listens, no route, or no such host. Nothing was sent.
    case couldNotConnect(String)
    /// The connection broke: the server may have received the request, or not.
    case connectionLost(String)
    /// No answer in time, or silence: the server may have received the request, or not.
    case timedOut
    /// The server is not who it should be, or speaks no TLS.
    case tls(String)
    /// The answer is larger than the request allows.
    case responseTooLarge
    /// The request itself cannot be sent: its URL or a header is wrong.
    case invalidRequest(String)
    case other(String)

    package var description: String {
        switch self {
        case .couldNotConnect(let reason): "could not connect: \(reason)"
        case .connectionLost(let reason): "the connection was lost: \(reason)"
        case .timedOut: "the server did not answer in time"
        case .tls(let reason): "TLS: \(reason)"
        case .responseTooLarge: "the answer is too large"
        case .invalidRequest(let reason): "the request is wrong: \(reason)"
        case .other(let reason): reason
        }
    }
}
