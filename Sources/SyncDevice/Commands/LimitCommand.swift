import DeviceSocket
import SyncWire

/// `ubiquity limit`: how many bytes a second may go to the server and come from it.
struct LimitCommand: Command {
    static let words = ["limit"]
    static let usage = "ubiquity limit [--up SIZE] [--down SIZE]"
    static let summary =
        "Sends and fetches no more than SIZE, as 500K, a second; off ends that. Notes never wait."

    let up: UInt64?
    let down: UInt64?

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        let arguments = try CommandArguments(arguments, options: ["--up", "--down"])
        up = try arguments.size("--up")
        down = try arguments.size("--down")
        try arguments.refuseWords(after: 0)
    }

    func run() throws(CommandFailure) -> Int32 {
        let client = try CommandHome().connect()
        if up != nil || down != nil {
            try asking("limit") { () throws(DeviceClientError) in
                try client.perform(.limit(up: up, down: down))
            }
            return 0
        }
        let status = try asking("limit") { () throws(DeviceClientError) in try client.status() }
        try CommandOutput.say("to the server: \(LimitCommand.text(status.limitUp))")
        try CommandOutput.say("from the server: \(LimitCommand.text(status.limitDown))")
        return 0
    }

    private static func text(_ limit: UInt64) -> String {
        limit == 0 ? "no limit" : "\(limit) bytes a second"
    }
}
