import SyncWire
import Synchronization

/// A watch under way; it goes on until it is cancelled or its client is gone.
package final class DeviceWatch: Sendable {
    private let state = Mutex(State())
    private let connection: ClientConnection

    private struct State {
        var id: UInt64?
        var isCancelled = false
    }

    init(_ connection: ClientConnection) { self.connection = connection }

    func begin(_ id: UInt64) { state.withLock { $0.id = id } }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// No update begins after this; one that has begun may still be under way.
    package func cancel() {
        let id = state.withLock { state in
            state.isCancelled = true
            defer { state.id = nil }
            return state.id
        }
        guard let id else { return }
        connection.unregister(id)
        connection.sendCancel(of: id)
    }
}
