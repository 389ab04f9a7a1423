import Glibc
package import SyncCore
import SyncStore
import Synchronization

/// The chunks that wait in the device's own folder until the server has them, named by their ids.
///
/// A chunk is there whole and durable, or not at all.
package final class ChunkFolder: Sendable {
    private let folders: DeviceFolders
    /// The thread of a session that has ended may still be at its own names of the moment.
    private let session = UInt64.random(in: .min ... .max)
    private let lastNumber = Atomic<UInt64>(0)

    package init(_ folders: DeviceFolders) { self.folders = folders }

    /// Nil if the chunk is not there, or is not what its id says.
    package func read(_ chunk: ChunkReference) throws(DiskError) -> [UInt8]? {
        let file: Descriptor
        do {
            file = try FileSystemCalls.openContent(spot(of: chunk.id))
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: Int(chunk.size))
        let count = try FileSystemCalls.read(file, into: &bytes, count: bytes.count)
        guard count == bytes.count, SHA256.hash(bytes) == chunk.id else { return nil }
        return bytes
    }

    /// Forgets a chunk; one that is not there is no error.
    package func remove(_ chunk: ChunkID) throws(DiskError) {
        do {
            try FileSystemCalls.removeFile(spot(of: chunk))
        } catch {
            guard error.isMissing else { throw error }
        }
    }

    /// The ids of all chunks that are there.
    package func list() throws(DiskError) -> [ChunkID] {
        try FileSystemCalls.names(in: folders.chunks).compactMap { name in
            decodeHexadecimal(name.text).flatMap { Digest(bytes: $0) }
        }
    }

    /// Removes what a reading that did not end has left; for the start, before anything is read.
    package func removeUnfinished() throws(DiskError) {
        for name in try FileSystemCalls.names(in: folders.chunks)
        where name.text.hasPrefix(Self.unfinished) {
            try FileSystemCalls.removeFile(Spot(folders.chunks, name))
        }
    }

    /// Writes bytes under a name of the moment, to be kept by ``publish(_:)`` or dropped.
    func write(_ bytes: ArraySlice<UInt8>, id: ChunkID) throws(DiskError) -> UnfinishedChunk? {
        // One that is there and damaged is written again.
        let chunk = ChunkReference(id: id, size: UInt32(bytes.count))
        if try read(chunk) != nil { return nil }
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        let spot = Spot(folders.chunks, "\(Self.unfinished)\(session)-\(number)")
        let file = try FileSystemCalls.openNew(spot)
        do {
            try FileSystemCalls.write(bytes, to: file)
        } catch {
            try? FileSystemCalls.removeFile(spot)
            throw error
        }
        return UnfinishedChunk(spot: spot, id: id)
    }

    /// Whether the disk has room for so many bytes of chunks, and some to spare.
    func fits(_ bytes: UInt64) -> Bool {
        // A disk that cannot be asked says by itself when it is full.
        (try? FileSystemCalls.room(of: folders.chunks))?.fits(bytes) ?? true
    }

    /// Makes the chunks durable, then gives them their names, durably too.
    func publish(_ chunks: [UnfinishedChunk]) throws(DiskError) {
        if chunks.count > Self.syncedOneByOne {
            try FileSystemCalls.syncAll(folders.chunks)
        } else {
            for chunk in chunks {
                try FileSystemCalls.sync(try FileSystemCalls.openContent(chunk.spot))
            }
        }
        for chunk in chunks {
            // What it replaces has the same bytes, or is damaged.
            try FileSystemCalls.replace(chunk.spot, to: spot(of: chunk.id))
        }
        if !chunks.isEmpty { try FileSystemCalls.sync(folders.chunks) }
    }

    /// Keeps a content that was made here, cut as one that was read: of a package each part by
    /// itself; without chunks that are known to be at the server.
    package func keep(
        _ content: [UInt8], sections: [UInt64]? = nil, known: Set<ChunkID> = []
    ) throws(DiskError) -> StoredContent {
        var references: [ChunkReference] = []
        var unfinished: [UnfinishedChunk] = []
        var rest = content[...]
        for section in sections ?? [UInt64(content.count)] {
            let cutter = ChunkCutter(contentSize: section)
            var left = rest.prefix(Int(clamping: section))
            rest = rest.dropFirst(left.count)
            while !left.isEmpty {
                let bytes = left.prefix(cutter.length(of: left.span))
                left = left.dropFirst(bytes.count)
                let id = SHA256.hash(bytes)
                references.append(ChunkReference(id: id, size: UInt32(bytes.count)))
                guard !known.contains(id) else { continue }
                if let chunk = try write(bytes, id: id) { unfinished.append(chunk) }
            }
        }
        try publish(unfinished)
        return .chunks(references)
    }

    func drop(_ chunks: [UnfinishedChunk]) {
        for chunk in chunks { try? FileSystemCalls.removeFile(chunk.spot) }
    }

    private func spot(of chunk: ChunkID) -> Spot { Spot(folders.chunks, chunk.text) }

    private static var unfinished: String { "new-" }
    /// More files than this are made durable by one call for all.
    private static var syncedOneByOne: Int { 2 }
}

/// A chunk that lies in the folder under a name of the moment.
struct UnfinishedChunk: Sendable {
    let spot: Spot
    let id: ChunkID
}
