/// An answer: status, header fields, and bytes or a part of a file.
///
/// The fields that say how long the body is and whether the connection stays are the server's own.
package struct HTTPResponse: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        case file(HTTPFile, offset: Int64, count: Int64)

        var count: Int64 {
            switch self {
            case .bytes(let bytes): Int64(bytes.count)
            case .file(_, _, let count): count
            }
        }
    }

    package var status: Int
    package var headers: HTTPHeaders
    package var body: Body

    package init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = .bytes(body)
    }

    /// Answers with a part of a file; the file must have at least these bytes.
    package init(
        status: Int, headers: HTTPHeaders = [:], file: HTTPFile, offset: Int64, count: Int64
    ) {
        self.status = status
        self.headers = headers
        self.body = .file(file, offset: offset, count: count)
    }

    /// Answers with an error in the form that all errors have, as JSON.
    ///
    /// - Parameters:
    ///   - status: From 400 to 599.
    ///   - code: What programs look at, such as `not_found`.
    ///   - message: What people read.
    /// - Returns: The answer.
    package static func error(status: Int, code: String, message: String) -> HTTPResponse {
        let body = #"{"error":{"code":"\#(quoted(code))","message":"\#(quoted(message))"}}"#
        return HTTPResponse(
            status: status, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }

    /// The inside of a JSON string.
    private static func quoted(_ text: String) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                quoted += "\\\(scalar)"
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default:
                quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted
    }

    /// Whether the status allows no body and no length.
    var isBodyless: Bool {
        status == 204 || status == 304 || status < 200
    }
}
