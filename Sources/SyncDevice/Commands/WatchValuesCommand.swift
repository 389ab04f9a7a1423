import DeviceSocket
import SyncWire

/// `ubiquity kv watch`: a line for each value that changes elsewhere, until the device ends.
struct WatchValuesCommand: Command {
    static let words = ["kv", "watch"]
    static let usage = "ubiquity kv watch [KEY] [--store ID] [--json]"
    static let summary = "Tells of every change of a key, or of all, until it is ended."

    let arguments: KeyValueArguments
    /// Nil for all keys.
    let key: [UInt8]?

    init(_ arguments: [[UInt8]]) throws(CommandFailure) {
        self.arguments = try KeyValueArguments(arguments, flags: ["--json"], most: 1)
        key = try self.arguments.keyIfAny()
    }

    func run() throws(CommandFailure) -> Int32 {
        let client = try CommandHome().connect()
        let call = DeviceCall.watchValues(store: arguments.store)
        throw try CommandWatch(name: "kv watch", client: client).run([
            (call, { @Sendable (update) throws(CommandFailure) in try take(update, client) })
        ])
    }

    private func take(_ update: DeviceUpdate, _ client: DeviceClient) throws(CommandFailure) {
        guard case .event(.values(_, let keys, _)) = update else { return }
        for changed in keys where key == nil || key == changed { try show(changed, client) }
    }

    private func show(_ key: [UInt8], _ client: DeviceClient) throws(CommandFailure) {
        let value = try asking("kv watch") { () throws(DeviceClientError) in
            try client.value(store: arguments.store, key: key)
        }
        if arguments.isJSON {
            try CommandOutput.say(.keyValue(key, value))
        } else {
            try CommandOutput.sayValue(key, value)
        }
    }
}
