import DeviceSocket
import Dispatch
import SyncWire
import Synchronization

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
        let ended = DispatchSemaphore(value: 0)
        let failure = Mutex(CommandFailure.failed("the watch ended"))
        let watch = try asking("kv watch") { () throws(DeviceClientError) in
            try client.watch(.watchValues(store: arguments.store), timeout: .seconds(30)) {
                update in
                do throws(CommandFailure) {
                    try take(update, client)
                } catch {
                    failure.withLock { $0 = error }
                    ended.signal()
                }
            }
        }
        ended.wait()
        watch.cancel()
        throw failure.withLock { $0 }
    }

    private func take(_ update: DeviceUpdate, _ client: DeviceClient) throws(CommandFailure) {
        switch update {
        case .event(.values(_, let keys, _)):
            for changed in keys where key == nil || key == changed { try show(changed, client) }
        case .end(let error): throw .failed("kv watch: \(error)")
        case .part, .reply, .event: break
        }
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
