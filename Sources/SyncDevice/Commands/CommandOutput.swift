import Glibc

/// The streams of a command, written at once, so that a reader behind a pipe sees each line.
enum CommandOutput {
    /// Writes to standard output exactly these bytes.
    static func write(_ bytes: [UInt8]) throws(CommandFailure) {
        guard writeAll(bytes, to: STDOUT_FILENO) else {
            let reason = unsafe String(cString: strerror(errno))
            throw .failed("cannot write the output: \(reason); free the disk or write elsewhere")
        }
    }

    static func say(_ line: String) throws(CommandFailure) {
        try write(Array((line + "\n").utf8))
    }

    /// A line with a name in it: a name goes out byte for byte, but a terminal gets no control
    /// characters, which could be commands to it.
    static func say(_ line: String, name: [UInt8], _ rest: String = "") throws(CommandFailure) {
        let isForPeople = isatty(STDOUT_FILENO) == 1
        let name = isForPeople ? Array(shown(name).utf8) : name
        try write(Array(line.utf8) + name + Array((rest + "\n").utf8))
    }

    static func say(_ value: JSONValue) throws(CommandFailure) {
        try write(value.bytes + [UInt8(ascii: "\n")])
    }

    /// One line on standard error, whatever the text holds.
    static func complain(_ line: String) {
        prompt(shown(Array(line.utf8)) + "\n")
    }

    /// Text on standard error; if nobody reads that any more, there is nobody left to tell.
    static func prompt(_ text: String) {
        _ = writeAll(Array(text.utf8), to: STDERR_FILENO)
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let count = unsafe bytes[offset...].withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            offset += count
        }
        return true
    }
}
