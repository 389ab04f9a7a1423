import Glibc

/// What came of reading from, or writing to, a connection that never blocks.
enum IOResult: Equatable {
    case moved(Int)
    case wouldBlock
    /// The peer sends nothing more.
    case ended
    case failed
}

/// Bytes to and from a socket without TLS.
enum SocketIO {
    static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
        while true {
            let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count > 0 { return .moved(count) }
            if count == 0 { return .ended }
            if errno == EINTR { continue }
            return isWait(errno) ? .wouldBlock : .failed
        }
    }

    /// Sends the first items of a queue: neighbouring bytes together, a file by the kernel.
    static func write(_ descriptor: Int32, _ queue: OutputQueue) -> IOResult {
        guard let first = queue.pending.first else { return .moved(0) }
        if case .file(let file, let offset, let left) = first {
            return send(file, offset: offset, count: left, to: descriptor)
        }
        return gather(descriptor, queue.pending)
    }

    /// How many buffers go to the kernel in one call.
    private static let vectorsMax = 16

    private static func gather(
        _ descriptor: Int32, _ items: ArraySlice<OutputQueue.Item>
    ) -> IOResult {
        var buffers: [(bytes: [UInt8], sent: Int)] = []
        for item in items.prefix(vectorsMax) {
            guard case .bytes(let bytes, let sent) = item else { break }
            buffers.append((bytes, sent))
        }
        let hasMore = items.count > buffers.count
        return unsafe withUnsafeTemporaryAllocation(of: iovec.self, capacity: buffers.count) {
            unsafe fill($0, from: buffers[...], at: 0) { vectors in
                unsafe send(vectors, to: descriptor, hasMore: hasMore)
            }
        }
    }

    /// Pins the buffers one inside the other, as their addresses hold only within a closure.
    private static func fill(
        _ vectors: UnsafeMutableBufferPointer<iovec>,
        from buffers: ArraySlice<(bytes: [UInt8], sent: Int)>, at index: Int,
        then body: (UnsafeMutableBufferPointer<iovec>) -> IOResult
    ) -> IOResult {
        guard let buffer = buffers.first else { return unsafe body(vectors) }
        return unsafe buffer.bytes.withUnsafeBytes { bytes in
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[buffer.sent...])
            unsafe vectors.initializeElement(
                at: index,
                to: iovec(
                    iov_base: UnsafeMutableRawPointer(mutating: rest.baseAddress),
                    iov_len: rest.count))
            return unsafe fill(vectors, from: buffers.dropFirst(), at: index + 1, then: body)
        }
    }

    private static func send(
        _ vectors: UnsafeMutableBufferPointer<iovec>, to descriptor: Int32, hasMore: Bool
    ) -> IOResult {
        var message = unsafe msghdr()
        unsafe message.msg_iov = vectors.baseAddress
        unsafe message.msg_iovlen = vectors.count
        let flags = Int32(MSG_NOSIGNAL) | (hasMore ? Int32(MSG_MORE) : 0)
        while true {
            let count = unsafe sendmsg(descriptor, &message, flags)
            if count >= 0 { return .moved(count) }
            if errno == EINTR { continue }
            return isWait(errno) ? .wouldBlock : .failed
        }
    }

    private static func send(
        _ file: HTTPFile, offset: Int64, count: Int64, to descriptor: Int32
    ) -> IOResult {
        var position = off_t(offset)
        while true {
            // One call is kept short, so that one download does not hold up the loop.
            let part = Int(min(count, 1024 * 1024))
            let sent = unsafe sendfile(descriptor, file.descriptor, &position, part)
            if sent > 0 { return .moved(sent) }
            // The file is shorter than it was said to be: the answer cannot be completed.
            if sent == 0 { return .failed }
            if errno == EINTR { continue }
            return isWait(errno) ? .wouldBlock : .failed
        }
    }

    private static func isWait(_ code: Int32) -> Bool {
        code == EAGAIN || code == EWOULDBLOCK
    }
}
