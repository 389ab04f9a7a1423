import SyncCore

/// What travels between a device and the server.
enum Message {
    /// Bytes of an `OperationsMessage` and, back, of an `OperationsAnswer`.
    case operations(ticket: UInt64, [UInt8])
    case answer(ticket: UInt64, [UInt8])
    /// Bytes of a `PullMessage` and a `PullAnswer`.
    case pull(ticket: UInt64, [UInt8])
    case pulled(ticket: UInt64, [UInt8])
    /// Opens a push stream; the position is the newest of the log.
    case connect(connection: UInt64)
    case connected(connection: UInt64)
    /// Bytes of a `PushMessage`.
    case push(connection: UInt64, [UInt8])
    case upload(ticket: UInt64, [Chunk])
    /// Not if a chunk is not what its id says.
    case uploaded(ticket: UInt64, succeeded: Bool)
    case fetchChunks(ticket: UInt64, [ChunkID])
    case fetchVersion(ticket: UInt64, VersionID)
    case fetchHistory(ticket: UInt64, ItemID)
    /// Bytes of a `SnapshotRequest` and, back, of an `AccountSnapshot`.
    case fetchSnapshot(ticket: UInt64, [UInt8])
    case fetchedSnapshot(ticket: UInt64, [UInt8])
    /// Without inline contents.
    case fetchedHistory(ticket: UInt64, [Version])
    /// The bytes of the chunks, nil if one is missing.
    case fetchedChunks(ticket: UInt64, [UInt8]?)
    case fetchedVersion(ticket: UInt64, Version?)

    struct Chunk {
        let id: ChunkID
        var bytes: [UInt8]
    }

    /// Messages of one stream keep their order, and are lost only with the stream.
    var connection: UInt64? {
        switch self {
        case .push(let connection, _), .connected(let connection): connection
        default: nil
        }
    }
}
