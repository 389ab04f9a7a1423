import Glibc

/// A server that takes what is sent to it slowly, then answers, or says nothing more.
final class SlowServer: @unchecked Sendable {
    // Unchecked: the thread has the only use of what is not constant.
    private let listener: Int32
    let url: String
    private let pause: UInt32
    private let bytes: Int
    private let isAnswering: Bool

    /// Takes so many bytes in all, 32 KiB at a time with the pause of microseconds in between.
    init(bytes: Int, pause: UInt32, isAnswering: Bool) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        self.bytes = bytes
        self.pause = pause
        self.isAnswering = isAnswering
        var room: Int32 = 16_384
        setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &room, 4)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                precondition(bind(listener, place, length) == 0)
                precondition(listen(listener, 4) == 0)
                getsockname(listener, place, &length)
            }
        }
        url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/"
    }

    deinit { close(listener) }

    func start() {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        pthread_create(
            &thread, nil,
            { context in
                Unmanaged<SlowServer>.fromOpaque(context!).takeRetainedValue().serve()
                return nil
            }, context)
        pthread_detach(thread)
    }

    private func serve() {
        let connection = accept(listener, nil, nil)
        defer { close(connection) }
        var buffer = [UInt8](repeating: 0, count: 32_768)
        var left = bytes
        while left > 0 {
            let got = read(connection, &buffer, buffer.count)
            guard got > 0 else { return }
            left -= got
            usleep(pause)
        }
        if isAnswering {
            let answer = Array("HTTP/1.1 204 No Content\r\n\r\n".utf8)
            _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
        }
        // Until the client goes.
        while read(connection, &buffer, buffer.count) > 0 {}
    }
}
