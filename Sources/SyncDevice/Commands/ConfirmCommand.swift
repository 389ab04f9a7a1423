import DeviceSocket
import SyncWire

/// `ubiquity confirm`: says that many deletions, or an empty container, are meant.
struct ConfirmCommand: Command {
    static let words = ["confirm"]
    static let usage = "ubiquity confirm [--undo]"
    static let summary =
        "Many deletions, or an emptied folder, are meant; --undo puts deleted files back."

    /// They are not: what is missing is put back.
    let isUndo: Bool

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        let arguments = try CommandArguments(arguments, flags: ["--undo"])
        try arguments.refuseWords(after: 0)
        isUndo = arguments.has("--undo")
    }

    func run() throws(CommandFailure) -> Int32 {
        let client = try CommandHome().connect()
        try asking("confirm") { () throws(DeviceClientError) in
            try client.perform(.confirm(isMeant: !isUndo))
        }
        return 0
    }
}
