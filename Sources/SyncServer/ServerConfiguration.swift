package import SyncCore

/// Where a server keeps its data, where it listens, and what it allows.
package struct ServerConfiguration: Sendable {
    /// The data folder; made if it is not there.
    package var folder: String
    package var listen: ListenAddress
    /// PEM files; without them the server speaks plain HTTP.
    package var tls: TLSFiles?
    package var limits = ServerLimits()

    package init(folder: String, listen: ListenAddress = .standard) {
        self.folder = folder
        self.listen = listen
    }

    package struct TLSFiles: Sendable, Hashable {
        package var certificate: String
        package var key: String

        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }
}

/// What one request, one device or one attacker can take.
package struct ServerLimits: Sendable {
    /// Bytes of a request's body, other than a chunk.
    package var requestBytes = 4 * 1024 * 1024
    package var operationsInRequest = 1024
    package var chunkBytes = 1024 * 1024
    /// Chunks that one question for missing ones may name.
    package var chunksInQuestion = 65_536
    /// Chunks that one request may bring.
    package var chunksInBundle = 1024
    /// Bytes of an account's chunks that are not durable yet: so many are made so aside, and with
    /// so many a device waits for it.
    package var receivedBytes = 16 * 1024 * 1024
    package var mostReceivedBytes = 64 * 1024 * 1024
    /// Bytes of chunks in one answer; a single chunk may have more.
    package var chunkAnswerBytes = 1024 * 1024
    /// Bytes of operations and chunks that wait for the disk, of all devices and of one.
    package var waitingBytes = 256 * 1024 * 1024
    package var waitingBytesOfDevice = 32 * 1024 * 1024
    /// Bytes of a JSON body.
    package var jsonBytes = 16 * 1024
    /// Bytes of log entries in one answer, when the device asks for more.
    package var pullBytes = 4 * 1024 * 1024
    /// Bytes of a push frame; a larger one only says that there is news.
    package var pushFrameBytes = 256 * 1024
    /// Operations in one transaction, over all the requests in it.
    package var operationsInCommit = 512
    /// Requests that may wait for the committer.
    package var waitingRequests = 4096
    /// Requests that may wait for the threads that read.
    package var waitingReads = 4096
    /// How long old contents are kept.
    package var retention = Retention()
    package var readers = 3
    package var fileThreads = 2
    /// Chunks that may wait for the disk; each is held in memory.
    package var waitingFiles = 64
    /// Password checks that may wait; each check takes the memory of ``passwordCost``.
    package var waitingPasswords = 64
    package var passwordCost = PasswordCost()
    package var wrongPasswords = AttemptLimit(burst: 10, refill: 6_000)
    package var wrongPasswordsOfAddress = AttemptLimit(burst: 40, refill: 1_500)

    package init() {}
}
