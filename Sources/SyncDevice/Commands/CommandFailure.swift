/// Why a command ends without having done its work.
enum CommandFailure: Error, Equatable {
    /// Exit status 1, with one line that says what, why, and what to do.
    case failed(String)
    /// Exit status 2: the command cannot be understood.
    case usage(String)
}
