import DeviceSocket
import Foundation
import Testing

@testable import Ubiquity

/// A real server and real devices of one account, each a process with a folder of its own.
final class TestCloud: Sendable {
    private let folder: URL
    private let server: Program
    private let address: String

    init() async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "cloud-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let data = folder.appendingPathComponent("server").path
        let adding = try Program(
            "ubiquity", ["server", "account", "add", "ada", "--data", data], home: folder)
        try #require(await adding.ended() == 0)
        server = try Program(
            "ubiquity", ["server", "run", "--data", data, "--listen", "127.0.0.1:0"], home: folder)
        let line = try #require(await server.line { $0.contains("listens on") })
        address = String(try #require(line.split(separator: " ").last))
    }

    deinit {
        server.terminate()
        try? FileManager.default.removeItem(at: folder)
    }

    /// A device whose daemon is ready.
    func device(_ name: String) async throws -> TestDevice {
        let home = folder.appendingPathComponent(name)
        let joining = try Program(
            "ubiquity", ["join", address, "--account", "ada", "--device", name], home: home)
        try #require(await joining.ended() == 0)
        let daemon = try Program("ubiquity", ["device", "run"], home: home)
        try #require(await daemon.line { $0.contains("runs on") } != nil)
        return TestDevice(home: home, daemon: daemon)
    }
}

/// One device of a cloud.
struct TestDevice: Sendable {
    let home: URL
    let daemon: Program

    /// Its daemon is killed and started again.
    func restarted() async throws -> TestDevice {
        daemon.killAtOnce()
        _ = await daemon.ended()
        let again = try Program("ubiquity", ["device", "run"], home: home)
        try #require(await again.line { $0.contains("runs on") } != nil)
        return TestDevice(home: home, daemon: again)
    }

    func program(_ name: String) throws -> Program { try Program(name, home: home) }

    /// The default container.
    var container: URL {
        home.appendingPathComponent("Containers/iCloud.org.ubiquity.notes")
    }

    /// As a program on this device has it.
    func session() -> DeviceSession {
        DeviceSession(home: DeviceHome(path: Array(home.path.utf8))) {
            () throws(EntitlementsError) in .standard
        }
    }

    /// Returns when everything is the same here and at the server.
    func wait() async throws {
        let waiting = try Program("ubiquity", ["wait", "--timeout", "30"], home: home)
        try #require(await waiting.ended() == 0)
    }
}
