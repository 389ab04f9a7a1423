import Glibc
import SyncCore
import SyncStore

/// A package on its way into memory or into chunks: its list, then its members, each cut by itself.
struct PackageReading: ~Copyable {
    private let list: PackageList
    private let known: Set<ChunkID>
    private let chunks: ChunkFolder
    private let isInline: Bool
    private var whole = SHA256()
    private var inline: [UInt8] = []
    private var references: [ChunkReference] = []
    private var unfinished: [UnfinishedChunk] = []
    private var unfinishedBytes = 0
    private var written: Set<ChunkID> = []

    init(_ list: PackageList, known: Set<ChunkID>, chunks: ChunkFolder) throws(DiskError) {
        self.list = list
        self.known = known
        self.chunks = chunks
        isInline = list.contentSize.map { $0 <= UInt64(StoredContent.inlineLimit) } ?? false
        let bytes = list.bytes
        try take(bytes, of: ChunkCutter(contentSize: UInt64(bytes.count)))
    }

    /// The bytes of a link or a short file, whole.
    mutating func take(_ bytes: [UInt8]) throws(DiskError) {
        try take(bytes, of: ChunkCutter(contentSize: UInt64(bytes.count)))
    }

    /// The first chunk of what is left of a long file; gives its length.
    mutating func takeChunk(
        of window: [UInt8], _ cutter: ChunkCutter
    ) throws(DiskError) -> Int {
        let length = cutter.length(of: window.span)
        try keep(window[..<length])
        return length
    }

    private mutating func take(_ bytes: [UInt8], of cutter: ChunkCutter) throws(DiskError) {
        var left = bytes[...]
        while !left.isEmpty {
            let part = isInline ? left : left.prefix(cutter.length(of: left.span))
            try keep(part)
            left = left.dropFirst(part.count)
        }
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) throws(DiskError) {
        unsafe bytes.withUnsafeBytes { unsafe whole.update($0) }
        guard !isInline else {
            inline += bytes
            return
        }
        let id = SHA256.hash(bytes)
        references.append(ChunkReference(id: id, size: UInt32(bytes.count)))
        guard !known.contains(id), written.insert(id).inserted else { return }
        guard let chunk = try chunks.write(bytes, id: id) else { return }
        unfinished.append(chunk)
        unfinishedBytes += bytes.count
        if unfinishedBytes >= Self.publishedAtOnce { try publish() }
    }

    /// Gives the chunks their names; they are durable from here on.
    mutating func publish() throws(DiskError) {
        try chunks.publish(unfinished)
        unfinished = []
        unfinishedBytes = 0
    }

    func result(_ stamp: FileStamp) -> ReadContent {
        let content: StoredContent = isInline ? .inline(inline) : .chunks(references)
        return ReadContent(
            stamp: stamp, digest: whole.digestSoFar(), prefixDigest: nil, content: content)
    }

    func drop() { chunks.drop(unfinished) }

    private static var publishedAtOnce: Int { 16 * 1_048_576 }
}
