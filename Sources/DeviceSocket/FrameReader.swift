/// Frames of a stream: a count in four bytes, most significant first, and so many bytes.
struct FrameReader: Sendable {
    /// The most bytes of a frame.
    static var limit: Int { 16 << 20 }

    private var bytes: [UInt8] = []
    private var start = 0

    mutating func append(_ more: [UInt8]) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes += more
    }

    /// The next whole frame, nil if more bytes are needed.
    mutating func next() throws(FrameTooLarge) -> [UInt8]? {
        guard bytes.count - start >= 4 else { return nil }
        let count = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        guard count <= FrameReader.limit else { throw FrameTooLarge(count: count) }
        guard bytes.count - start - 4 >= count else { return nil }
        defer { start += 4 + count }
        return Array(bytes[start + 4..<start + 4 + count])
    }
}

/// A frame's count is over the limit, or what came are no frames.
struct FrameTooLarge: Error, Hashable {
    let count: Int
}

/// The message with its count in front; nil if it is over the limit.
func framed(_ message: [UInt8]) -> [UInt8]? {
    guard message.count <= FrameReader.limit else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(message.count + 4)
    for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: message.count >> shift)) }
    return bytes + message
}
