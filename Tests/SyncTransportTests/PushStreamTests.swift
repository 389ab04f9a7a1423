import SyncTransport
import Testing

/// Events pushed to clients that wait.
struct PushStreamTests {
    /// A client with streams whose events are gathered.
    final class Listener {
        let client: HTTPClient
        var heads = 0
        var events: [[ServerSentEvent]]
        var ends: [Result<HTTPClientResponse, HTTPClientError>] = []

        init(_ echo: EchoServer, streams: Int, silenceMilliseconds: UInt64 = 45_000) throws {
            client = try HTTPClient()
            events = Array(repeating: [], count: streams)
            for index in 0..<streams {
                var parser = SSEParser()
                let stream = HTTPClientRequest.Stream(
                    onHead: { [unowned self] _ in heads += 1 },
                    onBytes: { [unowned self] in events[index] += (try? parser.feed($0)) ?? [] })
                client.start(
                    .eventStream(
                        url: echo.url + "/stream", silenceMilliseconds: silenceMilliseconds,
                        stream: stream)
                ) { [unowned self] in ends.append($0) }
            }
        }

        func poll(until isSo: () -> Bool) -> Bool {
            SyncTransportTests.poll(client, until: isSo)
        }
    }

    @Test func everyStreamGetsEveryEvent() throws {
        let echo = try EchoServer()
        let listener = try Listener(echo, streams: 10)
        #expect(listener.poll { listener.heads == 10 })
        for number in 0..<20 {
            let event = ServerSentEvent(id: "\(number)", data: Array("event \(number)".utf8))
            #expect(PushStream.offer(event.encoded, to: echo.streams.all) == 10)
        }
        #expect(listener.poll { listener.events.allSatisfy { $0.count == 20 } })
        for events in listener.events {
            #expect(events.map(\.id) == (0..<20).map { "\($0)" })
        }
    }

    @Test func anEventWakesAClientThatWaits() throws {
        let echo = try EchoServer()
        let listener = try Listener(echo, streams: 1)
        #expect(listener.poll { listener.heads == 1 })
        let streams = echo.streams
        onThread { streams.all[0].offer(ServerSentEvent(data: [65]).encoded) }
        #expect(listener.poll { listener.events[0].count == 1 })
    }

    @Test func closingEndsTheStreamAfterItsEvents() throws {
        let echo = try EchoServer()
        let listener = try Listener(echo, streams: 1)
        #expect(listener.poll { listener.heads == 1 })
        let stream = echo.streams.all[0]
        #expect(stream.offer(ServerSentEvent(data: [65]).encoded))
        stream.close()
        #expect(!stream.offer(ServerSentEvent(data: [66]).encoded))
        #expect(listener.poll { listener.ends.count == 1 })
        #expect(try listener.ends[0].get().status == 200)
        #expect(listener.events[0].map(\.data) == [[65]])
        #expect(listener.poll { echo.streams.closedCount == 1 })
    }

    @Test func aClientThatGoesIsNoticed() throws {
        let echo = try EchoServer()
        var listener: Listener? = try Listener(echo, streams: 3)
        #expect(try #require(listener).poll { listener?.heads == 3 })
        listener = nil
        let idle = try HTTPClient()
        #expect(poll(idle) { echo.streams.closedCount == 3 })
        #expect(PushStream.offer(SharedBytes([58, 10, 10]), to: echo.streams.all) == 0)
    }

    @Test func aClientThatIsTooFarBehindIsDropped() throws {
        let echo = try EchoServer { $0.streamBytesMax = 1_000_000 }
        let slow = try RawClient(port: echo.port)
        slow.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(slow.read(until: "\r\n\r\n").contains("text/event-stream"))
        let stream = echo.streams.all[0]
        let event = ServerSentEvent(data: [UInt8](repeating: 65, count: 100_000)).encoded
        var taken = 0
        // The kernel's buffers are finite, so the cap is met at some time.
        while stream.offer(event) {
            taken += 1
            try #require(taken < 100_000)
        }
        #expect(taken >= 9)
        #expect(stream.isClosed)
        #expect(poll(try HTTPClient()) { echo.streams.closedCount == 1 })
    }

    @Test func silenceEndsAStreamAndHeartbeatsKeepIt() throws {
        let quiet = try EchoServer { $0.heartbeatMilliseconds = 100_000 }
        let lost = try Listener(quiet, streams: 1, silenceMilliseconds: 1500)
        #expect(lost.poll { lost.ends.count == 1 })
        #expect(lost.heads == 1)
        #expect(throws: HTTPClientError.timedOut) { try lost.ends[0].get() }

        let alive = try EchoServer { $0.heartbeatMilliseconds = 100 }
        let kept = try RawClient(port: alive.port)
        kept.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(kept.read(until: ":\n\n:\n\n:\n\n").hasSuffix(":\n\n"))
    }

    @Test func aStreamThatIsRefusedIsAnAnswer() throws {
        let echo = try EchoServer()
        var answer: Result<HTTPClientResponse, HTTPClientError>?
        var streamed = false
        let client = try HTTPClient()
        let stream = HTTPClientRequest.Stream(
            onHead: { _ in streamed = true }, onBytes: { _ in streamed = true })
        client.start(.eventStream(url: echo.url + "/dropped", stream: stream)) { answer = $0 }
        #expect(poll(client) { answer != nil })
        #expect(try answer?.get().status == 500)
        #expect(try answer?.get().body.isEmpty == false)
        #expect(!streamed)
    }
}
