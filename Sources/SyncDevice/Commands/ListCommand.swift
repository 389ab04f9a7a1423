import DeviceSocket
import SyncWire

/// `ubiquity ls`: what is in a folder, and how each item stands.
struct ListCommand: Command {
    static let words = ["ls"]
    static let usage = "ubiquity ls [PATH] [--json]"

    /// Nil for the documents of the default container.
    let path: [UInt8]?
    let isJSON: Bool

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        let arguments = try CommandArguments(arguments, flags: ["--json"])
        path = try arguments.wordIfAny()
        isJSON = arguments.has("--json")
    }

    func run() throws(CommandFailure) -> Int32 {
        let home = try CommandHome()
        let inside = try path.map(home.inside) ?? CommandHome.container + Array("/Documents".utf8)
        let client = try home.connect()
        let rows = try asking(shown(path ?? home.absolute(inside))) {
            () throws(DeviceClientError) in try client.items(path: inside, .children)
        }
        .sorted { $0.path.lexicographicallyPrecedes($1.path) }
        if isJSON {
            try CommandOutput.say(.items(rows, in: home))
        } else {
            for row in rows { try show(row) }
        }
        return 0
    }

    private func show(_ row: ItemRow) throws(CommandFailure) {
        let name = row.path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
        let conflict = row.hasConflicts ? ", conflict" : ""
        try CommandOutput.say(
            "\(row.kind.word)\t\(row.size)\t\(ISOTime.text(row.modified))"
                + "\t\(row.state.text)\(conflict)\t",
            name: name)
    }
}
