import Foundation
import Synchronization

/// A program as a process of its own, with a device's home: lines in, lines out.
final class Program: Sendable {
    private let process: Unchecked
    private let input: FileHandle
    private let lines: AsyncStream<String>
    private let seen = Mutex<[String]>([])

    /// Used from one test at a time.
    private struct Unchecked: @unchecked Sendable {
        let process: Process
    }

    /// Foundation's own settings of the program lie in the folder too.
    init(_ name: String, _ arguments: [String] = [], home: URL) throws {
        let process = Process()
        process.executableURL = productsFolder.appendingPathComponent(name)
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment["UBIQUITY_HOME"] = home.path
        environment["XDG_CONFIG_HOME"] = home.appendingPathComponent("config").path
        environment["UBIQUITY_ENTITLEMENTS"] = nil
        environment["UBIQUITY_PASSWORD"] = "a password of the tests"
        process.environment = environment
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        self.process = Unchecked(process: process)
        self.input = input.fileHandleForWriting
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        let reading = output.fileHandleForReading
        Thread.detachNewThread {
            var rest = Data()
            while true {
                let chunk = reading.availableData
                if chunk.isEmpty { break }
                rest += chunk
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    continuation.yield(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                    rest = Data(rest[(end + 1)...])
                }
            }
            continuation.finish()
        }
    }

    deinit {
        if process.process.isRunning { kill(process.process.processIdentifier, SIGKILL) }
    }

    func type(_ line: String) throws {
        try input.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Waits for a line; false if the program ends before.
    func says(_ expected: String) async -> Bool {
        await line { $0 == expected } != nil
    }

    /// Types a command again and again until it is answered so.
    func repeats(_ command: String, until expected: String) async throws {
        while true {
            try type(command)
            let answer = await line { $0.hasPrefix(command) }
            if answer == expected { return }
            guard answer != nil else { throw CancellationError() }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Waits for such a line; nil if the program ends before.
    func line(_ isExpected: (String) -> Bool) async -> String? {
        var iterator = lines.makeAsyncIterator()
        while let line = await iterator.next() {
            seen.withLock { $0.append(line) }
            if isExpected(line) { return line }
        }
        return nil
    }

    /// Waits for the program's end; gives its status.
    func ended() async -> Int32 {
        _ = await line { _ in false }
        process.process.waitUntilExit()
        return process.process.terminationStatus
    }

    func terminate() { process.process.terminate() }

    func send(_ number: Int32) { kill(process.process.processIdentifier, number) }

    func killAtOnce() { kill(process.process.processIdentifier, SIGKILL) }

    /// The lines that were waited through.
    var transcript: String { seen.withLock { $0.joined(separator: "\n") } }

    /// Ends the program by its own command.
    func quit() throws {
        try type("quit")
        process.process.waitUntilExit()
    }
}

/// Where the tests' own program lies, and the products beside it.
let productsFolder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()
