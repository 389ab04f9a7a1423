import Glibc

/// The streams of a command: written at once, so that a reader behind a pipe sees each line.
enum Terminal {
    static func say(_ line: String) { write(line, to: STDOUT_FILENO) }

    static func complain(_ line: String) { write(line, to: STDERR_FILENO) }

    private static func write(_ line: String, to descriptor: Int32) {
        let bytes = Array((line + "\n").utf8)
        var offset = 0
        while offset < bytes.count {
            let count = unsafe bytes[offset...].withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0 && errno == EINTR { continue }
            // A closed stream: there is nobody left to tell.
            guard count > 0 else { return }
            offset += count
        }
    }

    /// A password: from the environment, or typed without echo, or a line of standard input.
    static func password(for name: String) throws(CommandFailure) -> [UInt8] {
        if let value = unsafe getenv("UBIQUITY_PASSWORD") {
            return try usable(unsafe Array(String(cString: value).utf8))
        }
        guard isatty(STDIN_FILENO) == 1 else { return try usable(readLineOfInput()) }
        let typed = try askWithoutEcho("Password for \(name): ")
        guard try askWithoutEcho("Once more: ") == typed else {
            throw .failed("the two passwords differ; nothing was changed; try again")
        }
        return typed
    }

    private static func usable(_ password: [UInt8]) throws(CommandFailure) -> [UInt8] {
        guard !password.isEmpty else {
            throw .failed("the password is empty; type one, or set UBIQUITY_PASSWORD")
        }
        return password
    }

    private static func askWithoutEcho(_ prompt: String) throws(CommandFailure) -> [UInt8] {
        var before = termios()
        unsafe tcgetattr(STDIN_FILENO, &before)
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &silent)
        defer {
            unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &before)
            complain("")
        }
        let bytes = Array(prompt.utf8)
        unsafe bytes.withUnsafeBytes {
            _ = unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count)
        }
        return try usable(readLineOfInput())
    }

    private static func readLineOfInput() -> [UInt8] {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count < 4096 {
            let count = unsafe read(STDIN_FILENO, &byte, 1)
            if count < 0 && errno == EINTR { continue }
            guard count == 1, byte != UInt8(ascii: "\n") else { break }
            line.append(byte)
        }
        return line
    }
}
