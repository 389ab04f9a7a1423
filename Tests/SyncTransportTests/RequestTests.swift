import SyncTransport
import Testing

/// Whole requests through the real server and the real client.
struct RequestTests {
    @Test func aRequestIsAnswered() throws {
        let echo = try EchoServer()
        let answer = try fetch(HTTPClientRequest(url: echo.url + "/a/b?c=d"))
        #expect(answer.status == 200)
        #expect(answer.headers["x-method"] == "GET")
        #expect(answer.headers["X-Path"] == "/a/b")
        #expect(answer.headers["X-Query"] == "c=d")
        #expect(answer.headers["Content-Length"] == "0")
        #expect(answer.body.isEmpty)
    }

    @Test(arguments: ["POST", "PUT", "PROPFIND", "PATCH"])
    func aBodyComesBack(method: String) throws {
        let echo = try EchoServer()
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let answer = try fetch(HTTPClientRequest(method: method, url: echo.url, body: body))
        #expect(answer.headers["X-Method"] == method)
        #expect(answer.body == body)
    }

    @Test func anotherThreadAnswers() throws {
        let echo = try EchoServer()
        let answer = try fetch(HTTPClientRequest(url: echo.url + "/thread"))
        #expect(answer.body == Array("from a thread".utf8))
    }

    @Test func aDroppedRequestIsAnswered() throws {
        let echo = try EchoServer()
        let answer = try fetch(HTTPClientRequest(url: echo.url + "/dropped"))
        #expect(answer.status == 500)
    }

    @Test func oneConnectionServesManyRequests() throws {
        let echo = try EchoServer()
        let client = try HTTPClient()
        for number in 0..<50 {
            let body = Array("request \(number)".utf8)
            let request = HTTPClientRequest(method: "POST", url: echo.url, body: body)
            #expect(try fetch(request, with: client).body == body)
        }
        #expect(echo.server.connectionCount == 1)
    }
}
