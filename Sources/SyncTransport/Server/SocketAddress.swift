import Glibc

/// Numeric addresses as text and as the kernel's structures.
enum SocketAddress {
    /// Opens a listening socket; the port that it got is in the result.
    static func listen(
        address: String, port: UInt16
    ) throws(HTTPServerError) -> (descriptor: Int32, port: UInt16) {
        let text = PeerAddress(host: address, port: port).description
        guard let target = parse(address, port) else { throw .addressInvalid(text) }
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(Int32(target.storage.ss_family), type, 0)
        guard descriptor >= 0 else { throw .system(.last("socket")) }
        do {
            try bindAndListen(descriptor, target, text)
            return (descriptor, localPort(descriptor))
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// What the kernel said about where a connection comes from.
    static func peer(_ storage: sockaddr_storage) -> PeerAddress {
        let isSix = Int32(storage.ss_family) == AF_INET6
        return unsafe withUnsafePointer(to: storage) { storage in
            if isSix {
                return unsafe storage.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    var address = unsafe $0.pointee.sin6_addr
                    return unsafe PeerAddress(
                        host: text(AF_INET6, &address),
                        port: UInt16(bigEndian: $0.pointee.sin6_port))
                }
            }
            return unsafe storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                var address = unsafe $0.pointee.sin_addr
                return unsafe PeerAddress(
                    host: text(AF_INET, &address), port: UInt16(bigEndian: $0.pointee.sin_port))
            }
        }
    }

    private typealias Target = (storage: sockaddr_storage, length: socklen_t)

    private static func bindAndListen(
        _ descriptor: Int32, _ target: Target, _ text: String
    ) throws(HTTPServerError) {
        // Connections of a server that ended linger in the kernel; without this they would keep
        // the port from its successor.
        setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        var target = target
        let result = unsafe withUnsafePointer(to: &target.storage) { storage in
            unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, target.length)
            }
        }
        if result != 0 {
            throw bindError(errno, text)
        }
        guard Glibc.listen(descriptor, 4096) == 0 else { throw bindError(errno, text) }
    }

    private static func bindError(_ code: Int32, _ text: String) -> HTTPServerError {
        switch code {
        case EADDRINUSE: .addressInUse(text)
        case EADDRNOTAVAIL: .addressInvalid(text)
        case EACCES: .notPermitted(text)
        default: .system(SystemError("bind", code))
        }
    }

    private static func parse(_ address: String, _ port: UInt16) -> Target? {
        var storage = sockaddr_storage()
        var four = sockaddr_in()
        var six = sockaddr_in6()
        if unsafe inet_pton(AF_INET, address, &four.sin_addr) == 1 {
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = port.bigEndian
            unsafe withUnsafeMutableBytes(of: &storage) { storage in
                unsafe withUnsafeBytes(of: four) { unsafe storage.copyMemory(from: $0) }
            }
            return (storage, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
        if unsafe inet_pton(AF_INET6, address, &six.sin6_addr) == 1 {
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            unsafe withUnsafeMutableBytes(of: &storage) { storage in
                unsafe withUnsafeBytes(of: six) { unsafe storage.copyMemory(from: $0) }
            }
            return (storage, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
        return nil
    }

    private static func localPort(_ descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = unsafe withUnsafeMutablePointer(to: &storage) { storage in
            unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        return result == 0 ? peer(storage).port : 0
    }

    private static func text(_ family: Int32, _ address: UnsafeRawPointer) -> String {
        let capacity = Int(INET6_ADDRSTRLEN)
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { text in
            let start = unsafe inet_ntop(family, address, text.baseAddress, socklen_t(capacity))
            let host = unsafe start.map { unsafe String(cString: $0) } ?? ""
            // A listener for both families shows IPv4 clients in this form.
            return host.hasPrefix("::ffff:") && host.utf8.contains(UInt8(ascii: "."))
                ? String(host.dropFirst(7)) : host
        }
    }

    /// Sets a number as a socket option; one that the kernel lacks is gone without.
    static func setOption(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
        var value = value
        unsafe setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
