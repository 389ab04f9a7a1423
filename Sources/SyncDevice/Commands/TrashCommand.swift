import DeviceSocket
import SyncCore
import SyncWire

/// `ubiquity trash`: what was deleted and can be brought back.
struct TrashCommand: Command {
    static let words = ["trash"]
    static let usage = "ubiquity trash [--json]"
    static let summary = "What was deleted in the last 30 days."

    let isJSON: Bool

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        let arguments = try CommandArguments(arguments, flags: ["--json"])
        try arguments.refuseWords(after: 0)
        isJSON = arguments.has("--json")
    }

    func run() throws(CommandFailure) -> Int32 {
        let home = try CommandHome()
        let client = try home.connect()
        let rows = try asking("trash") { () throws(DeviceClientError) in try client.trash() }
        if isJSON {
            try CommandOutput.say(.trash(rows, in: home))
            return 0
        }
        for row in rows {
            let device = shown(Array(row.deviceName.utf8))
            let mark = row.isUnplaced ? "\tno place" : ""
            try CommandOutput.say(
                "\(row.item.text)\t\(ISOTime.text(row.deleted))\t\(device)\(mark)\t",
                name: home.absolute(row.path))
        }
        return 0
    }
}

/// `ubiquity trash restore`: brings an item back to where it was.
struct RestoreItemCommand: Command {
    static let words = ["trash", "restore"]
    static let usage = "ubiquity trash restore ITEM"
    static let summary =
        "Brings an item of the trash back; ITEM is its id, the id's beginning, or its path."

    let item: [UInt8]

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        item = try CommandArguments(arguments).words("ITEM")[0]
    }

    func run() throws(CommandFailure) -> Int32 {
        let home = try CommandHome()
        let client = try home.connect()
        let rows = try asking("trash") { () throws(DeviceClientError) in try client.trash() }
        let row = try row(among: rows, in: home)
        try asking(shown(home.absolute(row.path))) { () throws(DeviceClientError) in
            try client.performLong(.restoreItem(row.item))
        }
        return 0
    }

    /// An id, its beginning, or the path that it was at.
    private func row(
        among rows: [TrashRow], in home: CommandHome
    ) throws(CommandFailure) -> TrashRow {
        let matches = rows.filter { row in
            row.item.text.utf8.starts(with: item) || home.absolute(row.path) == item
                || home.home.pathInContainers(item) == row.path
        }
        guard let row = matches.first else {
            throw .failed("\(shown(item)) is not in the trash; `ubiquity trash` lists what is")
        }
        guard matches.count == 1 else {
            throw .failed("\(matches.count) items match \(shown(item)); give more of the id")
        }
        return row
    }
}
