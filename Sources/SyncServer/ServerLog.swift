/// What whoever hosts the server should know: lines on standard error.
enum ServerLog {
    static func write(_ line: String) { Terminal.complain("ubiquity: \(line)") }
}
