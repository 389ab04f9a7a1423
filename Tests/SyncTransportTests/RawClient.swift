import Glibc

/// A plain blocking socket, for what no well-behaved client would send.
final class RawClient {
    private let descriptor: Int32

    /// Connects to a port of this machine.
    ///
    /// Reads give up after ten seconds.
    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw RawError.connect(errno) }
    }

    deinit {
        close(descriptor)
    }

    enum RawError: Error {
        case connect(Int32)
    }

    /// Sends bytes; false if the server has closed.
    @discardableResult
    func send(_ bytes: some Collection<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool {
        send(Array(text.utf8))
    }

    /// Says that nothing more is sent.
    func finish() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Reads once; empty if the server has closed or sends nothing for ten seconds.
    func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return Array(buffer.prefix(max(0, count)))
    }

    /// Reads until the server closes.
    func readToEnd() -> String {
        var bytes: [UInt8] = []
        while true {
            let part = read()
            if part.isEmpty { return String(decoding: bytes, as: UTF8.self) }
            bytes += part
        }
    }

    /// Reads until the text holds what is looked for, or the server closes.
    func read(until text: String) -> String {
        var bytes: [UInt8] = []
        while !String(decoding: bytes, as: UTF8.self).contains(text) {
            let part = read()
            if part.isEmpty { break }
            bytes += part
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The status of the first answer in a text.
func status(_ text: String) -> Int? {
    text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
}

/// The statuses of all answers in a text.
func statuses(_ text: String) -> [Int] {
    text.split(separator: "HTTP/1.1 ", omittingEmptySubsequences: true).compactMap {
        Int($0.prefix(3))
    }
}
