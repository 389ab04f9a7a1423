import Glibc
import SyncStore

/// `ubiquity join`: makes this a device of an account.
struct JoinCommand: Command {
    static let words = ["join"]
    static let usage = "ubiquity join URL --account NAME [--device NAME]"
    static let summary = "Makes this machine's home a device of an account."

    let server: ServerAddress
    let account: String
    let device: String

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        let arguments = try CommandArguments(arguments, options: ["--account", "--device"])
        let url = try arguments.words("URL")[0]
        server = try ServerAddress(String(decoding: url, as: UTF8.self))
        guard let account = try arguments.text("--account") else {
            throw .usage("--account is missing")
        }
        self.account = account
        device = try arguments.text("--device") ?? JoinCommand.hostName
    }

    func run() throws(CommandFailure) -> Int32 {
        let home = try CommandHome()
        let homeIdentity = try HomeIdentity(writing: home)
        if HomeFolders.areApart(in: home.home) { throw .failed(HomeFolders.apart(home.home)) }
        let password = try CommandInput.password(for: account)
        let identity = try AccountRequest(server: server.text).join(
            account: account, password: password, device: device)
        let isRunning = try homeIdentity.change(to: identity)
        let next = isRunning ? "" : "; start it with `ubiquity device run`"
        try CommandOutput.say(
            "\(home.name) is now the device '\(identity.deviceName)' of \(identity.accountName)"
                + " at \(server.text)\(next)")
        return 0
    }

    private static var hostName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return "device" }
        let name = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return name.isEmpty ? "device" : String(decoding: name, as: UTF8.self)
    }
}
