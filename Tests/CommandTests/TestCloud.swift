import Foundation
import Testing

/// A server with an account in a temporary folder, and homes for its devices.
final class TestCloud {
    let folder: String
    let url: String
    private let server: RunningProgram

    init(accounts: [String] = ["anna"]) throws {
        folder = NSTemporaryDirectory() + "commands-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let data = folder + "/data"
        for account in accounts {
            let add = bytes("server", "account", "add", account, "--data", data)
            let program = try RunningProgram(add, environment: ["UBIQUITY_PASSWORD": "secret"])
            try #require(program.status == 0)
        }
        let run = bytes("server", "run", "--data", data, "--listen", "127.0.0.1:0")
        server = try RunningProgram(run, environment: [:])
        url = String(try #require(try server.line().split(separator: " ").last))
    }

    deinit {
        server.signal(SIGTERM)
        _ = server.status
        try? FileManager.default.removeItem(atPath: folder)
    }

    func stop() {
        server.signal(SIGTERM)
        _ = server.status
    }

    func home(_ name: String) -> TestHome { TestHome(path: folder + "/" + name) }
}

/// A device's home, and what is run on it.
struct TestHome {
    let path: String

    var documents: String { path + "/Containers/iCloud.org.ubiquity.notes/Documents" }

    func start(
        _ words: [[UInt8]], password: String = "secret", input: [UInt8] = []
    ) throws -> RunningProgram {
        try RunningProgram(
            words, environment: ["UBIQUITY_HOME": path, "UBIQUITY_PASSWORD": password],
            input: input)
    }

    /// Runs a command to its end.
    func run(
        _ words: String..., password: String = "secret", input: String = ""
    ) throws -> Ended {
        try run(bytes: words.map { Array($0.utf8) }, password: password, input: input)
    }

    func run(bytes words: [[UInt8]], password: String = "secret", input: String = "") throws
        -> Ended
    {
        let program = try start(words, password: password, input: Array(input.utf8))
        let said = program.said
        return Ended(said: said, complained: program.complained, status: program.status)
    }

    /// Starts the daemon and returns when it is ready.
    func startDevice() throws -> RunningProgram {
        let device = try start(bytes("device", "run"))
        #expect(try device.line() == "Ubiquity runs on \(path)")
        return device
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: documents + "/" + name))
    }
}

/// How a command ended.
struct Ended {
    let said: [UInt8]
    let complained: String
    let status: Int32

    var text: String { String(decoding: said, as: UTF8.self) }

    /// Exit status 1 and one line that says the word.
    func failed(saying word: String) -> Bool {
        status == 1 && complained.hasSuffix("\n") && complained.contains(word)
            && complained.split(separator: "\n").count == 1
    }

    func json() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(said)) as? [String: Any])
    }
}
