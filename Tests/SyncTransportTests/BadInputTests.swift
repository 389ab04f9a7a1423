import SyncTransport
import Testing

/// What no request may be: each gets its status, a JSON error, and a closed connection.
struct BadInputTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let status: Int

        init(_ name: String, _ status: Int, _ text: String) {
            self.name = name
            self.text = text
            self.status = status
        }

        var testDescription: String { name }
    }

    static let host = "Host: a\r\n"

    static let cases: [Case] = [
        Case("garbage", 400, "\u{1}\u{2}garbage\r\n\r\n"),
        Case("lower-case garbage", 400, "garbage\r\n\r\n"),
        Case("unknown method", 501, "BREW / HTTP/1.1\r\n\(host)\r\n"),
        Case("tunnel", 501, "CONNECT a:1 HTTP/1.1\r\n\(host)\r\n"),
        Case("endless method", 400, String(repeating: "A", count: 100)),
        Case("version 2", 505, "GET / HTTP/2.0\r\n\(host)\r\n"),
        Case("no host", 400, "GET / HTTP/1.1\r\n\r\n"),
        Case("two hosts", 400, "GET / HTTP/1.1\r\n\(host)\(host)\r\n"),
        Case(
            "length and chunks", 400,
            "POST / HTTP/1.1\r\n\(host)Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc"),
        Case(
            "chunks and length", 400,
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc"),
        Case(
            "two lengths", 400,
            "POST / HTTP/1.1\r\n\(host)Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"),
        Case("negative length", 400, "POST / HTTP/1.1\r\n\(host)Content-Length: -5\r\n\r\n"),
        Case("signed length", 400, "POST / HTTP/1.1\r\n\(host)Content-Length: +4\r\n\r\nabcd"),
        Case("list of lengths", 400, "POST / HTTP/1.1\r\n\(host)Content-Length: 4, 4\r\n\r\nabcd"),
        Case("empty length", 400, "POST / HTTP/1.1\r\n\(host)Content-Length:\r\n\r\nabcd"),
        Case(
            "length of 21 digits", 400,
            "POST / HTTP/1.1\r\n\(host)Content-Length: 100000000000000000000\r\n\r\n"),
        Case(
            "length of 2 GiB", 413,
            "POST / HTTP/1.1\r\n\(host)Content-Length: 2147483648\r\n\r\n"),
        Case("space before colon", 400, "GET / HTTP/1.1\r\n\(host)X : 1\r\n\r\n"),
        Case("folded field", 400, "GET / HTTP/1.1\r\n\(host)X: 1\r\n 2\r\n\r\n"),
        Case("NUL in a field", 400, "GET / HTTP/1.1\r\n\(host)X: 1\u{0}2\r\n\r\n"),
        Case("bare line feeds", 400, "GET / HTTP/1.1\nHost: a\n\n"),
        Case("bare carriage return", 400, "GET / HTTP/1.1\r\n\(host)X: 1\r2\r\n\r\n"),
        Case(
            "head of 100 KB", 431,
            "GET / HTTP/1.1\r\n\(host)X: \(String(repeating: "x", count: 100_000))\r\n\r\n"),
        Case(
            "blanks of 100 KB", 431,
            "GET / HTTP/1.1\r\n\(host)X:\(String(repeating: " ", count: 100_000))1\r\n\r\n"),
        Case(
            "5,000 fields", 431,
            "GET / HTTP/1.1\r\n\(host)\(String(repeating: "a: b\r\n", count: 5000))\r\n"),
        Case(
            "101 fields", 431,
            "GET / HTTP/1.1\r\n\(host)\(String(repeating: "a: b\r\n", count: 100))\r\n"),
        Case(
            "target of 100 KB", 414,
            "GET /\(String(repeating: "x", count: 100_000)) HTTP/1.1\r\n\(host)\r\n"),
        Case(
            "broken chunk", 400,
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n"),
        Case(
            "chunk longer than said", 400,
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n"),
        Case(
            "chunk size of 20 digits", 400,
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n"
                + "fffffffffffffffffffff\r\nabc\r\n0\r\n\r\n"),
        Case(
            "chunk extension of 100 KB", 400,
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n"
                + "1;\(String(repeating: "x", count: 100_000))\r\na\r\n0\r\n\r\n"),
        Case(
            "other coding", 501,
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        Case(
            "coding in 1.0", 400,
            "POST / HTTP/1.0\r\n\(host)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Case(
            "other expectation", 417,
            "POST / HTTP/1.1\r\n\(host)Expect: tea\r\nContent-Length: 3\r\n\r\nabc"),
        Case("empty lines", 400, "\r\n\r\n\r\n\r\n\r\nGET / HTTP/1.1\r\n\(host)\r\n"),
    ]

    @Test(arguments: cases)
    func badInputIsRefused(example: Case) throws {
        let echo = try EchoServer()
        let client = try RawClient(port: echo.port)
        client.send(example.text)
        let answer = client.readToEnd()
        #expect(statuses(answer) == [example.status])
        #expect(answer.contains("Connection: close\r\n"))
        #expect(answer.contains("\r\n\r\n{\"error\":{\"code\":\""))
        #expect(try fetch(HTTPClientRequest(url: echo.url)).status == 200)
    }

    /// However the bytes are cut, the answer is the same.
    @Test(arguments: cases.filter { $0.text.utf8.count < 300 })
    func badInputInSingleBytesIsRefusedAlike(example: Case) throws {
        let echo = try EchoServer()
        let client = try RawClient(port: echo.port)
        for byte in example.text.utf8 where !client.send([byte]) {
            break
        }
        #expect(statuses(client.readToEnd()) == [example.status])
    }

    @Test func aBodyOverTheRoutesLimitIsRefused() throws {
        let echo = try EchoServer(bodyLimit: 1000)
        for (size, status) in [(1000, 200), (1001, 413), (5_000_000, 413)] {
            let request = HTTPClientRequest(
                method: "PUT", url: echo.url, body: [UInt8](repeating: 1, count: size))
            #expect(try fetch(request).status == status)
        }
    }

    @Test func chunksOverTheRoutesLimitAreRefused() throws {
        let echo = try EchoServer(bodyLimit: 1000)
        let client = try RawClient(port: echo.port)
        client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in 0..<11 {
            client.send("64\r\n\(String(repeating: "x", count: 100))\r\n")
        }
        #expect(statuses(client.readToEnd()) == [413])
    }
}
