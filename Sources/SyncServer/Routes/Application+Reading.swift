import SyncCore
import SyncStore
import SyncTransport
import SyncWire

/// Requests that change nothing, done by the threads that read.
extension Application {
    /// Has a request of a known device done by a thread that may wait for the database.
    func read(
        _ request: IncomingRequest, _ reply: @escaping Reply,
        by pool: WorkerPool<ReadConnection>? = nil,
        _ work: @escaping @Sendable (Session, ServerDatabase) throws(APIError) -> HTTPResponse
    ) {
        guard let token = request.token else { return reply(.failure(.noToken)) }
        let isTaken = (pool ?? readers).run { [contacts] connection in
            do throws(APIError) {
                let session = try connection.session(token)
                contacts.note(session, at: Clocks.wall())
                reply(try work(session, connection.database))
            } catch {
                reply(.failure(error))
            }
        }
        if !isTaken { reply(.failure(.busy)) }
    }

    func account(_ request: IncomingRequest, _ reply: @escaping Reply) {
        read(request, reply) { session, database throws(APIError) in
            let number = try stored { () throws(StoreError) in
                try database.account(session.account).position().number
            }
            return .json(
                JSONBodies.Account(
                    account: session.account.text, accountName: session.accountName,
                    device: session.device.text, deviceName: session.deviceName, number: number))
        }
    }

    func devices(_ request: IncomingRequest, _ reply: @escaping Reply) {
        read(request, reply) { session, database throws(APIError) in
            let devices = try stored { () throws(StoreError) in
                try database.devices(of: session.account)
            }
            return .json(
                JSONBodies.Devices(
                    devices: devices.map {
                        .init(device: $0.id.text, name: $0.name, revoked: $0.isRevoked)
                    }))
        }
    }

    func log(_ request: IncomingRequest, _ reply: @escaping Reply) {
        read(request, reply) { [limits, contacts] session, database throws(APIError) in
            let pull = try decodeMessage(PullMessage.self, from: request.body)
            let limit = min(Int(clamping: pull.limit), limits.pullBytes)
            let answer = try stored { () throws(StoreError) in
                try database.account(session.account).log(
                    after: pull.after, limit: limit, to: session.device)
            }
            // What it has by another history's numbers says nothing here.
            if case .entries = answer {
                contacts.note(session, at: Clocks.wall(), installed: pull.installed)
            }
            return .message(answer)
        }
    }

    func version(_ id: VersionID, _ request: IncomingRequest, _ reply: @escaping Reply) {
        read(request, reply) { session, database throws(APIError) in
            let version = try stored { () throws(StoreError) in
                try database.account(session.account).storedVersion(id)
            }
            guard let version else { throw .notFound }
            guard !version.isCollected else { throw .expired }
            return .message(version)
        }
    }

    func versions(of item: ItemID, _ request: IncomingRequest, _ reply: @escaping Reply) {
        read(request, reply) { session, database throws(APIError) in
            let versions = try stored { () throws(StoreError) in
                try database.account(session.account).versions(of: item)
            }
            guard !versions.isEmpty else { throw .notFound }
            return .message(VersionList(versions))
        }
    }
}
