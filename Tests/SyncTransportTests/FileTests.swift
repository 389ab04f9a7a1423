import Glibc
import SyncTransport
import Testing

/// Answers that come from files.
struct FileTests {
    /// An unnamed file with known bytes.
    static func file(_ bytes: [UInt8]) throws -> HTTPFile {
        var template = Array("/tmp/ubiquity-transport-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        unlink(template)
        try #require(write(descriptor, bytes, bytes.count) == bytes.count)
        return HTTPFile(owning: descriptor)
    }

    @Test func aPartOfAFileIsSent() throws {
        let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13 >> 3) }
        let file = try FileTests.file(bytes)
        let server = try HTTPServer(HTTPServerConfiguration()) { _, responder in
            responder.respond(status: 206, file: file, offset: 1000, count: 4_000_000)
        }
        let client = try HTTPClient()
        for _ in 0..<2 {
            let request = HTTPClientRequest(url: "http://127.0.0.1:\(server.port)/")
            let answer = try fetch(request, with: client)
            #expect(answer.status == 206)
            #expect(answer.body == Array(bytes[1000..<4_001_000]))
        }
    }

    @Test func aFileThatIsTooShortEndsTheConnection() throws {
        let file = try FileTests.file([1, 2, 3])
        let server = try HTTPServer(HTTPServerConfiguration()) { _, responder in
            responder.respond(status: 200, file: file, offset: 0, count: 10)
        }
        do {
            _ = try fetch(HTTPClientRequest(url: "http://127.0.0.1:\(server.port)/"))
            Issue.record("the answer is not whole")
        } catch HTTPClientError.connectionLost {}
    }
}
