import Glibc
import SyncTransport
import Testing

/// Deadlines, limits, and how servers start and end.
struct LifetimeTests {
    @Test func aHeadThatDripsIsCutOff() throws {
        let echo = try EchoServer { $0.headMilliseconds = 1000 }
        let client = try RawClient(port: echo.port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\nX: ")
        // Each byte keeps the connection from being idle; only the deadline ends it.
        onThread { [client = Unchecked(client)] in
            while client.value.send("x") {
                usleep(20_000)
            }
        }
        #expect(statuses(client.readToEnd()) == [408])
    }

    @Test func aBodyThatStallsIsCutOff() throws {
        let echo = try EchoServer { $0.idleMilliseconds = 200 }
        let client = try RawClient(port: echo.port)
        client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
        #expect(statuses(client.readToEnd()) == [408])
    }

    @Test func anIdleConnectionIsClosed() throws {
        let echo = try EchoServer { $0.idleMilliseconds = 200 }
        let client = try RawClient(port: echo.port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(statuses(client.readToEnd()) == [200])
        let silent = try RawClient(port: echo.port)
        #expect(poll(try HTTPClient()) { echo.server.connectionCount <= 1 })
        withExtendedLifetime(silent) {}
    }

    @Test func connectionsAreLimited() throws {
        let echo = try EchoServer { $0.connectionsPerAddressMax = 2 }
        let first = try RawClient(port: echo.port)
        let second = try RawClient(port: echo.port)
        for client in [first, second] {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(status(client.read(until: "\r\n\r\n")) == 200)
        }
        #expect(statuses(try RawClient(port: echo.port).readToEnd()) == [503])
        first.finish()
        #expect(first.readToEnd().isEmpty)
        #expect(poll(try HTTPClient()) { echo.server.connectionCount == 1 })
        #expect(try fetch(HTTPClientRequest(url: echo.url)).status == 200)
    }

    @Test func aPortInUseIsSaid() throws {
        let echo = try EchoServer()
        #expect(throws: HTTPServerError.addressInUse("127.0.0.1:\(echo.port)")) {
            try EchoServer(port: echo.port)
        }
    }

    @Test func aForeignAddressIsSaid() {
        for address in ["192.0.2.1", "no address"] {
            #expect(throws: HTTPServerError.addressInvalid("\(address):0")) {
                try EchoServer { $0.address = address }
            }
        }
    }

    @Test func aServerStartsAgainOnItsPortAtOnce() throws {
        var port: UInt16 = 0
        for _ in 0..<5 {
            let echo = try EchoServer(port: port)
            port = echo.port
            // The server closes first, so that the kernel keeps the connection for a while.
            let client = try RawClient(port: port)
            client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(statuses(client.readToEnd()) == [200])
            let open = try RawClient(port: port)
            open.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            echo.server.shutDown(withinMilliseconds: 0)
        }
    }

    @Test func aClientGoesOnWithARestartedServer() throws {
        let client = try HTTPClient()
        var port: UInt16 = 0
        for _ in 0..<3 {
            let echo = try EchoServer(port: port)
            port = echo.port
            for body in ["one", "two"] {
                let request = HTTPClientRequest(
                    method: "POST", url: echo.url, body: Array(body.utf8))
                #expect(try fetch(request, with: client).body == Array(body.utf8))
            }
            echo.server.shutDown(withinMilliseconds: 0)
        }
    }

    /// In a process of its own, whose limit of open descriptors it lowers.
    @Test func aServerWithoutDescriptorsGoesOnLater() async {
        await #expect(processExitsWith: .success) {
            let echo = try EchoServer()
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var clients = (0..<20).map { _ in UnconnectedClient() }
            limit.rlim_cur = rlim_t(dup(0)) + 6
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            // More than there are descriptors for: some are closed, and none is left waiting.
            for client in clients {
                try client.connect(port: echo.port)
            }
            try #require(UnconnectedClient.isAnyEnded(clients))
            clients = []
            try #require(try fetch(HTTPClientRequest(url: echo.url)).status == 200)
        }
    }

    @Test func shuttingDownFinishesWhatIsInHand() throws {
        let echo = try EchoServer()
        let held = try RawClient(port: echo.port)
        held.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
        let stream = try RawClient(port: echo.port)
        stream.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
        let idle = try RawClient(port: echo.port)
        idle.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(status(idle.read(until: "\r\n\r\n")) == 200)
        #expect(stream.read(until: "\r\n\r\n").contains("200 OK"))
        #expect(poll(try HTTPClient()) { echo.streams.waiting.count == 1 })

        let server = echo.server
        onThread { server.shutDown(withinMilliseconds: 10_000) }
        #expect(idle.readToEnd().isEmpty)
        #expect(stream.readToEnd().contains("retry: "))
        echo.streams.waiting[0].respond(status: 200, body: Array("late".utf8))
        let answer = held.readToEnd()
        #expect(answer.contains("Connection: close") && answer.hasSuffix("late"))
        #expect(throws: RawClient.RawError.self) { try RawClient(port: echo.port) }
    }

    @Test func anAnswerToAConnectionThatIsGoneIsDropped() throws {
        let echo = try EchoServer()
        do {
            let client = try RawClient(port: echo.port)
            client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(poll(try HTTPClient()) { echo.streams.waiting.count == 1 })
        }
        echo.streams.waiting[0].respond(status: 200, body: [65])
        echo.streams.waiting[0].respond(status: 200, body: [66])
        #expect(try fetch(HTTPClientRequest(url: echo.url)).status == 200)
    }

    @Test func aHalfClosedClientStillGetsItsAnswer() throws {
        let echo = try EchoServer()
        let client = try RawClient(port: echo.port)
        client.send("GET /thread HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        client.finish()
        #expect(client.readToEnd().hasSuffix("from a thread"))
    }

    /// Lets a test use one socket from two threads, one reading and one writing.
    struct Unchecked<Value>: @unchecked Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }
}
