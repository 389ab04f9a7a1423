import Glibc
package import SyncCore
import SyncStore

/// Reads a file as it was at one moment, hashes it, and keeps its bytes for sending.
///
/// It works on the thread that calls it and takes 4 MiB of memory, however long the file is; a
/// caller who must not wait reads long files on a thread of its own.
package struct ContentReader: Sendable {
    private let folders: DeviceFolders
    private let chunks: ChunkFolder

    package init(_ folders: DeviceFolders, chunks: ChunkFolder) {
        self.folders = folders
        self.chunks = chunks
    }

    /// Reads what stands at the request's path.
    ///
    /// Chunks that are known are at the server, or in the file that is read: their bytes are not
    /// kept.
    package func read(_ request: ReadRequest, known: Set<ChunkID> = []) -> ReadOutcome {
        begin(request, nil, nil, known: known).finish()
    }

    /// The same a little at a time, also of what is watched for readers.
    func begin(
        _ request: ReadRequest, _ watched: WatchedReading?, _ watcher: Watcher?,
        known: Set<ChunkID> = [], syncs: Bool = true, copies: Bool = true
    ) -> GradualRead {
        GradualRead(
            request, watched, folders, chunks, watcher, known: known, syncs: syncs, copies: copies)
    }

    /// Opens what stands there to take chunks from it, unseen by the watch for readers; nil if that
    /// cannot be done.
    package func open(_ path: LocalPath, _ watcher: Watcher) -> QuietFile? {
        do throws(DiskError) {
            return try QuietFile(folders.spot(of: path), watcher)
        } catch {
            return nil
        }
    }

    /// The same of what is not watched for readers.
    func openUnwatched(_ path: LocalPath) -> Descriptor? {
        do throws(DiskError) {
            return try FileSystemCalls.openContent(folders.spot(of: path))
        } catch {
            return nil
        }
    }

    /// The same for a package.
    func openPackage(
        _ path: LocalPath, chunks: [ChunkReference], _ watcher: Watcher
    ) -> ChunkSource? {
        do throws(DiskError) {
            return try PackageSource(folders.spot(of: path), chunks: chunks, watcher)
                .map { ChunkSource(package: $0, chunks: chunks) }
        } catch {
            return nil
        }
    }
}
