import Glibc
import SyncTransport
import Testing

/// What the client makes of servers that misbehave, and of its owner's descriptors.
struct ClientTests {
    @Test func aRefusedConnectionIsSaid() throws {
        let port: UInt16
        do {
            let echo = try EchoServer()
            port = echo.port
            echo.server.shutDown(withinMilliseconds: 0)
        }
        do {
            _ = try fetch(HTTPClientRequest(url: "http://127.0.0.1:\(port)/"))
            Issue.record("nobody listens there")
        } catch HTTPClientError.couldNotConnect {}
    }

    @Test func aMissingAnswerTimesOut() throws {
        let echo = try EchoServer()
        var request = HTTPClientRequest(url: echo.url + "/held")
        request.timeoutMilliseconds = 100
        #expect(throws: HTTPClientError.timedOut) { try fetch(request) }
    }

    /// However long it takes: what the kernel holds and cannot send is not taken for sent.
    @Test func aSlowLinkTakesItsTime() throws {
        let size = 2_000_000
        let server = SlowServer(bytes: size, pause: 150_000, isAnswering: true)
        server.start()
        var request = HTTPClientRequest(
            method: "POST", url: server.url, body: [UInt8](repeating: 1, count: size))
        request.stallMilliseconds = 1_000
        let begin = ContinuousClock.now
        #expect(try fetch(request).status == 204)
        #expect(ContinuousClock.now - begin > .seconds(8))
    }

    @Test func aLinkThatNothingMovesOnTimesOut() throws {
        let server = SlowServer(bytes: 10, pause: 1, isAnswering: false)
        server.start()
        var request = HTTPClientRequest(method: "POST", url: server.url, body: [1])
        request.stallMilliseconds = 1_000
        #expect(throws: HTTPClientError.timedOut) { try fetch(request) }
    }

    @Test func aLargeAnswerIsRefused() throws {
        let echo = try EchoServer()
        var request = HTTPClientRequest(url: echo.url + "/large?100000")
        request.responseBytesMax = 100_000
        #expect(try fetch(request).body.count == 100_000)
        request.responseBytesMax = 99_999
        #expect(throws: HTTPClientError.responseTooLarge) { try fetch(request) }
    }

    @Test func aLostConnectionIsSaid() throws {
        let echo = try EchoServer()
        let client = try HTTPClient()
        var result: Result<HTTPClientResponse, HTTPClientError>?
        client.start(HTTPClientRequest(url: echo.url + "/held")) { result = $0 }
        #expect(poll(client) { echo.streams.waiting.count == 1 })
        echo.server.shutDown(withinMilliseconds: 0)
        #expect(poll(client) { result != nil })
        guard case .failure(.connectionLost) = result else {
            Issue.record("\(String(describing: result))")
            return
        }
    }

    @Test(arguments: ["", "http://", "ftp://127.0.0.1/", "http://127.0.0.1:1/a b", "no url at all"])
    func aWrongURLIsSaid(url: String) throws {
        do {
            _ = try fetch(HTTPClientRequest(url: url))
            Issue.record("there is no such place")
        } catch HTTPClientError.invalidRequest {}
    }

    @Test func aHeaderWithALineEndIsRefused() throws {
        let request = HTTPClientRequest(url: "http://127.0.0.1:1/", headers: ["A": "b\r\nC: d"])
        do {
            _ = try fetch(request)
            Issue.record("the header is wrong")
        } catch HTTPClientError.invalidRequest {}
    }

    @Test func manyRequestsRunAtOnce() throws {
        let echo = try EchoServer()
        let client = try HTTPClient()
        var bodies: Set<[UInt8]> = []
        for number in 0..<100 {
            let request = HTTPClientRequest(
                method: "POST", url: echo.url, body: Array("\(number)".utf8))
            client.start(request) { bodies.insert((try? $0.get().body) ?? []) }
        }
        #expect(poll(client) { client.transferCount == 0 })
        #expect(bodies == Set((0..<100).map { Array("\($0)".utf8) }))
        #expect(echo.server.connectionCount <= 16)
    }

    @Test func aCancelledRequestIsNotTold() throws {
        let echo = try EchoServer()
        let client = try HTTPClient()
        var isTold = false
        let id = client.start(HTTPClientRequest(url: echo.url + "/held")) { _ in isTold = true }
        #expect(poll(client) { echo.streams.waiting.count == 1 })
        client.cancel(id)
        // The server cannot tell a client that went from one that only sends no more.
        echo.streams.waiting[0].respond(status: 200)
        #expect(poll(client) { echo.server.connectionCount == 0 })
        #expect(!isTold)
    }

    @Test func aCompletionMayStartAndCancel() throws {
        let echo = try EchoServer()
        let client = try HTTPClient()
        var last: Result<HTTPClientResponse, HTTPClientError>?
        let held = client.start(HTTPClientRequest(url: echo.url + "/held")) { _ in
            Issue.record("it was cancelled")
        }
        client.start(HTTPClientRequest(url: echo.url)) { _ in
            client.cancel(held)
            client.start(HTTPClientRequest(url: echo.url + "/thread")) { last = $0 }
        }
        #expect(poll(client) { last != nil })
        #expect(try last?.get().status == 200)
    }

    @Test func theOwnersDescriptorsEndTheWait() throws {
        let client = try HTTPClient()
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer {
            close(ends[0])
            close(ends[1])
        }
        let wanted = [PollDescriptor(ends[0]), PollDescriptor(ends[1], .writable)]
        #expect(client.poll(wanted, timeoutMilliseconds: 10_000) == [wanted[1]])
        write(ends[1], "x", 1)
        #expect(client.poll([wanted[0]], timeoutMilliseconds: 10_000) == [wanted[0]])
        #expect(client.poll([PollDescriptor(ends[0], .writable)], timeoutMilliseconds: 0).isEmpty)
    }

    @Test func theWakerEndsTheWait() throws {
        let client = try HTTPClient()
        let waker = client.waker
        let start = ContinuousClock.now
        onThread { waker.wake() }
        #expect(client.poll(timeoutMilliseconds: 60_000).isEmpty)
        #expect(ContinuousClock.now - start < .seconds(50))
    }

    @Test func aWakerOutlivesItsClient() throws {
        let waker = try HTTPClient().waker
        waker.wake()
    }
}
