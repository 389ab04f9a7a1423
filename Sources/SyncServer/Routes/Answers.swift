import FoundationEssentials
import SyncTransport
import SyncWire

/// The answers that routes give, in their formats.
extension HTTPResponse {
    static func json(_ value: some Encodable, status: Int = 200) -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Every type that is encoded here holds texts, numbers and truth values only.
        guard let data = try? encoder.encode(value) else {
            return HTTPResponse(status: 500)
        }
        return HTTPResponse(
            status: status,
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: Array(data))
    }

    static func message(_ message: some WireMessage) -> HTTPResponse {
        .binary(message.message())
    }

    static func binary(_ bytes: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: ["Content-Type": "application/octet-stream", "Cache-Control": "no-store"],
            body: bytes)
    }

    static func text(_ text: String, type: String) -> HTTPResponse {
        HTTPResponse(
            status: 200, headers: ["Content-Type": "\(type); charset=utf-8"],
            body: Array(text.utf8))
    }

    /// A page that loads nothing from anywhere.
    static func page(_ html: String) -> HTTPResponse {
        var response = HTTPResponse.text(html, type: "text/html")
        response.headers.append(
            "Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
        response.headers.append("X-Content-Type-Options", "nosniff")
        return response
    }

    static let nothing = HTTPResponse(status: 204)

    static func failure(_ error: APIError) -> HTTPResponse {
        var response = HTTPResponse.json(
            JSONBodies.Problem(error: .init(code: error.code, message: error.message)),
            status: error.status)
        switch error.status {
        case 401: response.headers.append("WWW-Authenticate", "Bearer")
        case 429, 503: response.headers.append("Retry-After", "1")
        default: break
        }
        return response
    }
}

/// Reads a JSON body.
func decodeJSON<Value: Decodable>(
    _ type: Value.Type, from body: [UInt8]
) throws(APIError) -> Value {
    do {
        return try JSONDecoder().decode(type, from: Data(body))
    } catch {
        throw .malformed("a JSON object with other fields was expected")
    }
}

/// Reads a sync message.
func decodeMessage<Value: WireMessage>(
    _ type: Value.Type, from body: [UInt8]
) throws(APIError) -> Value {
    do throws(WireError) {
        return try Value(message: body)
    } catch {
        throw .malformed(error.description)
    }
}
