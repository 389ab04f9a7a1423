import DeviceSocket
import SyncCore
import SyncWire

/// `ubiquity resolve`: settles a conflict by a person's choice.
struct ResolveCommand: Command {
    static let words = ["resolve"]
    static let usage = "ubiquity resolve PATH --keep V [--both]"
    static let summary =
        "Ends a conflict: V stays, the others become old versions; with --both, files beside it."

    let path: [UInt8]
    let keep: VersionPrefix
    let both: Bool

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        let arguments = try CommandArguments(
            arguments, options: ["--keep"], flags: ["--both"])
        path = try arguments.words("PATH")[0]
        guard let keep = try VersionPrefix(arguments, "--keep") else {
            throw .usage("--keep is missing")
        }
        self.keep = keep
        both = arguments.has("--both")
    }

    func run() throws(CommandFailure) -> Int32 {
        let home = try CommandHome()
        let inside = try home.inside(path)
        let client = try home.connect()
        let version = try keep.version { () throws(CommandFailure) in
            let rows = try asking(shown(path)) { () throws(DeviceClientError) in
                try client.conflicts()
            }
            guard let row = rows.first(where: { $0.path == inside }) else {
                throw .failed("\(shown(path)) has no conflict; `ubiquity conflicts` lists them")
            }
            return row.heads.map(\.version)
        }
        try asking(shown(path)) { () throws(DeviceClientError) in
            try client.performLong(.resolve(path: inside, keep: version, both: both, among: []))
        }
        return 0
    }
}
