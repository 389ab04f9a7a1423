import Glibc
import SyncCore
import SyncStore

/// One file on its way into memory or into chunks.
struct Reading: ~Copyable {
    private let stamp: FileStamp
    private let chunks: ChunkFolder
    private let prefix: UInt64?
    /// Chunks that are to be had elsewhere.
    private let known: Set<ChunkID>
    private var whole = SHA256()
    /// The digest of the first `prefix` bytes.
    private var prefixDigest: Digest?
    /// The bytes read so far.
    private var count: UInt64 = 0
    private var inline: [UInt8] = []
    private var references: [ChunkReference] = []
    private var unfinished: [UnfinishedChunk] = []
    private var unfinishedBytes = 0
    private var written: Set<ChunkID> = []

    init(stamp: FileStamp, prefix: UInt64?, known: Set<ChunkID>, chunks: ChunkFolder) {
        self.stamp = stamp
        self.prefix = prefix
        self.known = known
        self.chunks = chunks
        if prefix == 0 { prefixDigest = SHA256.hash([]) }
    }

    /// Reads to the end; false if the file has another length than its stamp says, or if it is not
    /// to be gone on with before that.
    mutating func take(
        _ file: Descriptor, while isGoingOn: () -> Bool
    ) throws(DiskError) -> Bool {
        if isInline { return try takeInline(file) }
        return try takeChunks(file, while: isGoingOn)
    }

    private mutating func takeInline(_ file: Descriptor) throws(DiskError) -> Bool {
        var buffer = [UInt8](repeating: 0, count: Int(stamp.size) + 1)
        let got = try FileSystemCalls.read(file, at: 0, into: &buffer, 0..<buffer.count)
        guard got == Int(stamp.size) else { return false }
        hash(buffer[..<got])
        inline = Array(buffer[..<got])
        return true
    }

    /// Holds two chunks' length of the file at a time.
    private mutating func takeChunks(
        _ file: Descriptor, while isGoingOn: () -> Bool
    ) throws(DiskError) -> Bool {
        let cutter = ChunkCutter(contentSize: stamp.size)
        var buffer = [UInt8](repeating: 0, count: 2 * cutter.maximum)
        var zeros = ZeroChunks()
        let zeroLength = cutter.length(of: zeros.bytes(cutter.maximum).span)
        // What is read and not cut yet.
        var window = 0..<0
        var isAtEnd = false
        while isGoingOn() {
            if isHole(file, of: cutter.maximum) {
                try keep(zeros.bytes(zeroLength), zeros.id(zeroLength))
                window = window.dropFirst(zeroLength)
                continue
            }
            if window.count < cutter.maximum, !isAtEnd {
                Self.moveToFront(window, &buffer)
                window = 0..<window.count
                let room = window.upperBound..<buffer.count
                let got = try FileSystemCalls.read(
                    file, at: count + UInt64(window.count), into: &buffer, room)
                isAtEnd = got < room.count
                window = 0..<window.count + got
                if count + UInt64(window.count) > stamp.size { return false }
            }
            if window.isEmpty { return count == stamp.size }
            let length = cutter.length(of: buffer.span.extracting(window))
            let chunk = window.prefix(length)
            try keep(buffer[chunk], SHA256.hash(buffer[chunk]))
            window = window.dropFirst(length)
        }
        return false
    }

    private static func moveToFront(_ window: Range<Int>, _ buffer: inout [UInt8]) {
        guard window.lowerBound > 0, !window.isEmpty else { return }
        unsafe buffer.withUnsafeMutableBytes { bytes in
            guard let front = bytes.baseAddress else { return }
            unsafe memmove(front, front + window.lowerBound, window.count)
        }
    }

    /// Nothing is stored in the file from the next byte on.
    private func isHole(_ file: Descriptor, of length: Int) -> Bool {
        guard count + UInt64(length) <= stamp.size else { return false }
        let data = FileSystemCalls.nextData(file, from: count) ?? stamp.size
        return data >= count + UInt64(length)
    }

    private mutating func hash(_ bytes: ArraySlice<UInt8>) {
        if let prefix, prefix > count, prefix <= count + UInt64(bytes.count) {
            let part = bytes.prefix(Int(prefix - count))
            unsafe part.withUnsafeBytes { unsafe whole.update($0) }
            prefixDigest = whole.digestSoFar()
            let rest = bytes.dropFirst(part.count)
            unsafe rest.withUnsafeBytes { unsafe whole.update($0) }
        } else {
            unsafe bytes.withUnsafeBytes { unsafe whole.update($0) }
        }
        count += UInt64(bytes.count)
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>, _ id: ChunkID) throws(DiskError) {
        hash(bytes)
        references.append(ChunkReference(id: id, size: UInt32(bytes.count)))
        guard !known.contains(id), written.insert(id).inserted else { return }
        guard let chunk = try chunks.write(bytes, id: id) else { return }
        unfinished.append(chunk)
        unfinishedBytes += bytes.count
        // Much that waits to be written would hold up whoever makes something small durable.
        if unfinishedBytes >= Self.publishedAtOnce { try publish() }
    }

    /// Gives the chunks their names; they are durable from here on.
    mutating func publish() throws(DiskError) {
        try chunks.publish(unfinished)
        unfinished = []
        unfinishedBytes = 0
    }

    /// What was read.
    consuming func finish() -> ReadContent {
        let content: StoredContent = isInline ? .inline(inline) : .chunks(references)
        let stamp = stamp
        let prefixDigest = prefixDigest
        return ReadContent(
            stamp: stamp, digest: whole.finish(), prefixDigest: prefixDigest, content: content)
    }

    func drop() { chunks.drop(unfinished) }

    private var isInline: Bool { stamp.size <= UInt64(StoredContent.inlineLimit) }
    private static var publishedAtOnce: Int { 16 * 1_048_576 }
}
