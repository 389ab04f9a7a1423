import CLinux
import Glibc

// The system calls of this target: each retries when a signal interrupts it, and throws its errno.

/// Runs a call that gives -1 on failure.
private func checked<Value: SignedInteger>(
    _ name: String, _ body: () -> Value
) throws(SystemError) -> Value {
    while true {
        let result = body()
        if result >= 0 { return result }
        let code = errno
        if code != EINTR { throw SystemError(name, code: code) }
    }
}

/// Opens for use as a folder only.
func openFolder(_ path: [UInt8]) throws(SystemError) -> Int32 {
    let path = terminated(path)
    return try checked("open") { unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
}

/// Opens to read and write, makes it if it is not there, for its owner only.
func openPrivateFile(_ path: [UInt8]) throws(SystemError) -> Int32 {
    let path = terminated(path)
    return try checked("open") { unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
}

/// A descriptor to give up when the process has no other left.
func openSpare() -> Int32 { unsafe open("/dev/null", O_RDONLY | O_CLOEXEC) }

/// Makes the folder for its owner only; one that is there stays as it is.
func makePrivateFolder(_ path: [UInt8]) throws(SystemError) {
    let path = terminated(path)
    do throws(SystemError) {
        _ = try checked("mkdir") { unsafe mkdir(path, 0o700) }
    } catch {
        if error.code != EEXIST { throw error }
    }
}

func removeFile(_ path: [UInt8]) throws(SystemError) {
    let path = terminated(path)
    do throws(SystemError) {
        _ = try checked("unlink") { unsafe unlink(path) }
    } catch {
        if error.code != ENOENT { throw error }
    }
}

/// False if somebody else has the lock.
func lockWithoutWaiting(_ descriptor: Int32) throws(SystemError) -> Bool {
    do throws(SystemError) {
        _ = try checked("flock") { flock(descriptor, LOCK_EX | LOCK_NB) }
        return true
    } catch {
        guard error.code == EWOULDBLOCK else { throw error }
        return false
    }
}

/// Replaces what a small file holds.
func replaceContent(of descriptor: Int32, with text: String) throws(SystemError) {
    _ = try checked("ftruncate") { ftruncate(descriptor, 0) }
    let bytes = Array(text.utf8)
    _ = try checked("pwrite") { unsafe pwrite(descriptor, bytes, bytes.count, 0) }
}

/// The first bytes of a file.
func firstBytes(of descriptor: Int32, _ count: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        filled = unsafe max(0, pread(descriptor, buffer.baseAddress, count, 0))
    }
}

// MARK: Sockets

func makeSocket(isBlocking: Bool) throws(SystemError) -> Int32 {
    var type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
    if !isBlocking { type |= SOCK_NONBLOCK.rawValue }
    return try checked("socket") { socket(AF_UNIX, Int32(type), 0) }
}

/// Makes the socket's file, for its owner only: Linux gives it the mode of the socket itself.
func bindPrivately(_ descriptor: Int32, to path: [UInt8]) throws(SystemError) {
    _ = try checked("fchmod") { fchmod(descriptor, 0o600) }
    var address = try socketAddress(path)
    _ = try checked("bind") {
        unsafe withAddress(&address) { unsafe bind(descriptor, $0, $1) }
    }
}

func listen(on descriptor: Int32) throws(SystemError) {
    _ = try checked("listen") { Glibc.listen(descriptor, 64) }
}

/// Waits at most some seconds for a listener that is there and does not accept (EAGAIN then).
func connect(_ descriptor: Int32, to path: [UInt8], seconds: Int) throws(SystemError) {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    _ = try checked("setsockopt") {
        unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }
    var address = try socketAddress(path)
    _ = try checked("connect") {
        unsafe withAddress(&address) { unsafe Glibc.connect(descriptor, $0, $1) }
    }
}

/// Nil if nobody is waiting.
func acceptWithoutWaiting(_ descriptor: Int32) throws(SystemError) -> Int32? {
    do throws(SystemError) {
        return try checked("accept4") { clinux_accept(descriptor, nil, nil) }
    } catch {
        guard error.code == EAGAIN || error.code == ECONNABORTED else { throw error }
        return nil
    }
}

/// Nil if there is nothing to read now; no bytes at the end of the stream.
func receive(
    _ descriptor: Int32, _ count: Int, waiting: Bool
) throws(SystemError) -> [UInt8]? {
    let flags = waiting ? 0 : Int32(MSG_DONTWAIT)
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        do throws(SystemError) {
            filled = try checked("recv") {
                unsafe recv(descriptor, buffer.baseAddress, count, flags)
            }
        } catch {
            failure = error
        }
    }
    guard let failure else { return bytes }
    if failure.code == EAGAIN { return nil }
    throw failure
}

/// How many of the bytes went out; 0 if the other end has no room now.
func sendWithoutWaiting(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int
{
    do throws(SystemError) {
        return try checked("send") {
            unsafe bytes.withUnsafeBytes { buffer in
                let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
                return unsafe send(descriptor, buffer.baseAddress, buffer.count, flags)
            }
        }
    } catch {
        guard error.code == EAGAIN else { throw error }
        return 0
    }
}

/// Waits for room to write; false at the timeout.
func waitForRoom(_ descriptor: Int32, milliseconds: Int32) throws(SystemError) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return try checked("poll") { unsafe poll(&entry, 1, milliseconds) } > 0
}

/// Whoever reads or writes it sees its end.
func endStream(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

// MARK: Paths for C

private func terminated(_ path: [UInt8]) -> [CChar] {
    path.map { CChar(bitPattern: $0) } + [0]
}

/// The bytes that a socket's address has for a path and the zero behind it.
private let roomForPath = 108

/// Whether a socket's address has room for the path.
func fitsSocketAddress(_ path: [UInt8]) -> Bool { path.count < roomForPath }

private func socketAddress(_ path: [UInt8]) throws(SystemError) -> sockaddr_un {
    guard fitsSocketAddress(path) else { throw SystemError("bind", code: ENAMETOOLONG) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    return address
}

private func withAddress(
    _ address: inout sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
    unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}
