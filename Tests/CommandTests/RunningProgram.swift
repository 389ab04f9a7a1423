import Foundation
import Testing

/// The program `ubiquity` as another process, whose arguments may be any bytes.
final class RunningProgram {
    private let process: pid_t
    private let output: FileHandle
    private let errors: FileHandle
    private var ended: Int32?

    init(_ arguments: [[UInt8]], environment: [String: String], input: [UInt8] = []) throws {
        let pipes = try [makePipe(), makePipe(), makePipe()]
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let ends = [pipes[0].reading, pipes[1].writing, pipes[2].writing]
        for (number, end) in ends.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, end.fileDescriptor, Int32(number))
        }
        let program = Array(RunningProgram.executable.utf8)
        var words = ([program] + arguments).map { duplicate($0) } + [nil]
        var variables = environment.map { duplicate(Array("\($0)=\($1)".utf8)) } + [nil]
        defer { for text in words + variables { free(text) } }
        var process = pid_t()
        let failure = posix_spawn(
            &process, RunningProgram.executable, &actions, nil, &words, &variables)
        try #require(failure == 0)
        self.process = process
        output = pipes[1].reading
        errors = pipes[2].reading
        for end in ends { try end.close() }
        try pipes[0].writing.write(contentsOf: input)
        try pipes[0].writing.close()
    }

    deinit {
        if ended == nil {
            Foundation.kill(process, SIGKILL)
            _ = status
        }
    }

    /// The programs lie beside the test bundle that is running.
    private static var executable: String {
        let bundle = try! FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: bundle).deletingLastPathComponent()
            .appendingPathComponent("ubiquity").path
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

    /// Whether it says something within the time.
    func saysSomething(milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

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

/// A pipe whose ends no other process gets: whoever held one would keep the reader waiting.
private func makePipe() throws -> (reading: FileHandle, writing: FileHandle) {
    var ends: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
    return (
        FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
        FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    )
}
