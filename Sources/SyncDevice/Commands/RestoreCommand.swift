import DeviceSocket
import SyncCore
import SyncWire

/// `ubiquity restore`: makes an old version of a file current again.
struct RestoreCommand: Command {
    static let words = ["restore"]
    static let usage = "ubiquity restore PATH --version V"
    static let summary = "Makes an old version of a file current again."

    let path: [UInt8]
    let version: VersionPrefix

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        let arguments = try CommandArguments(arguments, options: ["--version"])
        path = try arguments.words("PATH")[0]
        guard let version = try VersionPrefix(arguments, "--version") else {
            throw .usage("--version is missing; `ubiquity versions PATH` lists them")
        }
        self.version = version
    }

    func run() throws(CommandFailure) -> Int32 {
        let home = try CommandHome()
        let inside = try home.inside(path)
        let client = try home.connect()
        let version = try version.version { () throws(CommandFailure) in
            try asking(shown(path)) { () throws(DeviceClientError) in
                try client.versions(path: inside).map(\.version)
            }
        }
        try asking(shown(path)) { () throws(DeviceClientError) in
            try client.performLong(.restoreVersion(path: inside, version))
        }
        return 0
    }
}
