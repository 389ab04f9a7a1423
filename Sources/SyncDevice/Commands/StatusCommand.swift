import DeviceSocket
import SyncWire

/// `ubiquity status`: how the device stands with its account.
struct StatusCommand: Command {
    static let words = ["status"]
    static let usage = "ubiquity status [--json]"
    static let summary =
        "How the device stands; ends with 3 if there are conflicts or stuck files."

    let isJSON: Bool

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        let arguments = try CommandArguments(arguments, flags: ["--json"])
        try arguments.refuseWords(after: 0)
        isJSON = arguments.has("--json")
    }

    func run() throws(CommandFailure) -> Int32 {
        let home = try CommandHome()
        let client = try home.connect()
        let status = try asking("status") { () throws(DeviceClientError) in try client.status() }
        if isJSON {
            try CommandOutput.say(.status(status, in: home))
        } else {
            try show(status, in: home)
        }
        return status.conflicts > 0 || !status.stuck.isEmpty ? 3 : 0
    }

    private func show(_ status: DeviceStatus, in home: CommandHome) throws(CommandFailure) {
        try CommandOutput.say(
            status.state == .inSync ? "in sync at \(status.number)" : status.state.text)
        if let account = status.account {
            try CommandOutput.say(
                "\(account.deviceName) of \(account.name) at \(account.server)")
        } else {
            try CommandOutput.say("no account; join one with `ubiquity join URL --account NAME`")
        }
        if status.outbox > 0 { try CommandOutput.say("to send: \(status.outbox)") }
        if status.downloads > 0 { try CommandOutput.say("to fetch: \(status.downloads)") }
        if status.conflicts > 0 {
            try CommandOutput.say("conflicts: \(status.conflicts); see `ubiquity conflicts`")
        }
        if status.evicted > 0 {
            try CommandOutput.say(
                "not on this disk: \(status.evicted); `ubiquity download PATH` fetches them")
        }
        if status.keptFree > 0 { try CommandOutput.say("kept free: \(status.keptFree) bytes") }
        for (way, limit) in [("to", status.limitUp), ("from", status.limitDown)] where limit > 0 {
            try CommandOutput.say("limit \(way) the server: \(limit) bytes a second")
        }
        if status.returned > 0 {
            try CommandOutput.say(
                "deleted once, and back with the restored server: \(status.returned); see "
                    + "`ubiquity ls --returned`")
        }
        if status.setAside > 0 {
            try CommandOutput.say(
                "", name: home.setAside, ": set aside: \(status.setAside); they have no place")
        }
        for row in status.stuck { try CommandOutput.say(row, in: home) }
    }
}

extension CommandOutput {
    /// An item that does not get on.
    static func say(_ row: StuckRow, in home: CommandHome) throws(CommandFailure) {
        let next = row.next.map { "; tried again at \(ISOTime.text($0))" } ?? ""
        try say("", name: home.absolute(row.path), ": \(shown(Array(row.reason.utf8)))\(next)")
    }
}
