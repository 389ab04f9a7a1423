import Glibc
import SyncCore
import SyncStore

/// One file on its way into memory or into chunks.
struct Reading: ~Copyable {
    enum Progress {
        case going
        case complete
        /// The file has another length than its stamp says.
        case changed
    }

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
    /// Where chunks are not kept, because that is not asked for or there is no room for them, they
    /// are sent from the file, if it stays as it is.
    private var copies: Bool

    /// What a long content is cut with.
    private var cutting: Cutting?

    private struct Cutting {
        let cutter: ChunkCutter
        /// Two chunks' length of the file, and what of it is read and not cut yet.
        var buffer: [UInt8]
        var window = 0..<0
        var isAtEnd = false
        var zeros = ZeroChunks()
        /// Into how long chunks a hole is cut.
        let zeroLength: Int
        /// Up to here the file has a hole, if it has one where the next chunk is.
        var holeEnd: UInt64 = 0

        init(contentSize: UInt64) {
            cutter = ChunkCutter(contentSize: contentSize)
            buffer = [UInt8](repeating: 0, count: 2 * cutter.maximum)
            zeroLength = cutter.length(of: zeros.bytes(cutter.maximum).span)
        }
    }

    init(
        stamp: FileStamp, prefix: UInt64?, known: Set<ChunkID>, chunks: ChunkFolder, copies: Bool
    ) {
        self.copies = copies
        self.stamp = stamp
        self.prefix = prefix
        self.known = known
        self.chunks = chunks
        if prefix == 0 { prefixDigest = SHA256.hash([]) }
    }

    /// Reads a little.
    mutating func step(_ file: OpenContent) throws(DiskError) -> Progress {
        if isInline { return try takeInline(file) }
        if count == 0, copies { copies = chunks.fits(stamp.size) }
        var cutting = cutting.take() ?? Cutting(contentSize: stamp.size)
        defer { self.cutting = cutting }
        let goal = count + Self.stepBytes
        repeat {
            let progress = try takeChunk(file, &cutting)
            guard case .going = progress else { return progress }
        } while count < goal
        return .going
    }

    private mutating func takeInline(_ file: OpenContent) throws(DiskError) -> Progress {
        var buffer = [UInt8](repeating: 0, count: Int(stamp.size) + 1)
        let got = try file.read(at: 0, into: &buffer, 0..<buffer.count)
        guard got == Int(stamp.size) else { return .changed }
        hash(buffer[..<got])
        inline = Array(buffer[..<got])
        return .complete
    }

    private mutating func takeChunk(
        _ file: OpenContent, _ cutting: inout Cutting
    ) throws(DiskError) -> Progress {
        if try isHole(file, &cutting) {
            let length = cutting.zeroLength
            try keep(cutting.zeros.bytes(length), cutting.zeros.id(length))
            cutting.window = cutting.window.dropFirst(length)
            return .going
        }
        if cutting.window.count < cutting.cutter.maximum, !cutting.isAtEnd {
            Self.moveToFront(cutting.window, &cutting.buffer)
            let left = cutting.window.count
            let room = left..<cutting.buffer.count
            let got = try file.read(at: count + UInt64(left), into: &cutting.buffer, room)
            cutting.isAtEnd = got < room.count
            cutting.window = 0..<left + got
            if count + UInt64(left + got) > stamp.size { return .changed }
        }
        if cutting.window.isEmpty { return count == stamp.size ? .complete : .changed }
        let length = cutting.cutter.length(of: cutting.buffer.span.extracting(cutting.window))
        let chunk = cutting.window.prefix(length)
        try keep(cutting.buffer[chunk], SHA256.hash(cutting.buffer[chunk]))
        cutting.window = cutting.window.dropFirst(length)
        return .going
    }

    private static func moveToFront(_ window: Range<Int>, _ buffer: inout [UInt8]) {
        guard window.lowerBound > 0, !window.isEmpty else { return }
        unsafe buffer.withUnsafeMutableBytes { bytes in
            guard let front = bytes.baseAddress else { return }
            unsafe memmove(front, front + window.lowerBound, window.count)
        }
    }

    /// Nothing is stored in the file from the next byte on, for the longest chunk.
    private func isHole(
        _ file: OpenContent, _ cutting: inout Cutting
    ) throws(DiskError) -> Bool {
        let end = count + UInt64(cutting.cutter.maximum)
        guard end <= stamp.size else { return false }
        if cutting.holeEnd < end {
            cutting.holeEnd = try file.withOpen { (open) throws(DiskError) in
                FileSystemCalls.nextData(open, from: count) ?? stamp.size
            }
        }
        return cutting.holeEnd >= end
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
        guard copies, !known.contains(id), written.insert(id).inserted else { return }
        guard let chunk = try chunks.write(bytes, id: id) else { return }
        unfinished.append(chunk)
        unfinishedBytes += bytes.count
        // Much that waits to be written would hold up whoever makes something small durable.
        guard unfinishedBytes >= Self.publishedAtOnce else { return }
        try publish()
        copies = chunks.fits(0)
    }

    /// Gives the chunks their names; they are durable from here on.
    mutating func publish() throws(DiskError) {
        try chunks.publish(unfinished)
        unfinished = []
        unfinishedBytes = 0
    }

    /// What was read.
    func result() -> ReadContent {
        let content: StoredContent = isInline ? .inline(inline) : .chunks(references)
        return ReadContent(
            stamp: stamp, digest: whole.digestSoFar(), prefixDigest: prefixDigest,
            content: content)
    }

    /// What was kept and has no name yet goes.
    mutating func drop() {
        chunks.drop(unfinished)
        unfinished = []
    }

    private var isInline: Bool { stamp.size <= UInt64(StoredContent.inlineLimit) }
    private static var publishedAtOnce: Int { 16 * 1_048_576 }
    private static var stepBytes: UInt64 { 1_048_576 }
}
