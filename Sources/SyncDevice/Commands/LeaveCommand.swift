import SyncStore

/// `ubiquity leave`: this is no device of its account any more; its files stay.
struct LeaveCommand: Command {
    static let words = ["leave"]
    static let usage = "ubiquity leave"
    static let summary = "Ends that: the files stay, and nothing is synced any more."

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        try CommandArguments(arguments).refuseWords(after: 0)
    }

    func run() throws(CommandFailure) -> Int32 {
        let home = try CommandHome()
        let homeIdentity = try HomeIdentity(writing: home)
        guard var identity = try homeIdentity.current(), let token = identity.token else {
            throw .failed("\(home.name) belongs to no account; there is nothing to leave")
        }
        // First the server: if this process ends in between, the command can be given again.
        let outcome = AccountRequest(server: identity.server).leave(token: token)
        identity.token = nil
        _ = try homeIdentity.change(to: identity)
        let left = "\(home.name) has left \(identity.accountName); its files stay"
        switch outcome {
        case .left: try CommandOutput.say(left)
        case .untold(let reason):
            try CommandOutput.say(
                "\(left); \(identity.server) could not be told (\(reason)):"
                    + " the device '\(identity.deviceName)' stays listed there")
        }
        return 0
    }
}
