package import SyncCore

/// HMAC-SHA-256 with one key.
package struct KeyedHash: Sendable {
    private let inner: SHA256
    private let outer: SHA256

    package init(key: [UInt8]) {
        var block = key.count > 64 ? SHA256.hash(key).bytes : key
        block += [UInt8](repeating: 0, count: 64 - block.count)
        var inner = SHA256()
        inner.update(block.map { $0 ^ 0x36 })
        var outer = SHA256()
        outer.update(block.map { $0 ^ 0x5C })
        self.inner = inner
        self.outer = outer
    }

    package func hash(_ bytes: [UInt8]) -> Digest {
        var inner = inner
        inner.update(bytes)
        var outer = outer
        outer.update(inner.finish().bytes)
        return outer.finish()
    }
}
