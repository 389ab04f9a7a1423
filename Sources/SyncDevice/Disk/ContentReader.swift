import Glibc
package import SyncCore
import SyncStore

/// Reads a file as it was at one moment, hashes it, and keeps its bytes for sending.
///
/// It works on the thread that calls it and takes 4 MiB of memory, however long the file is; a
/// caller who must not wait reads long files on a thread of its own. Reading our own counts as
/// reading for inotify: tell ``Watcher/pauseReading(_:)`` before.
package struct ContentReader: Sendable {
    private let folders: DeviceFolders
    let chunks: ChunkFolder

    package init(_ folders: DeviceFolders, chunks: ChunkFolder) {
        self.folders = folders
        self.chunks = chunks
    }

    /// Keeps others from opening the file until the hold is gone, if it is the one that was
    /// installed; nil if it is not.
    ///
    /// So nobody reads it unseen while the watch for readers is paused.
    package func hold(_ request: ReadRequest, installed: FileStamp) -> FileHold? {
        guard request.kind == .file else { return nil }
        do {
            let spot = try folders.spot(of: request.path)
            guard try FileSystemCalls.look(spot).stamp.identity == installed.identity else {
                return nil
            }
            let file = try FileSystemCalls.openContent(spot)
            return try FileHold(file, installed: installed)
        } catch {
            return nil
        }
    }

    /// Reads what stands at the request's path, by the file that is held if there is one.
    ///
    /// Chunks that are known are at the server, or in the file that is read: their bytes are not
    /// kept.
    package func read(
        _ request: ReadRequest, _ hold: FileHold? = nil, known: Set<ChunkID> = []
    ) -> ReadOutcome {
        do {
            let spot = try folders.spot(of: request.path)
            switch request.kind {
            case .file: return try readFile(spot, request, hold, known)
            case .link: return try readLink(spot)
            case .package: return try readPackage(spot, request, known: known)
            // A folder has no content.
            case .folder, .other: return .failed(.other)
            }
        } catch {
            // A lease that another program holds is a writer, too.
            if error.code == EAGAIN { return .busy }
            return error.isMissing ? .gone : .failed(error.failure)
        }
    }

    func open(_ path: LocalPath) -> Descriptor? {
        do throws(DiskError) {
            return try FileSystemCalls.openContent(folders.spot(of: path))
        } catch {
            return nil
        }
    }

    /// What stands there, to take chunks from it; nil if that cannot be done.
    func source(
        _ path: LocalPath, isPackage: Bool, chunks: [ChunkReference]
    ) -> ChunkSource? {
        guard isPackage else { return open(path).map { ChunkSource(file: $0, chunks: chunks) } }
        do throws(DiskError) {
            return try PackageSource(folders.spot(of: path), chunks: chunks)
                .map { ChunkSource(package: $0, chunks: chunks) }
        } catch {
            return nil
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

    private func readFile(
        _ spot: Spot, _ request: ReadRequest, _ hold: FileHold?, _ known: Set<ChunkID>
    ) throws(DiskError) -> ReadOutcome {
        let file = if let hold { hold.file } else { try FileSystemCalls.openContent(spot) }
        let before = try FileSystemCalls.look(file)
        guard before.kind == .file else { return .gone }
        // Who is alone with a file knows that nobody writes to it.
        if hold?.standing != .alone, !request.isForOpenFile,
            FileSystemCalls.hasWriter(file) == true
        {
            return .busy
        }
        var reading = Reading(
            stamp: before.stamp, prefix: request.prefix, known: known, chunks: chunks)
        do {
            guard try reading.take(file, while: { hold?.isWanted != true }),
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
