import Dispatch
import SyncCore
import SyncWire
import Synchronization
import Testing

@testable import SyncServer
@testable import SyncTransport

/// How deep a test's requests go: to the application's function, or through sockets as well.
enum Depth: String, CaseIterable, CustomTestStringConvertible {
    case application
    case loopback

    var testDescription: String { rawValue }
}

/// What a request was answered with.
struct Answer {
    let status: Int
    let headers: HTTPHeaders
    let body: [UInt8]

    /// The code of a JSON error.
    var code: String? {
        (try? decodeJSON(JSONBodies.Problem.self, from: body))?.error.code
    }

    func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decodeJSON(type, from: body)
    }

    func message<Value: WireMessage>(_ type: Value.Type) throws -> Value {
        try Value(message: body)
    }
}

/// Sends requests to a test's server.
struct Door {
    private enum Way {
        case application(Application)
        case url(String)
    }

    private let way: Way

    init(cloud: TestCloud, depth: Depth) {
        switch depth {
        case .application: way = .application(cloud.server.application)
        case .loopback: way = .url(cloud.url)
        }
    }

    init(url: String) { way = .url(url) }

    var url: String? {
        guard case .url(let url) = way else { return nil }
        return url
    }

    func send(
        _ method: String, _ path: String, token: String? = nil, body: [UInt8] = []
    ) throws -> Answer {
        var headers = HTTPHeaders()
        if let token { headers.append("Authorization", "Bearer \(token)") }
        switch way {
        case .application(let application):
            return call(application, method, path, headers, body)
        case .url(let url): return try request(method, url + path, headers, body)
        }
    }

    private func call(
        _ application: Application, _ method: String, _ path: String, _ headers: HTTPHeaders,
        _ body: [UInt8]
    ) -> Answer {
        let head = HTTPRequestHead(
            method: method, target: Array(path.utf8), headers: headers, contentLength: body.count,
            isChunked: false)
        let box = Mutex<HTTPResponse?>(nil)
        let isAnswered = DispatchSemaphore(value: 0)
        do {
            let route = try Route(head)
            let request = IncomingRequest(head: head, body: body, address: "127.0.0.1")
            application.answer(request, route) { response in
                box.withLock { $0 = response }
                isAnswered.signal()
            }
            isAnswered.wait()
        } catch {
            box.withLock { $0 = .failure(error) }
        }
        return Answer(box.withLock { $0! })
    }
}

extension Answer {
    fileprivate init(_ response: HTTPResponse) {
        guard case .bytes(let bytes) = response.body else {
            preconditionFailure("no answer of the server is a file")
        }
        self.init(status: response.status, headers: response.headers, body: bytes)
    }
}

/// One request over a connection of its own.
func request(
    _ method: String, _ url: String, _ headers: HTTPHeaders, _ body: [UInt8]
) throws -> Answer {
    let client = try HTTPClient()
    var result: Result<HTTPClientResponse, HTTPClientError>?
    client.start(HTTPClientRequest(method: method, url: url, headers: headers, body: body)) {
        result = $0
    }
    while result == nil { _ = client.poll(timeoutMilliseconds: 1000) }
    let response = try result!.get()
    return Answer(status: response.status, headers: response.headers, body: response.body)
}
