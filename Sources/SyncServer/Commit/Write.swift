import SyncCore
import SyncStore

/// Work that changes the database, done together with others in one transaction.
struct Write: Sendable {
    /// How many operations it counts for.
    let weight: Int
    /// Reads and writes within the transaction; may be run again in another one.
    let perform: @Sendable (ServerDatabase) throws(StoreError) -> Performed
    /// Says that it was not done; nothing of it holds.
    let fail: @Sendable (APIError) -> Void
}

extension Write {
    /// Work for the device whose token has this hash.
    ///
    /// The token is looked up within the transaction, so that a revocation counts from its commit
    /// on, whoever made it.
    static func ofDevice(
        _ token: Digest, weight: Int, _ reply: @escaping Application.Reply,
        _ work: @escaping @Sendable (Session, ServerDatabase) throws(StoreError) -> Performed
    ) -> Write {
        Write(
            weight: weight,
            perform: { database throws(StoreError) in
                switch admission(try database.session(token)) {
                case .success(let session):
                    return try work(session, database)
                case .failure(let error):
                    return Performed(answer: { reply(.failure(error)) })
                }
            },
            fail: { reply(.failure($0)) })
    }
}

/// The session if it may go on.
func admission(_ session: Session?) -> Result<Session, APIError> {
    guard let session else { return .failure(.unknownToken) }
    return session.isRevoked ? .failure(.revoked) : .success(session)
}

/// What is to be done about a write once it is durable.
struct Performed: Sendable {
    /// What the account's devices are to be told.
    var news: News?
    /// Answers whoever asked for it.
    let answer: @Sendable () -> Void
}

/// New entries of an account's log.
struct News: Sendable {
    let account: AccountID
    let after: Position
    var entries: [LogEntry]
}
