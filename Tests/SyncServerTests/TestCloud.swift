import FoundationEssentials
import Glibc
import SyncCore
import SyncStore
import SyncTransport
import Testing

@testable import SyncServer

/// A real server on a folder and a port of its own, gone with the test.
final class TestCloud {
    let folder: String
    private(set) var server: SyncServer
    private var limits: ServerLimits

    /// Cheap passwords: what they cost is tested by itself.
    static var limits: ServerLimits {
        var limits = ServerLimits()
        limits.passwordCost = PasswordCost(passes: 1, memory: 64)
        return limits
    }

    init(limits: ServerLimits = TestCloud.limits) throws {
        folder = try makeTemporaryFolder()
        self.limits = limits
        server = try TestCloud.start(folder, ListenAddress(host: "127.0.0.1", port: 0), limits)
    }

    deinit {
        server.stop()
        removeFolder(folder)
    }

    var url: String { "http://\(server.address)" }

    /// Ends the server and starts it again on the same folder and port.
    func restart() throws {
        stop()
        try start()
    }

    func stop() { server.stop() }
    func start() throws { server = try TestCloud.start(folder, server.address, limits) }

    func hasChunk(_ id: ChunkID) throws -> Bool {
        try FileChunkStore(reading: "\(folder)/chunks").read(id) != nil
    }

    /// Adds an account as the command line does: through a connection of its own.
    func addAccount(_ name: String, password: String) throws {
        let hash = try PasswordHash(
            password: Array(password.utf8), salt: randomBytes(16), cost: limits.passwordCost)
        try withDatabase { database throws(StoreError) in
            try database.transaction { database throws(StoreError) in
                try database.addAccount(
                    AccountRecord(
                        id: AccountID.random(), name: name, password: hash.encoded,
                        identityKey: randomBytes(32)))
            }
        }
    }

    func withDatabase(_ body: (ServerDatabase) throws -> Void) throws {
        try body(try DataFolder(creating: folder).openDatabase())
    }

    private static func start(
        _ folder: String, _ address: ListenAddress, _ limits: ServerLimits
    ) throws -> SyncServer {
        var configuration = ServerConfiguration(folder: folder, listen: address)
        configuration.limits = limits
        return try SyncServer.start(configuration)
    }
}

func makeTemporaryFolder() throws -> String {
    var template = Array("/tmp/ubiquity-server-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!) }
    return String(cString: try #require(made))
}

func removeFolder(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
}
