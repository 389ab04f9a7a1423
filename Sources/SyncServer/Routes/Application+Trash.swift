import SyncCore
import SyncStore
import SyncTransport
import SyncWire

/// What was deleted and can be brought back, and what has no place.
extension Application {
    /// Items in one answer.
    private static let trashPage = 2_000

    func trash(_ request: IncomingRequest, _ reply: @escaping Reply) {
        read(request, reply) { session, database throws(APIError) in
            let question = try decodeMessage(TrashRequest.self, from: request.body)
            let page = try stored { () throws(StoreError) in
                try database.account(session.account).trash(
                    after: question.after, limit: Application.trashPage,
                    at: database.collectionClock().collections)
            }
            return .message(page)
        }
    }
}
