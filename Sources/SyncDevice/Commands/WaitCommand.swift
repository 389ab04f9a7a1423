import DeviceSocket
import SyncWire

/// `ubiquity wait`: returns when everything is in place, here and at the server.
struct WaitCommand: Command {
    static let words = ["wait"]
    static let usage = "ubiquity wait [--timeout SECONDS] [--json]"
    static let summary =
        "Waits until all is in place here and at the server; else ends with 1 and what is missing."

    let milliseconds: UInt64
    let isJSON: Bool

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        let arguments = try CommandArguments(
            arguments, options: ["--timeout"], flags: ["--json"])
        try arguments.refuseWords(after: 0)
        isJSON = arguments.has("--json")
        let text = try arguments.text("--timeout") ?? "60"
        // No more than a thousand years, in which no number overflows.
        guard let seconds = Double(text), (0...3e10).contains(seconds) else {
            throw .usage("--timeout takes a number of seconds")
        }
        milliseconds = UInt64((seconds * 1000).rounded(.up))
    }

    func run() throws(CommandFailure) -> Int32 {
        let home = try CommandHome()
        let client = try home.connect()
        let report = try asking("wait") { () throws(DeviceClientError) in
            try client.wait(milliseconds: milliseconds)
        }
        if isJSON {
            try CommandOutput.say(.wait(report, in: home))
        } else if report.isInSync {
            try CommandOutput.say("in sync at \(report.number)")
        } else {
            for row in report.missing { try CommandOutput.say(row, in: home) }
        }
        guard !report.isInSync else { return 0 }
        throw .failed(
            "not in sync: \(report.missing.count) missing; `ubiquity status` says how it stands")
    }
}
