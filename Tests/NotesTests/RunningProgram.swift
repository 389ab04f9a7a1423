import Foundation
import Testing

/// One of the programs as another process, whose arguments may be any bytes.
final class RunningProgram {
    private let process: pid_t
    private let output: FileHandle
    private let errors: FileHandle
    private var ended: Int32?
    private static let starting = NSLock()

    init(
        _ name: String, _ arguments: [[UInt8]], environment: [String: String], input: [UInt8] = []
    ) throws {
        // No other program that starts meanwhile must hold an end of these pipes.
        RunningProgram.starting.lock()
        defer { RunningProgram.starting.unlock() }
        let pipes = (Pipe(), Pipe(), Pipe())
        for pipe in [pipes.0, pipes.1, pipes.2] {
            for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
                _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
            }
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let ends = [
            pipes.0.fileHandleForReading, pipes.1.fileHandleForWriting,
            pipes.2.fileHandleForWriting,
        ]
        for (number, end) in ends.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, end.fileDescriptor, Int32(number))
        }
        let program = RunningProgram.place(of: name)
        var words = ([Array(program.utf8)] + arguments).map { duplicate($0) } + [nil]
        var variables = environment.map { duplicate(Array("\($0)=\($1)".utf8)) } + [nil]
        defer { for text in words + variables { free(text) } }
        var process = pid_t()
        try #require(posix_spawn(&process, program, &actions, nil, &words, &variables) == 0)
        self.process = process
        output = pipes.1.fileHandleForReading
        errors = pipes.2.fileHandleForReading
        for end in ends { try end.close() }
        try pipes.0.fileHandleForWriting.write(contentsOf: input)
        try pipes.0.fileHandleForWriting.close()
    }

    deinit {
        if ended == nil {
            signal(SIGKILL)
            _ = status
        }
    }

    /// The programs lie beside the test bundle that is running.
    private static func place(of name: String) -> String {
        let bundle = try! FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: bundle).deletingLastPathComponent()
            .appendingPathComponent(name).path
    }

    /// Waits for the end; minus the signal if one ended it.
    var status: Int32 {
        if let ended { return ended }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
        ended = code
        return code
    }

    /// What it says to the end.
    var said: [UInt8] { [UInt8](output.readDataToEndOfFile()) }
    var complained: String { String(decoding: errors.readDataToEndOfFile(), as: UTF8.self) }

    /// Waits for its next line.
    func line() throws -> String {
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n") {
            line += try #require(try output.read(upToCount: 1))
        }
        return String(decoding: line.dropLast(), as: UTF8.self)
    }

    func signal(_ number: Int32) { Foundation.kill(process, number) }
}

private func duplicate(_ text: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    strdup(text.map { CChar(bitPattern: $0) } + [0])
}
