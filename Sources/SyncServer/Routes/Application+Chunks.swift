import SyncCore
import SyncStore
import SyncTransport
import SyncWire

/// Chunks: their bytes are files, and an account's right to them is a row.
extension Application {
    func missingChunks(_ request: IncomingRequest, _ reply: @escaping Reply) {
        read(request, reply) { [limits] session, database throws(APIError) in
            let question = try decodeMessage(ChunkList.self, from: request.body)
            guard question.chunks.count <= limits.chunksInQuestion else { throw .tooLarge }
            let missing = try stored { () throws(StoreError) in
                try database.account(session.account).missing(among: question.chunks)
            }
            return .message(ChunkList(missing))
        }
    }

    func getChunk(_ id: ChunkID, _ request: IncomingRequest, _ reply: @escaping Reply) {
        read(request, reply, by: files) { [chunks] session, database throws(APIError) in
            let bytes = try stored { () throws(StoreError) in
                // Whoever knows a hash must not get what only another account has.
                try database.account(session.account).hasChunk(id) ? chunks.read(id) : nil
            }
            guard let bytes else { throw .notFound }
            return .binary(bytes)
        }
    }

    /// The bytes are durable before the row says that they are there.
    func putChunk(_ id: ChunkID, _ request: IncomingRequest, _ reply: @escaping Reply) {
        guard let token = request.token else { return reply(.failure(.noToken)) }
        guard let held = held(request, token, reply) else { return reply(.failure(.busy)) }
        arrivals.begin(id)
        let reply: Reply = { [arrivals] response in
            arrivals.end(id)
            held(response)
        }
        let isTaken = files.run { [self] connection in
            do throws(APIError) {
                _ = try connection.session(token)
                guard request.body.count <= limits.chunkBytes else { throw .tooLarge }
                guard SHA256.hash(request.body) == id else { throw .wrongHash }
                try stored { () throws(StoreError) in try chunks.write(request.body, as: id) }
                guard committer.submit(adding(id, request.body.count, token, reply)) else {
                    throw .busy
                }
            } catch {
                reply(.failure(error))
            }
        }
        if !isTaken { reply(.failure(.busy)) }
    }

    private func adding(
        _ id: ChunkID, _ size: Int, _ token: Digest, _ reply: @escaping Reply
    ) -> Write {
        Write.ofDevice(token, weight: 1, reply) { session, database throws(StoreError) in
            try database.account(session.account).addChunk(id, size: UInt32(size))
            return Performed(answer: { reply(.nothing) })
        }
    }
}
