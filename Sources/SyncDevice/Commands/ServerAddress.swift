/// A server's address as a person types it, in the one form that is kept.
struct ServerAddress: Equatable {
    /// Begins with `http://` or `https://`, ends without a slash.
    let text: String

    init(_ given: String) throws(CommandFailure) {
        guard let scheme = ["http://", "https://"].first(where: given.hasScheme) else {
            throw .usage("URL begins with http:// or https://")
        }
        var rest = given.utf8.dropFirst(scheme.utf8.count)
        while rest.last == UInt8(ascii: "/") { rest.removeLast() }
        let host = rest.prefix { $0 != UInt8(ascii: "/") }
        guard !host.isEmpty, rest.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .usage("URL needs a host, and no spaces or other characters that must be encoded")
        }
        guard !rest.contains(where: { "?#@".utf8.contains($0) }) else {
            throw .usage("URL is the server's address alone, without '?', '#' and '@'")
        }
        text = scheme + String(decoding: rest, as: UTF8.self)
    }
}

extension String {
    /// Schemes may be written in capitals.
    fileprivate func hasScheme(_ scheme: String) -> Bool {
        utf8.count >= scheme.utf8.count
            && zip(utf8, scheme.utf8).allSatisfy { $0 == $1 || $0 | 0x20 == $1 && $0 >= 0x41 }
    }
}
