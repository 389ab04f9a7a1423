import DeviceSocket
import Dispatch
import Glibc
import SyncWire
import Synchronization
import Testing

/// What each end does when the other is gone, silent, or sends nonsense.
@Suite(.timeLimit(.minutes(1))) struct EndingTests {
    let temporary = TemporaryHome()
    var home: DeviceHome { temporary.home }

    @Test func withoutADaemonTheClientSaysSo() throws {
        #expect(throws: DeviceClientError.notRunning) { try DeviceClient(home: home) }
        let daemon = try TestDaemon(home) { _ in .done }
        daemon.stop()
        #expect(throws: DeviceClientError.notRunning) { try DeviceClient(home: home) }
    }

    @Test func everybodyWhoWaitsHearsOfTheDaemonsEnd() throws {
        let arrived = DispatchSemaphore(value: 0)
        let daemon = try TestDaemon(home) { _, _ in arrived.signal() }
        let client = try DeviceClient(home: home)
        let ended = DispatchSemaphore(value: 0)
        let last = Mutex<DeviceUpdate?>(nil)
        _ = try client.watch(.watchStatus, timeout: .seconds(20)) { update in
            last.withLock { $0 = update }
            ended.signal()
        }
        arrived.wait()
        DispatchQueue(label: "stop").async {
            arrived.wait()
            daemon.stop()
        }
        #expect(throws: DeviceClientError.disconnected) {
            try client.call(.status, timeout: .seconds(30))
        }
        ended.wait()
        #expect(last.withLock { $0 } == .end(.disconnected))
        #expect(throws: DeviceClientError.disconnected) {
            try client.call(.status, timeout: .seconds(30))
        }
    }

    @Test func aCallEndsAtItsDeadlineAndIsCancelled() throws {
        let calls = Mutex<[DeviceCall]>([])
        let arrived = DispatchSemaphore(value: 0)
        let daemon = try TestDaemon(home) { _, arrival in
            guard case .request(_, let request) = arrival else { return }
            calls.withLock { $0.append(request.call) }
            arrived.signal()
        }
        defer { daemon.stop() }
        let client = try DeviceClient(home: home)
        #expect(throws: DeviceClientError.timedOut) {
            try client.call(.conflicts, timeout: .milliseconds(20))
        }
        arrived.wait()
        arrived.wait()
        #expect(calls.withLock { $0 } == [.conflicts, .cancel(request: 1)])
    }

    @Test func theDaemonHearsOfAProgramsEnd() throws {
        let closed = DispatchSemaphore(value: 0)
        let daemon = try TestDaemon(home) { endpoint, arrival in
            switch arrival {
            case .request(let token, let request):
                _ = endpoint.send(
                    DeviceMessage(request: request.id, body: .reply(.done)), to: token)
            case .closed(let token):
                #expect(!endpoint.send(DeviceMessage(request: 1, body: .reply(.done)), to: token))
                closed.signal()
            }
        }
        defer { daemon.stop() }
        do {
            let client = try DeviceClient(home: home)
            _ = try client.call(.status, timeout: .seconds(20))
        }
        closed.wait()
    }

    @Test func aCallOfALaterVersionIsAnswered() throws {
        let daemon = try TestDaemon(home) { _ in .done }
        defer { daemon.stop() }
        let client = try DeviceClient(home: home)
        let error = #expect(throws: DeviceClientError.self) {
            try client.call(.unknown(700), timeout: .seconds(20))
        }
        guard case .refused(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.code == .unsupported)
        #expect(try client.call(.status, timeout: .seconds(20)) == .done)
    }

    @Test(
        arguments: [
            [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 1, 9], [0, 0, 0, 0],
            Array("GET / HTTP/1.1\r\n\r\n".utf8),
        ] as [[UInt8]])
    func nonsenseEndsOnlyItsOwnConnection(bytes: [UInt8]) throws {
        let daemon = try TestDaemon(home) { _ in .done }
        defer { daemon.stop() }
        let client = try DeviceClient(home: home)
        let stranger = try connected(to: temporary)
        defer { close(stranger) }
        #expect(send(stranger, bytes, bytes.count, 0) == bytes.count)
        var answer: UInt8 = 0
        #expect(recv(stranger, &answer, 1, 0) == 0 || errno == ECONNRESET)
        #expect(try client.call(.status, timeout: .seconds(20)) == .done)
    }

    @Test func aProgramThatDoesNotReadIsDisconnected() throws {
        let over = DispatchSemaphore(value: 0)
        let megabyte = DeviceReply.folder([UInt8](repeating: 1, count: 1 << 20))
        let daemon = try TestDaemon(home) { endpoint, arrival in
            guard case .request(let token, let request) = arrival else { return }
            let message = DeviceMessage(request: request.id, body: .part(megabyte))
            var count = 0
            while endpoint.send(message, to: token) { count += 1 }
            #expect(count >= 64 && count < 80)
            over.signal()
        }
        defer { daemon.stop() }
        let stranger = try connected(to: temporary)
        defer { close(stranger) }
        let request = DeviceRequest(id: 1, call: .status).message()
        let frame = [0, 0, 0, UInt8(request.count)] + request
        #expect(send(stranger, frame, frame.count, 0) == frame.count)
        over.wait()
    }
}

/// A plain socket, for what no client sends.
private func connected(to temporary: TemporaryHome) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) {
        $0.copyBytes(from: temporary.home.socket)
    }
    let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    try #require(result == 0)
    return descriptor
}
