import DeviceSocket
import SyncCore
import SyncWire

/// `ubiquity events`: what happens on the device, a line each, until it is ended.
struct EventsCommand: Command {
    static let words = ["events"]
    static let usage = "ubiquity events [--json]"
    static let summary =
        "Tells of every item that changes, and how the device stands, as it happens."

    let isJSON: Bool

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        let arguments = try CommandArguments(arguments, flags: ["--json"])
        try arguments.refuseWords(after: 0)
        isJSON = arguments.has("--json")
    }

    func run() throws(CommandFailure) -> Int32 {
        let home = try CommandHome()
        let watch = CommandWatch(name: "events", client: try home.connect())
        throw try watch.run([
            (
                .watchItems(path: []),
                { @Sendable (update) throws(CommandFailure) in try take(update, home) }
            ),
            (.watchStatus, { @Sendable (update) throws(CommandFailure) in try take(update, home) }),
        ])
    }

    private func take(_ update: DeviceUpdate, _ home: CommandHome) throws(CommandFailure) {
        switch update {
        case .event(.items(let changed, let removed)):
            for item in removed { try tell("removed", "", home.absolute(item.path), home) }
            for row in changed {
                let conflict = row.hasConflicts ? ", conflict" : ""
                try tell("item", row.state.text + conflict, home.absolute(row.path), home)
            }
        case .event(.status(let status)), .reply(.status(let status)):
            try tell("status", text(status), nil, home)
            for row in status.stuck { try tell("stuck", row.reason, home.absolute(row.path), home) }
        case .part, .reply, .event, .end: break
        }
    }

    private func text(_ status: DeviceStatus) -> String {
        "\(status.state.text) at \(status.number), \(status.outbox) to send, "
            + "\(status.downloads) to fetch, \(status.conflicts) conflicts"
    }

    private func tell(
        _ event: String, _ text: String, _ path: [UInt8]?, _ home: CommandHome
    ) throws(CommandFailure) {
        let time = ISOTime.text(Clock.now().wall)
        if isJSON {
            try CommandOutput.say(
                .object(
                    [("time", .text(time)), ("event", .text(event)), ("text", .text(text))]
                        + (path.map { JSONValue.path($0) } ?? [])))
        } else {
            let words = [time, event, shown(Array(text.utf8))]
            try CommandOutput.say(words.joined(separator: "\t") + "\t", name: path ?? [])
        }
    }
}
