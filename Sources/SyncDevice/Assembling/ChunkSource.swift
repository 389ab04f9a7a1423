import SyncCore

/// A file on this device that a content may have chunks in common with.
///
/// It may have changed since it was cut: what is taken from it is hashed.
struct ChunkSource: Sendable {
    let file: QuietFile
    /// In the file's order.
    let chunks: [ChunkReference]
}
