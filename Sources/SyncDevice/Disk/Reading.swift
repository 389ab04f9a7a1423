import SyncCore
import SyncStore

/// One file on its way into memory or into chunks.
struct Reading: ~Copyable {
    private let stamp: FileStamp
    private let chunks: ChunkFolder
    private let prefix: UInt64?
    private var whole = SHA256()
    private var start = SHA256()
    /// The bytes read so far.
    private var count: UInt64 = 0
    private var inline: [UInt8] = []
    private var references: [ChunkReference] = []
    private var unfinished: [UnfinishedChunk] = []

    init(stamp: FileStamp, prefix: UInt64?, chunks: ChunkFolder) {
        self.stamp = stamp
        self.prefix = prefix
        self.chunks = chunks
    }

    /// Reads to the end; false if the file has another length than its stamp says, or if it is not
    /// to be gone on with before that.
    mutating func take(
        _ file: Descriptor, while isGoingOn: () -> Bool
    ) throws(DiskError) -> Bool {
        let limit = isInline ? StoredContent.inlineLimit + 1 : Self.chunkSize
        var buffer = [UInt8](
            repeating: 0, count: isInline ? min(limit, Int(stamp.size) + 1) : limit)
        while true {
            let got = try FileSystemCalls.read(file, into: &buffer, count: buffer.count)
            try take(buffer[..<got])
            if count > stamp.size { return false }
            if got < buffer.count { return count == stamp.size }
            guard isGoingOn() else { return false }
        }
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) throws(DiskError) {
        guard !bytes.isEmpty else { return }
        unsafe bytes.withUnsafeBytes { unsafe whole.update($0) }
        if let prefix, prefix > count {
            let part = bytes.prefix(Int(min(prefix - count, UInt64(bytes.count))))
            unsafe part.withUnsafeBytes { unsafe start.update($0) }
        }
        count += UInt64(bytes.count)
        if isInline {
            inline.append(contentsOf: bytes)
        } else {
            try keep(bytes)
        }
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) throws(DiskError) {
        let id = unsafe bytes.withUnsafeBytes { unsafe SHA256.hash($0) }
        references.append(ChunkReference(id: id, size: UInt32(bytes.count)))
        if let chunk = try chunks.write(bytes, id: id) { unfinished.append(chunk) }
    }

    /// Gives the chunks their names; they are durable from here on.
    func publish() throws(DiskError) { try chunks.publish(unfinished) }

    /// What was read.
    consuming func finish() -> ReadContent {
        let content: StoredContent = isInline ? .inline(inline) : .chunks(references)
        let hasPrefix = prefix.map { $0 <= count } ?? false
        let stamp = stamp
        let startDigest = start.finish()
        return ReadContent(
            stamp: stamp, digest: whole.finish(), prefixDigest: hasPrefix ? startDigest : nil,
            content: content)
    }

    func drop() { chunks.drop(unfinished) }

    private var isInline: Bool { stamp.size <= UInt64(StoredContent.inlineLimit) }
    /// Chunks of one file are all of this size but the last.
    static var chunkSize: Int { 1_048_576 }
}
