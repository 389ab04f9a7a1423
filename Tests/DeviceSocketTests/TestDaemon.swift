import DeviceSocket
import Dispatch
import Glibc
import SyncWire
import Synchronization

/// A daemon that only answers: the endpoint in a thread, with a loop around it.
final class TestDaemon: Sendable {
    private let ended = DispatchSemaphore(value: 0)
    private let stopping: Int32
    private let isStopped = Mutex(false)

    typealias Respond = @Sendable (DeviceEndpoint, DeviceArrival) -> Void

    init(_ home: DeviceHome, respond: @escaping Respond) throws {
        let lock = try HomeLock(home: home)
        var pair: [Int32] = [0, 0]
        pipe(&pair)
        let stopped = pair[0]
        stopping = pair[1]
        let begun = DispatchSemaphore(value: 0)
        let failure = Mutex<SystemError?>(nil)
        let ended = ended
        DispatchQueue(label: "test daemon").async {
            do throws(SystemError) {
                let endpoint = try DeviceEndpoint(lock: lock)
                begun.signal()
                serve(endpoint, until: stopped, respond)
            } catch {
                failure.withLock { $0 = error }
                begun.signal()
            }
            close(stopped)
            ended.signal()
        }
        begun.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }

    deinit { stop() }

    /// Returns when the endpoint is gone.
    func stop() {
        guard
            isStopped.withLock({ isStopped in
                defer { isStopped = true }
                return !isStopped
            })
        else { return }
        close(stopping)
        ended.wait()
    }

    /// Answers every request with what the closure gives.
    convenience init(
        _ home: DeviceHome, answering answer: @escaping @Sendable (DeviceCall) -> DeviceReply
    ) throws {
        try self.init(home) { endpoint, arrival in
            guard case .request(let token, let request) = arrival else { return }
            let message = DeviceMessage(request: request.id, body: .reply(answer(request.call)))
            _ = endpoint.send(message, to: token)
        }
    }
}

private func serve(
    _ endpoint: DeviceEndpoint, until stopped: Int32, _ respond: TestDaemon.Respond
) {
    while true {
        var polled = [pollfd(fd: stopped, events: Int16(POLLIN), revents: 0)]
        for interest in endpoint.interests {
            let events = (interest.reading ? POLLIN : 0) | (interest.writing ? POLLOUT : 0)
            polled.append(
                pollfd(fd: interest.descriptor, events: Int16(events), revents: 0))
        }
        poll(&polled, nfds_t(polled.count), -1)
        if polled[0].revents != 0 { return }
        for entry in polled.dropFirst() where entry.revents != 0 {
            for arrival in endpoint.process(entry.fd) { respond(endpoint, arrival) }
        }
    }
}
