/// A numeric address and port, as `--listen` names them: `127.0.0.1:8420`, `[::1]:8420`.
package struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    package var host: String
    package var port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    package static var standard: ListenAddress { ListenAddress(host: "127.0.0.1", port: 8420) }

    /// Nil for what is not a host, a colon and a port.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        var host = bytes[..<colon]
        if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(UInt8(ascii: ":")) {
            return nil
        }
        let digits = String(decoding: bytes[(colon + 1)...], as: UTF8.self)
        guard !host.isEmpty, digits.utf8.first != UInt8(ascii: "+"), let port = UInt16(digits)
        else {
            return nil
        }
        let name = String(decoding: host, as: UTF8.self)
        self.init(host: name == "localhost" ? "127.0.0.1" : name, port: port)
    }

    package var description: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
