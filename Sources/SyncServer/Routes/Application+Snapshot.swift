import SyncCore
import SyncStore
import SyncTransport
import SyncWire

/// The account as it is: for a device that has met another history than its own.
extension Application {
    /// All of it is read at one position.
    func snapshot(_ request: IncomingRequest, _ reply: @escaping Reply) {
        read(request, reply) { [authority] session, database throws(APIError) in
            let question = try decodeMessage(SnapshotRequest.self, from: request.body)
            let snapshot = try stored { () throws(StoreError) in
                try database.reading { database throws(StoreError) in
                    try authority.snapshot(
                        for: question.landmarks, at: database.collectionClock().collections,
                        reading: database.account(session.account))
                }
            }
            return .message(snapshot)
        }
    }
}
