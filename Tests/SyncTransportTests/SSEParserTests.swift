import SyncTransport
import Testing

struct SSEParserTests {
    static let stream = """
        \u{FEFF}retry: 1500\n: a comment\n\ndata: one\n\nid: 7\nevent: change\n\
        data:two\ndata:  lines\r\n\r\n\
        data\n\nunknown: field\nid\ndata: last\r\rdata: never ended
        """
    static let events = [
        ServerSentEvent(data: Array("one".utf8)),
        ServerSentEvent(id: "7", event: "change", data: Array("two\n lines".utf8)),
        ServerSentEvent(id: "7", data: []),
        ServerSentEvent(id: "", data: Array("last".utf8)),
    ]

    @Test func eventsAreReadHoweverTheyAreCut() throws {
        let bytes = Array(SSEParserTests.stream.utf8)
        for cut in 0...bytes.count {
            var parser = SSEParser()
            let events = try parser.feed(bytes[..<cut]) + parser.feed(bytes[cut...])
            #expect(events == SSEParserTests.events, "cut at \(cut)")
            #expect(parser.retryMilliseconds == 1500)
        }
        var parser = SSEParser()
        let single = try bytes.flatMap { try parser.feed([$0]) }
        #expect(single == SSEParserTests.events)
    }

    @Test func whatIsEncodedIsReadBack() throws {
        let event = ServerSentEvent(id: "12", event: "push", data: Array("a\n\nb\n".utf8))
        var parser = SSEParser()
        #expect(try parser.feed(event.encoded.bytes) == [event])
    }

    @Test func anEndlessEventIsRefused() throws {
        var parser = SSEParser(eventBytesMax: 100)
        _ = try parser.feed([UInt8](repeating: 65, count: 100))
        #expect(throws: SSEParser.Failure.eventTooLarge) { try parser.feed([65]) }
    }
}
