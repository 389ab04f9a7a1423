import SyncCore
import SyncStore

/// A file or package on this device that a content may have chunks in common with.
///
/// It may have changed since it was cut: what is taken from it is hashed.
struct ChunkSource: Sendable {
    private enum Origin: Sendable {
        case file(QuietFile)
        case plain(Descriptor)
        case package(PackageSource)
    }

    private let origin: Origin
    /// In the content's order.
    let chunks: [ChunkReference]

    init(file: QuietFile, chunks: [ChunkReference]) {
        origin = .file(file)
        self.chunks = chunks
    }

    /// A file that no watch looks at.
    init(plain: Descriptor, chunks: [ChunkReference]) {
        origin = .plain(plain)
        self.chunks = chunks
    }

    init(package: PackageSource, chunks: [ChunkReference]) {
        origin = .package(package)
        self.chunks = chunks
    }

    /// A stretch of the content; nil if it cannot be had.
    func read(at offset: UInt64, count: Int) -> [UInt8]? {
        switch origin {
        case .file(let file): file.read(at: offset, count: count)
        case .plain(let file): (try? FileSystemCalls.read(file, at: offset, count: count)) ?? nil
        case .package(let package): package.read(at: offset, count: count)
        }
    }

    /// Reads chunks and closes; nil if one of them is not there any more.
    func taking(_ wanted: Set<ChunkID>) -> [ChunkID: [UInt8]]? {
        defer { close() }
        var found: [ChunkID: [UInt8]] = [:]
        var offset: UInt64 = 0
        for chunk in chunks where found.count < wanted.count {
            if wanted.contains(chunk.id), found[chunk.id] == nil {
                guard let bytes = read(at: offset, count: Int(chunk.size)),
                    SHA256.hash(bytes) == chunk.id
                else { return nil }
                found[chunk.id] = bytes
            }
            offset += UInt64(chunk.size)
        }
        return found.count == wanted.count ? found : nil
    }

    /// Nothing is read any more.
    func close() {
        if case .file(let file) = origin { file.close() }
    }
}
