import DeviceSocket
import Dispatch
import SyncWire
import Synchronization

/// What a command hears from the device until one of the two ends.
struct CommandWatch {
    /// For people, where it fails.
    let name: String
    let client: DeviceClient

    /// Goes on until the device ends, or one of the closures throws; gives why.
    ///
    /// Each call's updates come in their order.
    func run(
        _ watches: [(
            call: DeviceCall, take: @Sendable (DeviceUpdate) throws(CommandFailure) -> Void
        )]
    ) throws(CommandFailure) -> CommandFailure {
        let ended = DispatchSemaphore(value: 0)
        let failure = Mutex(CommandFailure.failed("\(name): the watch ended"))
        var running: [DeviceWatch] = []
        defer { for watch in running { watch.cancel() } }
        for (call, take) in watches {
            let name = name
            let watch = try asking(name) { () throws(DeviceClientError) in
                try client.watch(call, timeout: .seconds(30)) { update in
                    do throws(CommandFailure) {
                        if case .end(let error) = update { throw .failed("\(name): \(error)") }
                        try take(update)
                    } catch {
                        failure.withLock { $0 = error }
                        ended.signal()
                    }
                }
            }
            running.append(watch)
        }
        ended.wait()
        return failure.withLock { $0 }
    }
}
