/// Where a connection comes from.
package struct PeerAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address as text, without the port.
    package let host: String
    package let port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    package var description: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
