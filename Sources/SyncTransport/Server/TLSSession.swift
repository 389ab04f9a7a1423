import COpenSSL
import Glibc

/// One connection's TLS; used by its loop's thread alone.
@safe final class TLSSession {
    private let session: OpaquePointer
    /// Whether the last call cannot go on before the socket takes bytes.
    private(set) var wantsWritable = false
    private var hasFailed = false

    /// Takes over OpenSSL's session.
    init(_ session: OpaquePointer) {
        unsafe self.session = session
    }

    deinit {
        unsafe SSL_free(session)
    }

    /// Whether decrypted bytes wait that the kernel does not know of.
    var hasPending: Bool {
        unsafe SSL_pending(session) > 0
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
        ERR_clear_error()
        var count = 0
        let code = unsafe SSL_read_ex(session, buffer.baseAddress, buffer.count, &count)
        return code == 1 ? moved(count) : result(of: code)
    }

    /// Encrypts and sends the beginning of a queue.
    func write(_ queue: OutputQueue) -> IOResult {
        guard let first = queue.pending.first else { return .moved(0) }
        switch first {
        case .bytes(let bytes, let sent):
            return unsafe bytes.withUnsafeBytes { unsafe write($0[sent...]) }
        case .file(let file, let offset, let left):
            return write(file, offset: offset, count: Int(min(left, 64 * 1024)))
        }
    }

    /// Tells the peer that nothing follows.
    func sayGoodbye() {
        guard !hasFailed, unsafe SSL_is_init_finished(session) == 1 else { return }
        ERR_clear_error()
        unsafe SSL_shutdown(session)
    }

    /// Forgets what OpenSSL noted: the connection is being closed.
    func end() {
        ERR_clear_error()
    }

    private func write(_ file: HTTPFile, offset: Int64, count: Int) -> IOResult {
        unsafe withUnsafeTemporaryAllocation(byteCount: count, alignment: 16) { buffer in
            let read = unsafe pread(file.descriptor, buffer.baseAddress, count, off_t(offset))
            // The file is shorter than it was said to be: the answer cannot be completed.
            guard read > 0 else { return .failed }
            return unsafe write(UnsafeRawBufferPointer(buffer)[..<read])
        }
    }

    private func write(_ bytes: Slice<UnsafeRawBufferPointer>) -> IOResult {
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: bytes)
        ERR_clear_error()
        var count = 0
        let code = unsafe SSL_write_ex(session, bytes.baseAddress, bytes.count, &count)
        return code == 1 ? moved(count) : result(of: code)
    }

    private func moved(_ count: Int) -> IOResult {
        wantsWritable = false
        return .moved(count)
    }

    private func result(of code: Int32) -> IOResult {
        wantsWritable = false
        switch unsafe SSL_get_error(session, code) {
        case SSL_ERROR_WANT_READ:
            return .wouldBlock
        case SSL_ERROR_WANT_WRITE:
            wantsWritable = true
            return .wouldBlock
        case SSL_ERROR_ZERO_RETURN:
            return .ended
        default:
            hasFailed = true
            return .failed
        }
    }
}
