import Dispatch
import SyncWire
import Synchronization

/// The socket that a client's callers share, and who waits for what.
final class ClientConnection: Sendable {
    private let descriptor: Int32
    private let waiting = Mutex(Waiting())
    /// Held while a frame goes out: frames are never mixed.
    private let sending = Mutex(())

    private struct Waiting {
        var lastID: UInt64 = 0
        var receivers: [UInt64: @Sendable (Delivery) -> Void] = [:]
        /// Why nothing more comes, once that is so.
        var end: DeviceClientError?
    }

    /// What comes for a request.
    enum Delivery: Sendable {
        case message(DeviceMessage.Body)
        /// Nothing more comes.
        case end(DeviceClientError)
    }

    init(home: DeviceHome) throws(DeviceClientError) {
        do throws(SystemError) {
            let place = try SocketPlace(home: home)
            descriptor = try makeSocket(isBlocking: true)
            // From here on deinit closes it.
            try connect(descriptor, to: place.path, seconds: 5)
        } catch {
            throw DeviceClientError(connecting: error)
        }
    }

    deinit { closeDescriptor(descriptor) }

    /// Reads until the stream ends.
    func startReading() {
        DispatchQueue(label: "device socket").async { self.read() }
    }

    /// Makes the reading stop; everybody who waits is told.
    func end() { endStream(descriptor) }

    /// A request's number, whose answers go to the receiver, in order and on the reading thread.
    func register(
        _ receiver: @escaping @Sendable (Delivery) -> Void
    ) throws(DeviceClientError) -> UInt64 {
        let result: Result<UInt64, DeviceClientError> = waiting.withLock { waiting in
            if let end = waiting.end { return .failure(end) }
            waiting.lastID += 1
            waiting.receivers[waiting.lastID] = receiver
            return .success(waiting.lastID)
        }
        return try result.get()
    }

    func unregister(_ id: UInt64) {
        waiting.withLock { $0.receivers[id] = nil }
    }

    /// Waits for room until the deadline; a frame that was begun and not ended ends the connection.
    func send(
        _ request: DeviceRequest, until deadline: ContinuousClock.Instant
    ) throws(DeviceClientError) {
        guard let frame = framed(request.message()) else { throw .tooLarge }
        let failure: DeviceClientError? = sending.withLock { _ in
            do throws(DeviceClientError) {
                try write(frame, until: deadline)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    /// Nobody waits for the request any more; its answer, and the answer to this, go to nobody.
    func sendCancel(of id: UInt64) {
        guard let own = try? register({ _ in }) else { return }
        unregister(own)
        let request = DeviceRequest(id: own, call: .cancel(request: id))
        try? send(request, until: .now + .seconds(1))
    }

    private func write(
        _ frame: [UInt8], until deadline: ContinuousClock.Instant
    ) throws(DeviceClientError) {
        var sent = 0
        do throws(SystemError) {
            while sent < frame.count {
                sent += try sendWithoutWaiting(descriptor, frame[sent...])
                if sent == frame.count { return }
                let time = deadline - .now
                guard time > .zero else { break }
                _ = try waitForRoom(descriptor, milliseconds: time.milliseconds)
            }
        } catch {
            end()
            throw .disconnected
        }
        if sent > 0 { end() }
        throw .timedOut
    }

    // MARK: Reading

    private func read() {
        var frames = FrameReader()
        while true {
            do throws(DeviceClientError) {
                frames.append(try more())
                try deliver(&frames)
            } catch {
                finish(error)
                return
            }
        }
    }

    private func more() throws(DeviceClientError) -> [UInt8] {
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try receive(descriptor, 65_536, waiting: true)
        } catch {
            throw .disconnected
        }
        guard let bytes, !bytes.isEmpty else { throw .disconnected }
        return bytes
    }

    private func deliver(_ frames: inout FrameReader) throws(DeviceClientError) {
        while true {
            let frame: [UInt8]?
            do throws(FrameTooLarge) { frame = try frames.next() } catch { throw .tooLarge }
            guard let frame else { return }
            let message: DeviceMessage
            do throws(WireError) {
                message = try DeviceMessage(message: frame)
            } catch {
                throw .unreadable(error)
            }
            let receiver = waiting.withLock { $0.receivers[message.request] }
            receiver?(.message(message.body))
        }
    }

    private func finish(_ error: DeviceClientError) {
        let receivers = waiting.withLock { waiting in
            waiting.end = error
            defer { waiting.receivers = [:] }
            return waiting.receivers.values.map(\.self)
        }
        for receiver in receivers { receiver(.end(error)) }
    }
}

extension Duration {
    /// Rounded up, so that a wait is never too short, and no more than a poll takes.
    fileprivate var milliseconds: Int32 {
        let (seconds, attoseconds) = components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
