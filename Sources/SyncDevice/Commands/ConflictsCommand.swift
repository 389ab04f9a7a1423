import DeviceSocket
import SyncCore
import SyncWire

/// `ubiquity conflicts`: the items with versions that were made apart.
struct ConflictsCommand: Command {
    static let words = ["conflicts"]
    static let usage = "ubiquity conflicts [--json]"
    static let summary =
        "The files with versions that were made apart, and these versions."

    let isJSON: Bool

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        let arguments = try CommandArguments(arguments, flags: ["--json"])
        try arguments.refuseWords(after: 0)
        isJSON = arguments.has("--json")
    }

    func run() throws(CommandFailure) -> Int32 {
        let home = try CommandHome()
        let client = try home.connect()
        let rows = try asking("conflicts") { () throws(DeviceClientError) in
            try client.conflicts()
        }
        if isJSON {
            try CommandOutput.say(.conflicts(rows, in: home))
        } else {
            for row in rows { try show(row, home) }
        }
        for row in rows { client.noteTold(row.path, row.heads.map(\.version)) }
        return 0
    }

    private func show(_ row: ConflictRow, _ home: CommandHome) throws(CommandFailure) {
        try CommandOutput.say("", name: home.absolute(row.path))
        for head in row.heads {
            try CommandOutput.say("\t\(head.line)\(head.isCurrent ? "\tshown" : "")")
        }
    }
}

extension VersionRow {
    /// Its facts in a line of columns.
    var line: String {
        let device = shown(Array((shownDevice ?? "-").utf8))
        return "\(version.text)\t\(shownTime ?? "-")\t\(size)\t\(device)"
    }
}
