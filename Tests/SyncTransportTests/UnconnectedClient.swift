import Glibc

/// A socket that is opened before it is connected, for tests that run out of descriptors.
final class UnconnectedClient {
    private let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)

    deinit {
        close(descriptor)
    }

    func connect(port: UInt16) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw RawClient.RawError.connect(errno) }
    }

    /// Waits until the server has ended the connection of one of these; false after ten seconds.
    static func isAnyEnded(_ clients: [UnconnectedClient]) -> Bool {
        var waits = clients.map {
            pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
        }
        return poll(&waits, nfds_t(waits.count), 10_000) > 0
    }
}
