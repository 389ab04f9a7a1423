/// How the head of an answer is written.
struct HTTPResponseHead {
    let status: Int
    let headers: HTTPHeaders
    /// Nil for a stream that ends with its connection.
    let contentLength: Int64?
    let closes: Bool
    /// HTTP/1.0 clients must be told that a connection stays open.
    let saysKeepAlive: Bool
    let date: String

    func encoded(reservingFor body: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(192 + body)
        bytes += "HTTP/1.1 \(status) \(HTTPStatus.reason(status))\r\nDate: \(date)\r\n".utf8
        for field in headers.fields where !HTTPResponseHead.isOwn(field.name) {
            append(field, to: &bytes)
        }
        if let contentLength {
            bytes += "Content-Length: \(contentLength)\r\n".utf8
        }
        if closes {
            bytes += "Connection: close\r\n".utf8
        } else if saysKeepAlive {
            bytes += "Connection: keep-alive\r\n".utf8
        }
        bytes += "\r\n".utf8
        return bytes
    }

    private static func isOwn(_ name: String) -> Bool {
        ["Content-Length", "Transfer-Encoding", "Connection", "Date"].contains {
            HTTPHeaders.isSame(name, $0)
        }
    }

    /// Line ends in a value would let it add fields of its own: they become spaces.
    private func append(_ field: HTTPHeaders.Field, to bytes: inout [UInt8]) {
        bytes += field.name.utf8
        bytes += ": ".utf8
        for byte in field.value.utf8 {
            bytes.append(byte == 13 || byte == 10 || byte == 0 ? 32 : byte)
        }
        bytes += "\r\n".utf8
    }
}
