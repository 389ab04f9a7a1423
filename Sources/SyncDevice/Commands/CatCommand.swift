import DeviceSocket
import SyncCore
import SyncWire

/// `ubiquity cat`: a file's bytes, or those of one of its versions.
struct CatCommand: Command {
    static let words = ["cat"]
    static let usage = "ubiquity cat PATH [--version V]"
    static let summary = "A file's bytes, or those of one of its versions."

    let path: [UInt8]
    let version: VersionPrefix?

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        let arguments = try CommandArguments(arguments, options: ["--version"])
        path = try arguments.words("PATH")[0]
        version = try VersionPrefix(arguments, "--version")
    }

    func run() throws(CommandFailure) -> Int32 {
        let home = try CommandHome()
        let inside = try home.inside(path)
        let client = try home.connect()
        let version = try version?.version { () throws(CommandFailure) in
            try asking(shown(path)) { () throws(DeviceClientError) in
                try client.versions(path: inside).map(\.version)
            }
        }
        var failure: CommandFailure?
        try asking(shown(path)) { () throws(DeviceClientError) in
            try client.content(path: inside, version: version) { bytes in
                do throws(CommandFailure) {
                    try CommandOutput.write(bytes)
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
        }
        if let failure { throw failure }
        return 0
    }
}
