/// Why a request is answered by the server itself, with a status and a JSON error.
struct HTTPRejection: Error, Equatable, Sendable {
    let status: Int
    let code: String
    let message: String

    static func malformed(_ reason: String) -> HTTPRejection {
        HTTPRejection(status: 400, code: "bad_request", message: reason)
    }

    static let timedOut = HTTPRejection(
        status: 408, code: "request_timeout", message: "The request did not arrive in time.")
    static let bodyTooLarge = HTTPRejection(
        status: 413, code: "body_too_large", message: "The body is larger than allowed here.")
    static let targetTooLong = HTTPRejection(
        status: 414, code: "target_too_long", message: "The request target is too long.")
    static let headTooLarge = HTTPRejection(
        status: 431, code: "head_too_large", message: "The header fields are too large.")
    static let tooManyHeaders = HTTPRejection(
        status: 431, code: "too_many_headers", message: "There are too many header fields.")
    static let unknownMethod = HTTPRejection(
        status: 501, code: "method_unknown", message: "This method is not known here.")
    static let unknownCoding = HTTPRejection(
        status: 501, code: "coding_unknown", message: "Only the chunked transfer coding is known.")
    static let unknownExpectation = HTTPRejection(
        status: 417, code: "expectation_unknown", message: "Only 100-continue can be expected.")
    static let unsupportedVersion = HTTPRejection(
        status: 505, code: "version_unsupported", message: "Only HTTP/1.1 and HTTP/1.0 are spoken.")
    static let notAnswered = HTTPRejection(
        status: 500, code: "internal_error", message: "The request was dropped by the server.")
    static let tooManyConnections = HTTPRejection(
        status: 503, code: "too_many_connections", message: "Too many connections are open.")

    /// The answer, which also ends the connection.
    var response: HTTPResponse {
        .error(status: status, code: code, message: message)
    }
}
