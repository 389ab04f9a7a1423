import SyncCore

/// A file or package on this device that a content may have chunks in common with.
///
/// It may have changed since it was cut: what is taken from it is hashed.
struct ChunkSource: Sendable {
    enum Origin: Sendable {
        case file(Descriptor)
        case package(PackageSource)
    }

    let origin: Origin
    /// In the content's order.
    let chunks: [ChunkReference]

    init(file: Descriptor, chunks: [ChunkReference]) {
        origin = .file(file)
        self.chunks = chunks
    }

    init(package: PackageSource, chunks: [ChunkReference]) {
        origin = .package(package)
        self.chunks = chunks
    }

    /// A stretch of the content; nil if it is not there.
    func read(at offset: UInt64, count: Int) throws(DiskError) -> [UInt8]? {
        switch origin {
        case .file(let file): try FileSystemCalls.read(file, at: offset, count: count)
        case .package(let package): try package.read(at: offset, count: count)
        }
    }
}
