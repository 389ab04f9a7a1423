import SyncCore
import SyncStore

/// A connection that only reads, used by one thread of the readers at a time.
final class ReadConnection: @unchecked Sendable {
    let database: ServerDatabase

    init(_ database: sending ServerDatabase) { self.database = database }

    /// Whose token has this hash.
    func session(_ token: Digest) throws(APIError) -> Session {
        let session = try stored { () throws(StoreError) in try database.session(token) }
        return try admission(session).get()
    }
}
