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

    private mutating func take(_ bytes: [UInt8], of cutter: ChunkCutter) throws(DiskError) {
        var left = bytes[...]
        while !left.isEmpty {
            let part = isInline ? left : left.prefix(cutter.length(of: left.span))
            try keep(part)
            left = left.dropFirst(part.count)
        }
    }

    /// The next member's file, of so many bytes; false if it has another length.
    mutating func take(_ file: Descriptor, size: UInt64) throws(DiskError) -> Bool {
        let cutter = ChunkCutter(contentSize: size)
        if size <= UInt64(cutter.maximum) {
            guard let bytes = try FileSystemCalls.readAll(of: file, size: Int(size)) else {
                return false
            }
            try take(bytes, of: cutter)
            return true
        }
        var offset: UInt64 = 0
        var window: [UInt8] = []
        while offset < size {
            let next = offset + UInt64(window.count)
            if window.count < cutter.maximum, next < size {
                let wanted = min(UInt64(2 * cutter.maximum - window.count), size - next)
                guard
                    let more = try FileSystemCalls.read(file, at: next, count: Int(wanted))
                else { return false }
                window += more
            }
            let length = cutter.length(of: window.span)
            try keep(window[..<length])
            window.removeFirst(length)
            offset += UInt64(length)
        }
        return true
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

    consuming func finish(_ stamp: FileStamp) -> ReadContent {
        let content: StoredContent = isInline ? .inline(inline) : .chunks(references)
        return ReadContent(
            stamp: stamp, digest: whole.finish(), prefixDigest: nil, content: content)
    }

    func drop() { chunks.drop(unfinished) }

    private static var publishedAtOnce: Int { 16 * 1_048_576 }
}

extension FileSystemCalls {
    /// A whole file, if it has just so many bytes.
    fileprivate static func readAll(
        of file: Descriptor, size: Int
    ) throws(DiskError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: size + 1)
        let got = try read(file, at: 0, into: &bytes, 0..<bytes.count)
        guard got == size else { return nil }
        return Array(bytes[..<got])
    }
}

extension ContentReader {
    /// Reads a package as it was at one moment: nothing in it may have changed meanwhile.
    func readPackage(
        _ spot: Spot, _ request: ReadRequest, known: Set<ChunkID>
    ) throws(DiskError) -> ReadOutcome {
        let before = try PackageWalk(spot)
        guard let list = before.list else { return .failed(.nameNotPossible) }
        let package = try FileSystemCalls.openFolder(spot)
        var reading = try PackageReading(list, known: known, chunks: chunks)
        do {
            for entry in before.entries {
                guard try take(entry, of: package, into: &reading, request) else {
                    reading.drop()
                    return .busy
                }
            }
            guard try PackageWalk(spot).isUnchanged(since: before) else {
                reading.drop()
                return .busy
            }
            try reading.publish()
        } catch {
            reading.drop()
            // A member that is gone is not the package.
            if error.isMissing, try FileSystemCalls.lookIfThere(spot) != nil { return .busy }
            throw error
        }
        return .content(reading.finish(before.stamp))
    }

    private func take(
        _ entry: PackageWalk.Entry, of package: Descriptor, into reading: inout PackageReading,
        _ request: ReadRequest
    ) throws(DiskError) -> Bool {
        switch entry.kind {
        case .folder: return true
        case .link:
            let spot = try FileSystemCalls.member(entry.path, of: package)
            let target = try FileSystemCalls.readLink(spot)
            guard UInt64(target.count) == entry.stamp.size else { return false }
            try reading.take(target)
            return true
        case .file:
            let file = try FileSystemCalls.openContent(
                FileSystemCalls.member(entry.path, of: package))
            guard try FileSystemCalls.look(file).stamp.identity == entry.stamp.identity else {
                return false
            }
            if !request.isForOpenFile, FileSystemCalls.hasWriter(file) == true { return false }
            return try reading.take(file, size: entry.stamp.size)
        }
    }
}
