import SyncCore
import SyncStore
import SyncTransport
import SyncWire

/// Chunks: their bytes are files, and an account's right to them is a row.
extension Application {
    func missingChunks(_ request: IncomingRequest, _ reply: @escaping Reply) {
        read(request, reply) { [limits, received] session, database throws(APIError) in
            let question = try decodeMessage(ChunkList.self, from: request.body)
            guard question.chunks.count <= limits.chunksInQuestion else { throw .tooLarge }
            let missing = try stored { () throws(StoreError) in
                try database.account(session.account).missing(among: question.chunks)
            }
            return .message(
                ChunkList(missing.filter { !received.contains($0, of: session.account) }))
        }
    }

    func getChunk(_ id: ChunkID, _ request: IncomingRequest, _ reply: @escaping Reply) {
        read(request, reply, by: files) { [self] session, database throws(APIError) in
            let bytes = try stored { () throws(StoreError) in
                try chunk(id, of: database.account(session.account), session.account)
            }
            guard let bytes else { throw .notFound }
            return .binary(bytes)
        }
    }

    /// Whoever knows a hash must not get what only another account has.
    private func chunk(
        _ id: ChunkID, of store: SQLiteAccountStore, _ account: AccountID
    ) throws(StoreError) -> [UInt8]? {
        if try store.hasChunk(id) { return try chunks.read(id) }
        return received.contains(id, of: account) ? try chunks.readReceived(id, of: account) : nil
    }

    /// As many of the chunks as fit the answer, at least one; those that are not there are left
    /// out.
    func fetchChunks(_ request: IncomingRequest, _ reply: @escaping Reply) {
        read(request, reply, by: files) { [self] session, database throws(APIError) in
            let question = try decodeMessage(ChunkList.self, from: request.body)
            guard question.chunks.count <= limits.chunksInQuestion else { throw .tooLarge }
            var found: [ChunkReference] = []
            var content: [UInt8] = []
            try stored { () throws(StoreError) in
                let account = database.account(session.account)
                for id in question.chunks {
                    guard let bytes = try chunk(id, of: account, session.account) else {
                        continue
                    }
                    guard found.isEmpty || content.count + bytes.count <= limits.chunkAnswerBytes
                    else { break }
                    found.append(ChunkReference(id: id, size: UInt32(bytes.count)))
                    content += bytes
                }
            }
            return .message(ChunkBundle(found, bytes: content))
        }
    }

    func putChunk(_ id: ChunkID, _ request: IncomingRequest, _ reply: @escaping Reply) {
        guard request.body.count <= limits.chunkBytes else { return reply(.failure(.tooLarge)) }
        let chunk = ChunkReference(id: id, size: UInt32(request.body.count))
        put(ChunkBundle([chunk], bytes: request.body), request, reply)
    }

    func putChunks(_ request: IncomingRequest, _ reply: @escaping Reply) {
        do throws(APIError) {
            let bundle = try decodeMessage(ChunkBundle.self, from: request.body)
            guard bundle.chunks.allSatisfy({ $0.size <= limits.chunkBytes }),
                bundle.chunks.count <= limits.chunksInBundle
            else { throw .tooLarge }
            put(bundle, request, reply)
        } catch {
            reply(.failure(error))
        }
    }

    /// They are answered once a killed process does not lose them.
    ///
    /// Durable they are before the rows say that they are there, and so before any operation that
    /// names them is taken.
    private func put(
        _ bundle: ChunkBundle, _ request: IncomingRequest, _ reply: @escaping Reply
    ) {
        guard let token = request.token else { return reply(.failure(.noToken)) }
        guard let held = held(request, token, reply) else { return reply(.failure(.busy)) }
        let isTaken = files.run { [self] connection in
            do throws(APIError) {
                let account = try connection.session(token).account
                try bundle.eachChunk { (chunk, bytes) throws(APIError) in
                    guard SHA256.hash(bytes) == chunk.id else { throw .wrongHash }
                }
                try stored { () throws(StoreError) in
                    try chunks.receive(bundle, of: account)
                    let bytes = received.add(bundle.chunks, of: account)
                    if bytes >= limits.mostReceivedBytes { try keepReceived(of: account) }
                    if bytes >= limits.receivedBytes { keepReceivedAside(of: account) }
                }
                held(.nothing)
            } catch {
                held(.failure(error))
            }
        }
        if !isTaken { held(.failure(.busy)) }
    }
}
