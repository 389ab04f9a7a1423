import Foundation
import Testing

/// The program `ubiquity` as another process.
final class TestProgram: Sendable {
    private let process = Process()
    private let output = Pipe()
    private let errors = Pipe()

    init(_ arguments: [String], password: String? = nil) throws {
        process.executableURL = TestProgram.executable
        process.arguments = arguments
        process.environment = password.map { ["UBIQUITY_PASSWORD": $0] } ?? [:]
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        if process.isRunning { kill() }
    }

    /// The programs lie beside the test bundle that is running.
    private static var executable: URL {
        let bundle = try! FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: bundle).deletingLastPathComponent()
            .appendingPathComponent("ubiquity")
    }

    /// Waits for the end.
    var status: Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    var wasKilled: Bool {
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal
    }

    /// What it said, to the end.
    var said: String {
        String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    var complained: String {
        String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    /// Waits for the line that says where a server listens, and gives its URL.
    func url() throws -> String {
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n") {
            line += try #require(try output.fileHandleForReading.read(upToCount: 1))
        }
        let text = String(decoding: line.dropLast(), as: UTF8.self)
        return String(try #require(text.split(separator: " ").last))
    }

    func terminate() { process.terminate() }

    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }
}
