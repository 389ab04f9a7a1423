import SyncCore

/// A file that is read by us and is watched for readers: our own reading is not somebody's, and
/// nobody else reads it unseen meanwhile.
struct WatchedReading: Sendable {
    let item: ItemID
    /// The file as it was installed.
    let installed: FileStamp

    struct Outcome: Sendable {
        let read: ReadOutcome
        /// Somebody had it open, for reading, when we came.
        var wasBeingRead = false
        /// It was watched and unread: it is to be watched again, now that our own file is closed.
        var isUnread = false
    }

    /// Reads, on any thread; nil if nobody needs to be told of readers.
    static func read(
        _ request: ReadRequest, _ watched: WatchedReading?, _ reader: ContentReader,
        _ watcher: Watcher, known: Set<ChunkID> = []
    ) -> Outcome {
        guard let watched, watcher.isWatchingReading(watched.item) else {
            return Outcome(read: reader.read(request, known: known))
        }
        return watched.read(request, reader, watcher, known)
    }

    private func read(
        _ request: ReadRequest, _ reader: ContentReader, _ watcher: Watcher,
        _ known: Set<ChunkID>
    ) -> Outcome {
        let isOurs = watcher.hasOpen(installed.identity)
        let hold = reader.hold(request, installed: installed)
        let isUnread = watcher.pauseReading(item)
        let outcome = reader.read(request, hold, known: known)
        // Before the hold is gone: who waits to open it is seen reading.
        if isUnread, let hold, hold.standing == .alone { watcher.watchReading(item, hold) }
        return Outcome(
            read: outcome, wasBeingRead: hold?.standing == .beingRead && !isOurs,
            isUnread: isUnread)
    }
}
