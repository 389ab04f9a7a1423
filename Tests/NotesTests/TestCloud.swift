import Foundation
import Testing

/// A server with an account in a temporary folder, and its devices, each with a running daemon.
final class TestCloud {
    let folder: URL
    private let url: String
    private let server: RunningProgram
    private var daemons: [RunningProgram] = []

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("notes-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let data = folder.appendingPathComponent("data").path
        let add = try RunningProgram(
            "ubiquity", words(["server", "account", "add", "anna", "--data", data]),
            environment: ["UBIQUITY_PASSWORD": "secret"])
        try #require(add.status == 0)
        server = try RunningProgram(
            "ubiquity",
            words(["server", "run", "--data", data, "--listen", "127.0.0.1:0"]), environment: [:])
        url = String(try #require(try server.line().split(separator: " ").last))
    }

    deinit {
        for program in daemons + [server] {
            program.signal(SIGTERM)
            _ = program.status
        }
        try? FileManager.default.removeItem(at: folder)
    }

    /// A device that has joined and is ready.
    func device(_ name: String) throws -> TestHome {
        let home = TestHome(folder: folder.appendingPathComponent(name, isDirectory: true))
        try #require(
            try home.ubiquity("join", url, "--account", "anna", "--device", name).status == 0)
        let daemon = try home.start("ubiquity", words(["device", "run"]))
        _ = try daemon.line()
        daemons.append(daemon)
        // A device is ready when it answers.
        try #require(try home.ubiquity("status").status == 0)
        return home
    }

    /// A home without a daemon.
    func home(_ name: String) -> TestHome {
        TestHome(folder: folder.appendingPathComponent(name, isDirectory: true))
    }
}

/// A device's home, and what is run on it.
struct TestHome {
    let folder: URL

    var container: URL { folder.appendingPathComponent("Containers/iCloud.org.ubiquity.notes") }
    var documents: URL { container.appendingPathComponent("Documents", isDirectory: true) }

    func start(
        _ program: String, _ words: [[UInt8]], input: String = "",
        environment: [String: String] = [:]
    ) throws -> RunningProgram {
        let own = ["UBIQUITY_HOME": folder.path, "UBIQUITY_PASSWORD": "secret", "PATH": "/bin"]
        return try RunningProgram(
            program, words, environment: own.merging(environment) { $1 },
            input: Array(input.utf8))
    }

    func notes(
        _ arguments: String..., input: String = "", environment: [String: String] = [:]
    ) throws -> Ended {
        try end(start("notes", words(arguments), input: input, environment: environment))
    }

    func notes(bytes arguments: [[UInt8]]) throws -> Ended { try end(start("notes", arguments)) }

    func ubiquity(_ arguments: String...) throws -> Ended {
        try end(start("ubiquity", words(arguments)))
    }

    private func end(_ program: RunningProgram) throws -> Ended {
        let said = program.said
        return Ended(said: said, complained: program.complained, status: program.status)
    }

    /// The notes that `notes list` gives.
    func list(_ options: String...) throws -> [[String: Any]] {
        let list = try end(start("notes", words(["list", "--json"] + options)))
        return try #require(try list.json()["notes"] as? [[String: Any]])
    }

    func content(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: documents.appendingPathComponent(path)))
    }

    /// Everything below `Documents`, folders too.
    var paths: Set<String> {
        Set(FileManager.default.subpaths(atPath: documents.path) ?? [])
    }
}

/// How a command ended.
struct Ended {
    let said: [UInt8]
    let complained: String
    let status: Int32

    var text: String { String(decoding: said, as: UTF8.self) }

    /// Exit status 1 and one line that says the words.
    func failed(saying words: String) -> Bool {
        status == 1 && complained.contains(words)
            && complained.split(separator: "\n", omittingEmptySubsequences: false).count == 2
    }

    func json() throws -> [String: Any] {
        try #require(status == 0, "\(complained)")
        return try #require(try JSONSerialization.jsonObject(with: Data(said)) as? [String: Any])
    }
}

func words(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

/// The vault of another notes app that the tests import.
let vault = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Cases/obsidian-vault", isDirectory: true)
