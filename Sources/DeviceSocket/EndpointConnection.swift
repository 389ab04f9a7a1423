import SyncWire

/// One program, as the daemon sees it.
final class EndpointConnection {
    let token: ConnectionToken
    /// Nothing more can be read or written.
    private(set) var isOver = false

    private let descriptor: Int32
    private var frames = FrameReader()
    private var output: [UInt8] = []
    private var sent = 0

    /// A program with more unread than this is disconnected: it does not read.
    private static var mostOutput: Int { 64 << 20 }
    /// With more unread than this it is not asked for further requests.
    private static var muchOutput: Int { 1 << 20 }

    init(_ descriptor: Int32, _ token: ConnectionToken) {
        self.descriptor = descriptor
        self.token = token
    }

    var wantsToRead: Bool { unsent < EndpointConnection.muchOutput }
    var wantsToWrite: Bool { unsent > 0 }
    private var unsent: Int { output.count - sent }

    /// The requests that are whole now.
    func read() -> [DeviceRequest] {
        guard !isOver, wantsToRead else { return [] }
        do throws(SystemError) {
            guard let bytes = try receive(descriptor, 65_536, waiting: false) else { return [] }
            // Also what was whole before the end is done.
            if bytes.isEmpty { isOver = true }
            frames.append(bytes)
        } catch {
            isOver = true
            return []
        }
        return wholeRequests()
    }

    func send(_ message: DeviceMessage) {
        guard !isOver else { return }
        let tooLarge = DeviceFailure(.failed, "The answer is larger than a message can be.")
        let frame =
            framed(message.message())
            ?? framed(DeviceMessage(request: message.request, body: .failure(tooLarge)).message())
        if let frame { output += frame }
        flush()
        if unsent > EndpointConnection.mostOutput { isOver = true }
    }

    func flush() {
        while !isOver, unsent > 0 {
            do throws(SystemError) {
                let count = try sendWithoutWaiting(descriptor, output[sent...])
                if count == 0 { break }
                sent += count
            } catch {
                isOver = true
            }
        }
        // Moving what is left costs: only when it is the smaller part.
        if sent > output.count / 2 {
            output.removeFirst(sent)
            sent = 0
        }
    }

    private func wholeRequests() -> [DeviceRequest] {
        var requests: [DeviceRequest] = []
        do throws(FrameTooLarge) {
            while let frame = try frames.next() {
                if let request = request(frame) { requests.append(request) }
            }
        } catch {
            isOver = true
        }
        return requests
    }

    /// Nil if it was answered here, because the daemon could make nothing of it.
    private func request(_ frame: [UInt8]) -> DeviceRequest? {
        do throws(WireError) {
            let request = try DeviceRequest(message: frame)
            guard case .unknown = request.call else { return request }
            refuse(request.id, .unsupported, "This daemon is older than the program.")
        } catch {
            if let id = DeviceRequest.id(ofMessage: frame) {
                let code: DeviceFailure.Code = error.needsNewerReader ? .unsupported : .invalid
                refuse(id, code, "The request cannot be read: \(error).")
            } else {
                isOver = true
            }
        }
        return nil
    }

    private func refuse(_ id: UInt64, _ code: DeviceFailure.Code, _ text: String) {
        send(DeviceMessage(request: id, body: .failure(DeviceFailure(code, text))))
    }
}
