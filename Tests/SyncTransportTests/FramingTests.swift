import SyncTransport
import Testing

/// How requests and answers follow each other on a connection.
struct FramingTests {
    static let sample = """
        PUT /a%20b?x=1 HTTP/1.1\r\nHost: example\r\nX-Two: one\r\nx-two:  two \r\n\
        Content-Length: 11\r\n\r\nhello world
        """

    /// The answer without its date.
    private func answer(_ echo: EchoServer, _ parts: [ArraySlice<UInt8>]) throws -> [Substring] {
        let client = try RawClient(port: echo.port)
        for part in parts {
            client.send(part)
        }
        client.finish()
        return client.readToEnd().split(separator: "\r\n").filter { !$0.hasPrefix("Date:") }
    }

    @Test func anyCutGivesTheSameRequest() throws {
        let echo = try EchoServer()
        let bytes = Array(FramingTests.sample.utf8)
        let whole = try answer(echo, [bytes[...]])
        #expect(whole.contains("X-Path: /a%20b"))
        #expect(whole.last == "hello world")
        for cut in 1..<bytes.count {
            #expect(try answer(echo, [bytes[..<cut], bytes[cut...]]) == whole, "cut at \(cut)")
        }
        #expect(try answer(echo, bytes.indices.map { bytes[$0...$0] }) == whole)
    }

    @Test func noPrefixIsARequest() throws {
        let echo = try EchoServer()
        let bytes = Array(FramingTests.sample.utf8)
        for end in 0..<bytes.count {
            #expect(try answer(echo, [bytes[..<end]]).isEmpty, "prefix of \(end)")
        }
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() throws {
        let echo = try EchoServer()
        let client = try RawClient(port: echo.port)
        let paths = ["/1", "/thread", "/dropped", "/2"]
        client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        client.send("GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nGET /no")
        let answers = client.readToEnd()
        #expect(statuses(answers) == [200, 200, 500, 200, 200])
        let parts = answers.split(separator: "HTTP/1.1 ")
        let marks = [
            "X-Path: /1", "from a thread", "internal_error", "X-Path: /2", "X-Path: /last",
        ]
        #expect(parts.count == marks.count)
        for (part, mark) in zip(parts, marks) {
            #expect(part.contains(mark))
        }
    }

    @Test func chunksMakeABody() throws {
        let echo = try EchoServer()
        let client = try RawClient(port: echo.port)
        client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        client.send("5;name=value\r\nhello\r\n6\r\n world\r\n0\r\nX-Trailer: dropped\r\n\r\n")
        client.send("GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let answers = client.readToEnd()
        #expect(statuses(answers) == [200, 200])
        #expect(answers.contains("\r\n\r\nhello world"))
        #expect(!answers.contains("X-Trailer"))
    }

    @Test func aClientThatAsksIsToldToGoOn() throws {
        let echo = try EchoServer()
        let client = try RawClient(port: echo.port)
        client.send(
            "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        #expect(client.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        client.send("hello")
        #expect(client.read(until: "hello").contains("200 OK"))
    }

    @Test func aRefusedBodyIsNotAskedFor() throws {
        let echo = try EchoServer(bodyLimit: 4)
        let client = try RawClient(port: echo.port)
        client.send(
            "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        #expect(statuses(client.readToEnd()) == [413])
    }

    @Test func headHasALengthAndNoBody() throws {
        let echo = try EchoServer()
        let client = try RawClient(port: echo.port)
        client.send("HEAD /large?5000 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let answer = client.readToEnd()
        #expect(answer.contains("Content-Length: 5000\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n"))
        let other = HTTPClientRequest(method: "HEAD", url: echo.url + "/large?5000")
        #expect(try fetch(other).status == 200)
    }

    @Test func anOldClientClosesUnlessItSaysOtherwise() throws {
        let echo = try EchoServer()
        let client = try RawClient(port: echo.port)
        client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(client.read(until: "\r\n\r\n").contains("Connection: keep-alive"))
        client.send("GET / HTTP/1.0\r\n\r\n")
        #expect(client.readToEnd().contains("Connection: close"))
    }

    @Test func aWishToUpgradeIsIgnored() throws {
        let echo = try EchoServer()
        let client = try RawClient(port: echo.port)
        let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n"
        client.send("GET /1 HTTP/1.1\r\nHost: a\r\n\(upgrade)\r\n")
        client.send("GET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(statuses(client.readToEnd()) == [200, 200])
    }

    @Test func aLineEndInAValueAddsNoField() throws {
        let server = try HTTPServer(HTTPServerConfiguration()) { _, responder in
            responder.respond(
                status: 200, headers: ["X": "a\r\nSet-Cookie: b", "content-length": "9"])
        }
        let answer = try fetch(HTTPClientRequest(url: "http://127.0.0.1:\(server.port)"))
        #expect(answer.headers["Set-Cookie"] == nil)
        #expect(answer.headers.values("Content-Length") == ["0"])
    }
}
