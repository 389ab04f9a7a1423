import SyncCore
import SyncStore
import SyncTransport

/// Joining and leaving.
extension Application {
    /// Makes a device of an account for whoever knows its password.
    func join(_ request: IncomingRequest, _ reply: @escaping Reply) {
        do throws(APIError) {
            let body = try decodeJSON(JSONBodies.Join.self, from: request.body)
            guard let device = PersonalName(body.device) else { throw .badName }
            guard passwords.allows(account: body.account, address: request.address) else {
                throw .tooManyAttempts
            }
            let attempt = JoinAttempt(
                account: body.account, password: Array(body.password.utf8), device: device,
                address: request.address)
            let isTaken = readers.run { [self] connection in find(attempt, connection, reply) }
            guard isTaken else { throw .busy }
        } catch {
            reply(.failure(error))
        }
    }

    private func find(
        _ attempt: JoinAttempt, _ connection: ReadConnection, _ reply: @escaping Reply
    ) {
        do throws(APIError) {
            let account = try stored { () throws(StoreError) in
                try connection.database.account(named: attempt.account)
            }
            let isTaken = passwords.check(
                attempt.password, against: account.map { PasswordHash(encoded: $0.password) },
                account: attempt.account, address: attempt.address
            ) { [self] verdict in
                guard verdict == .right, let account else {
                    metrics.passwordsRefused.add()
                    let error: APIError = verdict == .wrong ? .credentials : .tooManyAttempts
                    return reply(.failure(error))
                }
                register(attempt.device, with: account, reply)
            }
            guard isTaken else { throw .busy }
        } catch {
            reply(.failure(error))
        }
    }

    private func register(
        _ name: PersonalName, with account: AccountRecord, _ reply: @escaping Reply
    ) {
        let token = DeviceToken()
        let device = DeviceID.random()
        let write = Write(
            weight: 1,
            perform: { database throws(StoreError) in
                // Another process may have removed the account while the password was checked.
                guard try database.account(named: account.name)?.id == account.id else {
                    return Performed(answer: { reply(.failure(.credentials)) })
                }
                try database.addDevice(
                    device, of: account.id, name: name.text, token: token.hash, now: Clocks.wall())
                return Performed(answer: {
                    reply(
                        .json(
                            JSONBodies.Joined(
                                token: token.text, account: account.id.text,
                                accountName: account.name, device: device.text,
                                deviceName: name.text,
                                identityKey: hexadecimal(account.identityKey))))
                })
            },
            fail: { reply(.failure($0)) })
        if !committer.submit(write) { reply(.failure(.busy)) }
    }

    /// Gives a device of the same account another name.
    func rename(_ device: DeviceID, _ request: IncomingRequest, _ reply: @escaping Reply) {
        do throws(APIError) {
            guard let token = request.token else { throw .noToken }
            let body = try decodeJSON(JSONBodies.Name.self, from: request.body)
            guard let name = PersonalName(body.name) else { throw .badName }
            let write = Write.ofDevice(token, weight: 1, reply) {
                session, database throws(StoreError) in
                guard try database.hasDevice(device, of: session.account) else {
                    return Performed(answer: { reply(.failure(.notFound)) })
                }
                try database.rename(device, of: session.account, to: name.text)
                return Performed(answer: { reply(.nothing) })
            }
            guard committer.submit(write) else { throw .busy }
        } catch {
            reply(.failure(error))
        }
    }

    /// From its commit on the device's token opens nothing: what was decided before stands, what
    /// comes later is refused.
    func revoke(_ device: DeviceID, _ request: IncomingRequest, _ reply: @escaping Reply) {
        guard let token = request.token else { return reply(.failure(.noToken)) }
        let hub = hub
        let write = Write.ofDevice(token, weight: 1, reply) {
            session, database throws(StoreError) in
            guard let revoked = try database.token(of: device, of: session.account) else {
                return Performed(answer: { reply(.failure(.notFound)) })
            }
            try database.revoke(device, of: session.account)
            return Performed(answer: {
                hub.revoke(revoked)
                reply(.nothing)
            })
        }
        if !committer.submit(write) { reply(.failure(.busy)) }
    }

    /// Revokes the token that the request carries.
    func leave(_ request: IncomingRequest, _ reply: @escaping Reply) {
        guard let token = request.token else { return reply(.failure(.noToken)) }
        let hub = hub
        let write = Write.ofDevice(token, weight: 1, reply) {
            session, database throws(StoreError) in
            try database.revoke(session.device, of: session.account)
            return Performed(answer: {
                hub.revoke(token)
                reply(.nothing)
            })
        }
        if !committer.submit(write) { reply(.failure(.busy)) }
    }
}

/// A request to join, as far as it has been read.
private struct JoinAttempt: Sendable {
    let account: String
    let password: [UInt8]
    let device: PersonalName
    let address: String
}
