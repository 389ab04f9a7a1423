/// The commands of `ubiquity server`.
package enum ServerCommand {
    /// Runs a command, whose arguments are those after `server`, and gives the exit status.
    package static func run(_ arguments: [String]) -> Int32 {
        do throws(CommandFailure) {
            try dispatch(arguments)
            return 0
        } catch {
            switch error {
            case .failed(let line):
                Terminal.complain("ubiquity: \(line)")
                return 1
            case .usage(let line):
                Terminal.complain("ubiquity: \(line)\n\(usage)")
                return 2
            }
        }
    }

    private static func dispatch(_ arguments: [String]) throws(CommandFailure) {
        let rest = Array(arguments.dropFirst())
        guard !rest.contains("--help") else { return Terminal.say(usage) }
        switch arguments.first {
        case "run": try RunCommand(rest).run()
        case "backup": try BackupCommand(.backup, rest).run()
        case "restore": try BackupCommand(.restore, rest).run()
        case "account": try AccountCommand(rest).run()
        case "help", "--help", "-h": Terminal.say(usage)
        case let word?: throw .usage("there is no server command '\(word)'")
        case nil: throw .usage("a server command is missing")
        }
    }

    package static let usage = """
        usage: ubiquity server run --data DIR [--listen 127.0.0.1:8420]
                                   [--tls-cert FILE --tls-key FILE] [--retention DAYS]
               ubiquity server account add NAME --data DIR
               ubiquity server account list --data DIR
               ubiquity server account remove NAME --data DIR
               ubiquity server backup FILE --data DIR [--replace]
               ubiquity server restore FILE --data DIR
        The password of a new account is asked for, or taken from UBIQUITY_PASSWORD.
        """
}
