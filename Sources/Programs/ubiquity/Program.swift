import Glibc
import SyncServer

/// The program `ubiquity`: hands its arguments to whoever does the work.
enum Program {
    /// Gives the exit status.
    static func run(_ arguments: [String]) -> Int32 {
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case "server": return ServerCommand.run(rest)
        case "--help", "-h", "help":
            print(ServerCommand.usage)
            return 0
        default:
            unsafe fputs(ServerCommand.usage + "\n", stderr)
            return 2
        }
    }
}
