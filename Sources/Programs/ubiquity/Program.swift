import SyncServer

/// The program `ubiquity`: hands its arguments to whoever does the work.
enum Program {
    /// Gives the exit status.
    static func run(_ arguments: [String]) -> Int32 {
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case "server": return ServerCommand.run(rest)
        case "help", "--help", "-h": return ServerCommand.run(["help"])
        default: return ServerCommand.run([])
        }
    }
}
