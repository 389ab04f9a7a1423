import DeviceSocket
import SyncWire

/// `ubiquity why`: why a file is as it is.
struct WhyCommand: Command {
    static let words = ["why"]
    static let usage = "ubiquity why PATH [--json]"
    static let summary = "Why a file is as it is, and what it waits for."

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
        let explanation = try asking(shown(path)) { () throws(DeviceClientError) in
            try client.why(path: inside)
        }
        if isJSON {
            try CommandOutput.say(.explanation(explanation, in: home))
            return 0
        }
        for sentence in explanation.sentences {
            try CommandOutput.say(shown(Array(sentence.utf8)))
        }
        if let next = explanation.next {
            try CommandOutput.say("It is tried again at \(ISOTime.text(next)).")
        }
        return 0
    }
}
