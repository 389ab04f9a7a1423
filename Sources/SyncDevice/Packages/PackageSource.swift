import SyncCore

/// A package on this disk whose members' bytes are taken as if they stood behind its list.
///
/// Where each begins is told by the sizes that they have now: what is taken from it is hashed.
struct PackageSource: Sendable {
    private struct Part {
        let path: [UInt8]
        let start: UInt64
        let size: UInt64
        let isLink: Bool
    }

    private let folder: Descriptor
    private let identity: FileIdentity
    private let watcher: Watcher
    private let parts: [Part]

    /// Nil if its members are more than these chunks have.
    init?(_ spot: Spot, chunks: [ChunkReference], _ watcher: Watcher) throws(DiskError) {
        let walk = try PackageWalk(spot)
        identity = walk.stamp.identity
        self.watcher = watcher
        let members = walk.entries.filter { $0.kind != .folder }
        let size = members.reduce(UInt64(0)) { $0 &+ $1.stamp.size }
        let all = chunks.reduce(UInt64(0)) { $0 + UInt64($1.size) }
        guard size <= all else { return nil }
        folder = try FileSystemCalls.openFolder(spot)
        var start = all - size
        var parts: [Part] = []
        for member in members where member.stamp.size > 0 {
            parts.append(
                Part(
                    path: member.path, start: start, size: member.stamp.size,
                    isLink: member.kind == .link))
            start += member.stamp.size
        }
        self.parts = parts
    }

    /// A stretch that lies in one member; nil if it does not, or cannot be had.
    func read(at offset: UInt64, count: Int) -> [UInt8]? {
        do throws(DiskError) {
            return try watcher.readingOurselves(identity) { () throws(DiskError) in
                try stretch(at: offset, count: count)
            }
        } catch {
            return nil
        }
    }

    private func stretch(at offset: UInt64, count: Int) throws(DiskError) -> [UInt8]? {
        guard let part = part(holding: offset), offset - part.start + UInt64(count) <= part.size
        else { return nil }
        let spot = try FileSystemCalls.member(part.path, of: folder)
        if part.isLink {
            let target = try FileSystemCalls.readLink(spot)
            let stretch = target.dropFirst(Int(offset - part.start)).prefix(count)
            return stretch.count == count ? Array(stretch) : nil
        }
        return try FileSystemCalls.read(
            FileSystemCalls.openContent(spot), at: offset - part.start, count: count)
    }

    /// The last part that begins at or before the offset.
    private func part(holding offset: UInt64) -> Part? {
        var low = 0
        var high = parts.count
        while low < high {
            let middle = (low + high) / 2
            if parts[middle].start <= offset { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? parts[low - 1] : nil
    }
}
