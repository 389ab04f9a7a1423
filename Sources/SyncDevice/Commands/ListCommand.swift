import DeviceSocket
import Glibc
import SyncCore
import SyncWire

/// `ubiquity ls`: what is in a folder, and how each item stands.
///
/// With `--returned` all below it that had been deleted and came back with a restored server, until
/// `ubiquity confirm` is said.
struct ListCommand: Command {
    static let words = ["ls"]
    static let usage = "ubiquity ls [PATH] [--returned] [--json]"
    static let summary =
        "What is in a folder, else in the documents; --returned: what a restored server brought "
        + "back."

    /// Nil for the documents of the default container.
    let path: [UInt8]?
    let isOfReturned: Bool
    let isJSON: Bool

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        let arguments = try CommandArguments(arguments, flags: ["--returned", "--json"])
        path = try arguments.wordIfAny()
        isOfReturned = arguments.has("--returned")
        isJSON = arguments.has("--json")
    }

    func run() throws(CommandFailure) -> Int32 {
        let home = try CommandHome()
        let inside = try path.map(home.inside) ?? CommandHome.documents
        let client = try home.connect()
        let status = try asking("ls") { () throws(DeviceClientError) in try client.status() }
        let rows = try asking(shown(path ?? home.absolute(inside))) {
            () throws(DeviceClientError) in
            try client.items(path: inside, isOfReturned ? .returned : .children)
        }
        .map { $0.withTimeOfFolder(in: home) }
        .sorted { $0.path.lexicographicallyPrecedes($1.path) }
        if isJSON {
            try CommandOutput.say(.items(rows, in: home))
        } else {
            for row in rows { try show(row, in: home) }
        }
        for row in status.stuck where row.code == "unavailable" && inside.isUnder(row.path) {
            CommandOutput.complain(
                "ubiquity: \(shown(home.absolute(row.path))) is unavailable: \(row.reason); "
                    + "this is what it held")
        }
        return 0
    }

    private func show(_ row: ItemRow, in home: CommandHome) throws(CommandFailure) {
        let last = row.path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
        let name = isOfReturned ? home.absolute(row.path) : last
        let conflict = row.hasConflicts ? ", conflict" : ""
        try CommandOutput.say(
            "\(row.kind.word)\t\(row.size)\t\(ISOTime.text(row.modified))"
                + "\t\(row.state.text)\(conflict)\t",
            name: name)
    }
}

extension ItemRow {
    /// A folder's time is not carried from device to device: it has that of its folder here.
    fileprivate func withTimeOfFolder(in home: CommandHome) -> ItemRow {
        guard kind == .folder else { return self }
        let path = home.absolute(path).map { CChar(bitPattern: $0) } + [0]
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return self }
        var row = self
        row.modified = FileTime(
            seconds: Int64(status.st_mtim.tv_sec), nanoseconds: UInt32(status.st_mtim.tv_nsec))
        return row
    }
}
