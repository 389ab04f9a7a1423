import FoundationEssentials
import SyncCore
import SyncStore
import SyncTransport

/// Requests by which a device comes into an account and goes out of it.
struct AccountRequest {
    let server: String

    /// Makes this a device of the account.
    func join(
        account: String, password: String, device: String
    ) throws(CommandFailure) -> DeviceIdentity {
        let body = JSONValue.object([
            ("account", .text(account)), ("password", .text(password)), ("device", .text(device)),
        ])
        var request = HTTPClientRequest(
            method: "POST", url: server + "/v1/join",
            headers: ["Content-Type": "application/json"], body: body.bytes)
        request.timeoutMilliseconds = 30_000
        let response: HTTPClientResponse
        do throws(HTTPClientError) {
            response = try answer(to: request)
        } catch {
            throw .failed(
                "cannot reach \(server): \(error); start the server, or check the address")
        }
        guard response.isSuccess else { throw refusal(response) }
        guard let identity = Joined(response.body)?.identity(server: server) else {
            throw noServer
        }
        return identity
    }

    enum LeaveOutcome: Equatable {
        case left
        /// The server could not be told, and why.
        case untold(String)
    }

    /// Revokes the token at the server.
    func leave(token: String) -> LeaveOutcome {
        var request = HTTPClientRequest(
            method: "POST", url: server + "/v1/leave",
            headers: ["Authorization": "Bearer \(token)"])
        request.timeoutMilliseconds = 10_000
        do throws(HTTPClientError) {
            let response = try answer(to: request)
            // A token that is not taken any more is as good as revoked.
            if response.isSuccess || response.status == 401 { return .left }
            return .untold("it answered \(response.status)")
        } catch {
            return .untold(error.description)
        }
    }

    func answer(
        to request: HTTPClientRequest
    ) throws(HTTPClientError) -> HTTPClientResponse {
        let client = try HTTPClient()
        var result: Result<HTTPClientResponse, HTTPClientError>?
        client.start(request) { result = $0 }
        while result == nil { _ = client.poll(timeoutMilliseconds: 60_000) }
        guard let result else { throw .timedOut }
        return try result.get()
    }

    private func refusal(_ response: HTTPClientResponse) -> CommandFailure {
        guard let problem = try? JSONDecoder().decode(Problem.self, from: Data(response.body))
        else { return noServer }
        switch problem.error.code {
        case "credentials":
            return .failed(
                "the account or the password is wrong; check both, and the server's address")
        case "not-found": return noServer
        case "name":
            return .failed(
                "the server does not take the device's name; give a short one with --device")
        default:
            return .failed("\(server) answered: \(problem.error.message)")
        }
    }

    private var noServer: CommandFailure {
        .failed("no Ubiquity server answers at \(server); check the address and the port")
    }
}

/// The server's answer to a device that has joined.
private struct Joined: Decodable {
    let token: String
    let account: String
    let accountName: String
    let device: String
    let deviceName: String
    let identityKey: String

    init?(_ body: [UInt8]) {
        guard let joined = try? JSONDecoder().decode(Joined.self, from: Data(body)) else {
            return nil
        }
        self = joined
    }

    /// Nil if an id or the key is none.
    func identity(server: String) -> DeviceIdentity? {
        guard let account = AccountID(text: account), let device = DeviceID(text: device),
            let key = decodeHexadecimal(identityKey), key.count == 32, !token.isEmpty
        else { return nil }
        return DeviceIdentity(
            server: server, account: account, accountName: accountName, device: device,
            deviceName: deviceName, identityKey: key, token: token)
    }
}

private struct Problem: Decodable {
    let error: Details

    struct Details: Decodable {
        let code: String
        let message: String
    }
}
