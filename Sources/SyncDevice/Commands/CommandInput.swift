import Glibc

/// What a command is told through standard input.
enum CommandInput {
    /// A password: from the environment, or typed without echo, or a line of standard input.
    static func password(for account: String) throws(CommandFailure) -> String {
        let bytes = try passwordBytes(for: account)
        guard !bytes.isEmpty else {
            throw .failed("the password is empty; type it, or set UBIQUITY_PASSWORD")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .failed("the password is no UTF-8 text; use a terminal that is set to UTF-8")
        }
        return text
    }

    private static func passwordBytes(for account: String) throws(CommandFailure) -> [UInt8] {
        if let value = unsafe getenv("UBIQUITY_PASSWORD") {
            return unsafe UnsafeBufferPointer(start: value, count: strlen(value)).map {
                UInt8(bitPattern: $0)
            }
        }
        guard isatty(STDIN_FILENO) == 1 else { return try line() }
        var before = termios()
        unsafe tcgetattr(STDIN_FILENO, &before)
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            CommandOutput.prompt("\n")
        }
        CommandOutput.prompt("Password for \(shown(Array(account.utf8))): ")
        return try line()
    }

    /// One line, without its end; byte by byte, so that what follows is left for others.
    private static func line() throws(CommandFailure) -> [UInt8] {
        var line: [UInt8] = []
        while line.count < 4096, let byte = try read(1).first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        return line
    }

    /// Everything up to the end, if it is not more than the limit.
    static func all(limit: Int) throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let more = try read(65_536)
            guard !more.isEmpty else { return bytes }
            bytes += more
            guard bytes.count <= limit else {
                throw .failed("the input is over \(limit) bytes; a value can have no more")
            }
        }
    }

    private static func read(_ count: Int) throws(CommandFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        while true {
            let got = unsafe bytes.withUnsafeMutableBytes {
                unsafe Glibc.read(STDIN_FILENO, $0.baseAddress, count)
            }
            if got >= 0 { return Array(bytes[..<got]) }
            guard errno == EINTR else {
                let reason = unsafe String(cString: strerror(errno))
                throw .failed(
                    "cannot read standard input: \(reason); give the value as an argument")
            }
        }
    }
}
