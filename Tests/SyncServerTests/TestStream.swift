import SyncCore
import SyncTransport
import SyncWire
import Testing

@testable import SyncServer

/// A push stream as a device holds it.
final class TestStream {
    private let client: HTTPClient
    private var parser = SSEParser()
    private var events: [ServerSentEvent] = []
    private(set) var status: Int?
    private(set) var isOver = false

    init(_ device: TestDevice) throws {
        client = try HTTPClient()
        let url = try #require(device.door.url)
        let headers: HTTPHeaders = ["Authorization": "Bearer \(device.joined.token)"]
        let stream = HTTPClientRequest.Stream { [weak self] bytes in
            guard let self, let events = try? self.parser.feed(bytes) else { return }
            self.events += events
        }
        let request = HTTPClientRequest.eventStream(
            url: url + "/v1/sync/push", headers: headers, stream: stream)
        client.start(request) { [weak self] result in
            self?.status = try? result.get().status
            self?.isOver = true
        }
    }

    /// Waits for the next event; nil if the stream has ended.
    func next() -> ServerSentEvent? {
        while events.isEmpty && !isOver { _ = client.poll(timeoutMilliseconds: 1000) }
        return events.isEmpty ? nil : events.removeFirst()
    }

    func nextHello() throws -> Position {
        let event = try #require(next())
        #expect(event.event == "hello")
        return try PositionMessage(message: try #require(Base64.decode(event.data))).position
    }

    func nextLog() throws -> PushMessage {
        let event = try #require(next())
        #expect(event.event == "log")
        return try PushMessage(message: try #require(Base64.decode(event.data)))
    }
}
