/// What a request says before its body.
package struct HTTPRequestHead: Sendable, Equatable {
    /// The method as it was sent, such as `GET` or `PROPFIND`.
    package let method: String
    /// The request target as it was sent.
    package let target: [UInt8]
    package let headers: HTTPHeaders
    /// The length that the client announced; nil for none and for a chunked body.
    package let contentLength: Int?
    package let isChunked: Bool

    /// The target up to the question mark, still percent-encoded.
    package var path: String {
        String(decoding: pathBytes, as: UTF8.self)
    }

    /// What follows the question mark, still percent-encoded; nil without one.
    package var query: String? {
        guard let mark = originForm.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        return String(decoding: originForm[(mark + 1)...], as: UTF8.self)
    }

    /// The path's segments, decoded; nil if one is badly encoded.
    package var pathSegments: [[UInt8]]? {
        var segments: [[UInt8]] = []
        for segment in pathBytes.split(separator: UInt8(ascii: "/")) {
            guard let decoded = PercentEncoding.decode(segment) else { return nil }
            segments.append(decoded)
        }
        return segments
    }

    /// The first value of a name in the query, decoded; nil if it is missing or badly encoded.
    package func queryValue(_ name: String) -> String? {
        for pair in (query ?? "").utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard let key = parts.first,
                let decodedKey = PercentEncoding.decode(key, plusIsSpace: true),
                decodedKey.elementsEqual(name.utf8)
            else { continue }
            guard parts.count == 2 else { return "" }
            return PercentEncoding.decode(parts[1], plusIsSpace: true)
                .map { String(decoding: $0, as: UTF8.self) }
        }
        return nil
    }

    private var pathBytes: ArraySlice<UInt8> {
        originForm.prefix { $0 != UInt8(ascii: "?") }
    }

    /// The target without scheme and authority, which proxies' clients put in front.
    private var originForm: ArraySlice<UInt8> {
        guard target.first != UInt8(ascii: "/") else { return target[...] }
        for scheme in ["http://", "https://"] where target.starts(with: scheme.utf8) {
            let rest = target.dropFirst(scheme.utf8.count)
            return rest.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        }
        return target[...]
    }
}
