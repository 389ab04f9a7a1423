import Glibc
import SyncTransport
import Testing

/// The same server and client over TLS, with a certificate made for each test.
struct TLSTests {
    /// A certificate for 127.0.0.1 that signs itself, in a folder that goes with it.
    final class Certificate {
        let folder: String
        var files: HTTPServerConfiguration.TLSFiles {
            .init(certificate: folder + "/cert.pem", key: folder + "/key.pem")
        }

        init() throws {
            var template = Array("/tmp/ubiquity-tls-XXXXXX".utf8CString)
            try #require(mkdtemp(&template) != nil)
            folder = String(decoding: template.dropLast().map { UInt8($0) }, as: UTF8.self)
            let command = """
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 \
                -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 \
                -keyout \(folder)/key.pem -out \(folder)/cert.pem 2> \(folder)/log
                """
            try #require(system(command) == 0)
        }

        deinit {
            for name in ["cert.pem", "key.pem", "log"] {
                unlink("\(folder)/\(name)")
            }
            rmdir(folder)
        }
    }

    private func client(trusting certificate: Certificate) throws -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.certificateAuthorityFile = certificate.files.certificate
        return try HTTPClient(configuration)
    }

    @Test func requestsGoOverTLS() throws {
        let certificate = try Certificate()
        let echo = try EchoServer { $0.tls = certificate.files }
        let client = try client(trusting: certificate)
        let url = "https://127.0.0.1:\(echo.port)"
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for path in ["/", "/a", "/b"] {
            let request = HTTPClientRequest(method: "PUT", url: url + path, body: body)
            #expect(try fetch(request, with: client).body == body)
        }
        #expect(try fetch(HTTPClientRequest(url: url + "/thread"), with: client).status == 200)
        #expect(echo.server.connectionCount == 1)
    }

    @Test func filesGoOverTLS() throws {
        let certificate = try Certificate()
        let bytes = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13 >> 3) }
        let file = try FileTests.file(bytes)
        var configuration = HTTPServerConfiguration()
        configuration.tls = certificate.files
        let server = try HTTPServer(configuration) { _, responder in
            responder.respond(status: 200, file: file, offset: 10, count: 1_999_990)
        }
        let request = HTTPClientRequest(url: "https://127.0.0.1:\(server.port)/")
        let answer = try fetch(request, with: client(trusting: certificate))
        #expect(answer.body == Array(bytes[10...]))
    }

    @Test func eventsGoOverTLS() throws {
        let certificate = try Certificate()
        let echo = try EchoServer { $0.tls = certificate.files }
        let client = try client(trusting: certificate)
        var parser = SSEParser()
        var events: [ServerSentEvent] = []
        var isOpen = false
        let stream = HTTPClientRequest.Stream(
            onHead: { _ in isOpen = true }, onBytes: { events += (try? parser.feed($0)) ?? [] })
        let url = "https://127.0.0.1:\(echo.port)/stream"
        client.start(.eventStream(url: url, stream: stream)) { _ in }
        #expect(poll(client) { isOpen })
        echo.streams.all[0].offer(ServerSentEvent(data: [65]).encoded)
        #expect(poll(client) { events.count == 1 })
    }

    @Test func anUnknownServerIsRefused() throws {
        let certificate = try Certificate()
        let echo = try EchoServer { $0.tls = certificate.files }
        do {
            _ = try fetch(HTTPClientRequest(url: "https://127.0.0.1:\(echo.port)/"))
            Issue.record("the certificate is not to be trusted")
        } catch HTTPClientError.tls {}
    }

    @Test func plainRequestsAreNotAnswered() throws {
        let certificate = try Certificate()
        let echo = try EchoServer { $0.tls = certificate.files }
        let client = try RawClient(port: echo.port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(!client.readToEnd().contains("HTTP/1.1 200"))
    }

    @Test func filesThatAreNoCertificateAreSaid() throws {
        let certificate = try Certificate()
        let files = certificate.files
        for wrong in [
            HTTPServerConfiguration.TLSFiles(certificate: files.key, key: files.key),
            HTTPServerConfiguration.TLSFiles(certificate: files.certificate, key: "/dev/null"),
        ] {
            do {
                _ = try EchoServer { $0.tls = wrong }
                Issue.record("the files are wrong")
            } catch HTTPServerError.tls {}
        }
    }
}
