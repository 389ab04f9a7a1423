import Glibc
package import SyncCore
import SyncStore

/// Reads a file as it was at one moment, hashes it, and keeps its bytes for sending.
///
/// It works on the thread that calls it and takes 1 MiB of memory, however long the file is; a
/// caller who must not wait reads long files on a thread of its own. Reading our own counts as
/// reading for inotify: tell ``Watcher/pauseReading(_:)`` before.
package struct ContentReader: Sendable {
    private let folders: DeviceFolders
    private let chunks: ChunkFolder

    package init(_ folders: DeviceFolders, chunks: ChunkFolder) {
        self.folders = folders
        self.chunks = chunks
    }

    package func read(_ request: ReadRequest) -> ReadOutcome {
        do {
            let spot = try folders.spot(of: request.path)
            switch request.kind {
            case .file: return try readFile(spot, request)
            case .link: return try readLink(spot)
            // A folder has no content.
            case .folder, .other: return .failed(.other)
            }
        } catch {
            // A lease that another program holds is a writer, too.
            if error.code == EAGAIN { return .busy }
            return error.isMissing ? .gone : .failed(error.failure)
        }
    }

    private func readLink(_ spot: Spot) throws(DiskError) -> ReadOutcome {
        let before = try FileSystemCalls.look(spot)
        guard before.kind == .link else { return .gone }
        let target = try FileSystemCalls.readLink(spot)
        guard try FileSystemCalls.look(spot).stamp.isUntouched(since: before.stamp) else {
            return .busy
        }
        return .content(
            ReadContent(
                stamp: before.stamp, digest: SHA256.hash(target), prefixDigest: nil,
                content: .inline(target)))
    }

    private func readFile(_ spot: Spot, _ request: ReadRequest) throws(DiskError) -> ReadOutcome {
        let file = try FileSystemCalls.openContent(spot)
        let before = try FileSystemCalls.look(file)
        guard before.kind == .file else { return .gone }
        if !request.isForOpenFile, FileSystemCalls.hasWriter(file) == true { return .busy }
        var reading = Reading(stamp: before.stamp, prefix: request.prefix, chunks: chunks)
        do {
            guard try reading.take(file),
                try isUnchanged(file, at: spot, since: before.stamp)
            else {
                reading.drop()
                return .busy
            }
            try reading.publish()
        } catch {
            reading.drop()
            throw error
        }
        return .content(reading.finish())
    }

    /// Also its name must still be there: what was read is to be the content of the slot.
    private func isUnchanged(
        _ file: Descriptor, at spot: Spot, since stamp: FileStamp
    ) throws(DiskError) -> Bool {
        let after = try FileSystemCalls.look(file).stamp
        guard after.isUntouched(since: stamp), after.changed == stamp.changed else {
            return false
        }
        return try FileSystemCalls.lookIfThere(spot)?.stamp.identity == stamp.identity
    }
}
