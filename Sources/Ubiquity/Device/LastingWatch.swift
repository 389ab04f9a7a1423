import DeviceSocket
import Dispatch
import SyncWire
import Synchronization

/// A watch that begins again by itself when the daemon comes back.
///
/// The closure hears everything that the watches hear, in order and never twice at the same time;
/// after an end, what is there comes anew.
final class LastingWatch: Sendable {
    private let session: DeviceSession
    private let call: DeviceCall
    private let update: @Sendable (DeviceUpdate) -> Void
    private let queue = DispatchQueue(label: "lasting watch")
    private let state = Mutex(State())

    private struct State {
        var watch: DeviceWatch?
        var client: DeviceClient?
        var isCancelled = false
        /// Until the next attempt, in milliseconds.
        var pause = firstPause
    }

    init(
        _ session: DeviceSession, _ call: DeviceCall,
        update: @escaping @Sendable (DeviceUpdate) -> Void
    ) {
        self.session = session
        self.call = call
        self.update = update
    }

    func begin() { queue.async { self.connect() } }

    /// No update begins after this; one that has begun may still be under way.
    func cancel() {
        let watch = state.withLock { state in
            state.isCancelled = true
            defer { state.watch = nil }
            return state.watch
        }
        watch?.cancel()
    }

    private var isCancelled: Bool { state.withLock { $0.isCancelled } }

    private func connect() {
        guard !isCancelled else { return }
        do throws(DeviceClientError) {
            let client = try session.client()
            state.withLock { $0.client = client }
            let watch = try client.watch(call, timeout: .seconds(5)) { [weak self] update in
                self?.receive(update)
            }
            keep(watch)
        } catch {
            end(error)
        }
    }

    private func keep(_ watch: DeviceWatch) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.watch = watch }
            return state.isCancelled
        }
        if isCancelled { watch.cancel() }
    }

    private func receive(_ update: DeviceUpdate) {
        guard !isCancelled else { return }
        if case .end(let error) = update { return end(error) }
        if case .reply = update { state.withLock { $0.pause = firstPause } }
        self.update(update)
    }

    private func end(_ error: DeviceClientError) {
        let (client, pause) = state.withLock { state in
            defer {
                state.client = nil
                state.pause = min(state.pause * 2, longestPause)
            }
            return (state.client, state.pause)
        }
        if let client, error.endsConnection { session.forget(client) }
        update(.end(error))
        queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [weak self] in
            self?.connect()
        }
    }
}

private let firstPause = 20
private let longestPause = 1000

extension DeviceClientError {
    /// Whether nothing more can be asked over the same connection.
    fileprivate var endsConnection: Bool {
        switch self {
        case .refused: false
        default: true
        }
    }
}
