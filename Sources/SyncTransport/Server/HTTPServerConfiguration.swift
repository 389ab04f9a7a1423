/// Where a server listens, and its limits; times are in milliseconds.
package struct HTTPServerConfiguration: Sendable {
    /// The numeric address, such as `127.0.0.1` or `::`.
    package var address = "127.0.0.1"
    /// The port; 0 for any free one.
    package var port: UInt16 = 0
    /// PEM files; without them the server speaks plain HTTP.
    package var tls: TLSFiles?
    /// How many threads run connections.
    package var loops = 2

    /// What a request's head may take, its target and all its fields.
    package var headBytesMax = 16 * 1024
    /// What a request's target may take of it.
    package var targetBytesMax = 8 * 1024
    package var headersMax = 100
    /// From a request's first byte to the end of its head.
    package var headMilliseconds: UInt64 = 10_000
    /// How long a connection may do nothing, and how long 64 KiB of a body may take.
    package var idleMilliseconds: UInt64 = 60_000

    package var connectionsMax = 50_000
    package var connectionsPerAddressMax = 10_000
    /// What is held for a push stream whose client is behind, before it is dropped.
    package var streamBytesMax = 1024 * 1024
    /// How often an idle push stream gets a comment, so that dead peers are noticed.
    package var heartbeatMilliseconds: UInt64 = 30_000

    package init() {}

    /// A certificate chain and its private key, as PEM files.
    package struct TLSFiles: Sendable {
        package var certificate: String
        package var key: String

        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }
}
