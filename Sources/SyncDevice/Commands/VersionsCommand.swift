import DeviceSocket
import SyncWire

/// `ubiquity versions`: the versions of a file that can be had, the newest first.
struct VersionsCommand: Command {
    static let words = ["versions"]
    static let usage = "ubiquity versions PATH [--json]"
    static let summary = "The versions of a file, the newest first."

    let path: [UInt8]
    let isJSON: Bool

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        let arguments = try CommandArguments(arguments, flags: ["--json"])
        path = try arguments.words("PATH")[0]
        isJSON = arguments.has("--json")
    }

    func run() throws(CommandFailure) -> Int32 {
        let home = try CommandHome()
        let inside = try home.inside(path)
        let client = try home.connect()
        let rows = try asking(shown(path)) { () throws(DeviceClientError) in
            try client.versions(path: inside)
        }
        if isJSON {
            try CommandOutput.say(.versions(rows, of: inside, in: home))
        } else {
            for row in rows { try CommandOutput.say("\(row.line)\(row.marks)") }
        }
        client.noteTold(inside, rows.map(\.version))
        return 0
    }
}

extension VersionRow {
    fileprivate var marks: String {
        var marks = ""
        if isCurrent { marks += "\tcurrent" }
        if isConflict { marks += "\tconflict" }
        if isDeletion { marks += "\tdeleted" }
        if isExpired { marks += "\texpired" }
        return marks
    }
}
