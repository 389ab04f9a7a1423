import SyncCore

/// A file that is watched for readers, and that we read ourselves.
struct WatchedReading: Sendable {
    let item: ItemID
    /// The file as it was installed.
    let installed: FileStamp
}
