/// A complete request.
package struct HTTPRequest: Sendable {
    package let head: HTTPRequestHead
    package let body: [UInt8]
    package let peer: PeerAddress
    /// Whether it came over TLS.
    package let isSecure: Bool

    package var method: String { head.method }
    package var target: [UInt8] { head.target }
    package var path: String { head.path }
    package var query: String? { head.query }
    package var headers: HTTPHeaders { head.headers }
}
