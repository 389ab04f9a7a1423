import Dispatch
package import SyncWire
import Synchronization

/// A program's end of a home's socket; any thread may call it, many at the same time.
///
/// It is connected once: when the daemon ends, every call and watch ends with
/// ``DeviceClientError/disconnected``, and the program makes another client.
package final class DeviceClient: Sendable {
    private let connection: ClientConnection

    /// Throws ``DeviceClientError/notRunning`` if no daemon runs on the home.
    package init(home: DeviceHome) throws(DeviceClientError) {
        connection = try ClientConnection(home: home)
        connection.startReading()
    }

    deinit { connection.end() }

    /// Asks, and waits for the answer or its last part.
    ///
    /// The parts before the last go to the closure as they come, on this thread.
    package func call(
        _ call: DeviceCall, timeout: Duration, part: (DeviceReply) -> Void = { _ in }
    ) throws(DeviceClientError) -> DeviceReply {
        let deadline = ContinuousClock.now + timeout
        let mailbox = Mailbox()
        let id = try connection.register { mailbox.put($0) }
        defer { connection.unregister(id) }
        try connection.send(DeviceRequest(id: id, call: call), until: deadline)
        while true {
            guard let delivery = mailbox.take(until: deadline) else {
                abandon(id)
                throw .timedOut
            }
            switch delivery {
            case .message(.reply(let reply)): return reply
            case .message(.part(let reply)): part(reply)
            case .message(.failure(let failure)): throw .refused(failure)
            case .message(.event), .message(.unknown): break
            case .end(let error): throw error
            }
        }
    }

    /// Asks, and hears of everything that comes for the request until ``DeviceWatch/cancel()``.
    ///
    /// The closure is called in order, never twice at the same time, and may use the client.
    package func watch(
        _ call: DeviceCall, timeout: Duration,
        update: @escaping @Sendable (DeviceUpdate) -> Void
    ) throws(DeviceClientError) -> DeviceWatch {
        let queue = DispatchQueue(label: "device watch")
        let watch = DeviceWatch(connection)
        let id = try connection.register { delivery in
            guard let next = DeviceUpdate(delivery) else { return }
            queue.async { if !watch.isCancelled { update(next) } }
        }
        watch.begin(id)
        do throws(DeviceClientError) {
            try connection.send(DeviceRequest(id: id, call: call), until: .now + timeout)
        } catch {
            watch.cancel()
            throw error
        }
        return watch
    }

    /// The daemon need not go on with it; nobody waits for its answer.
    private func abandon(_ id: UInt64) { connection.sendCancel(of: id) }
}

/// What a watch hears.
package enum DeviceUpdate: Hashable, Sendable {
    /// What is there, or a part of it; more follow.
    case part(DeviceReply)
    /// The last of what is there; from now on events come.
    case reply(DeviceReply)
    case event(DeviceEvent)
    /// Nothing more comes.
    case end(DeviceClientError)

    fileprivate init?(_ delivery: ClientConnection.Delivery) {
        switch delivery {
        case .message(.part(let reply)): self = .part(reply)
        case .message(.reply(let reply)): self = .reply(reply)
        case .message(.event(let event)): self = .event(event)
        case .message(.failure(let failure)): self = .end(.refused(failure))
        case .message(.unknown): return nil
        case .end(let error): self = .end(error)
        }
    }
}
