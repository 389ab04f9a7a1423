/// Reads server-sent events from bytes that may be cut anywhere.
package struct SSEParser: Sendable {
    /// The stream broke a limit; the connection should be closed.
    package enum Failure: Error, Equatable {
        case eventTooLarge
    }

    /// The time to wait before connecting again, in milliseconds, if the server named one.
    package private(set) var retryMilliseconds: Int?
    /// The last id that the server named.
    package private(set) var lastID: String?

    private let eventBytesMax: Int
    private var line: [UInt8] = []
    private var data: [UInt8] = []
    private var hasData = false
    private var event = ""
    private var isAfterCarriageReturn = false
    private var isFirstLine = true

    /// Starts a stream; an event larger than the limit is refused.
    package init(eventBytesMax: Int = 64 * 1024 * 1024) {
        self.eventBytesMax = eventBytesMax
    }

    /// Takes the next bytes and gives the events that they complete.
    package mutating func feed(
        _ bytes: some Sequence<UInt8>
    ) throws(Failure) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n"):
                if !isAfterCarriageReturn {
                    endLine(&events)
                }
                isAfterCarriageReturn = false
            case UInt8(ascii: "\r"):
                endLine(&events)
                isAfterCarriageReturn = true
            default:
                isAfterCarriageReturn = false
                line.append(byte)
                guard line.count + data.count <= eventBytesMax else { throw .eventTooLarge }
            }
        }
        return events
    }

    private mutating func endLine(_ events: inout [ServerSentEvent]) {
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) {
                line.removeFirst(3)
            }
        }
        if line.isEmpty {
            dispatch(&events)
        } else {
            takeField()
            line.removeAll(keepingCapacity: true)
        }
    }

    private mutating func dispatch(_ events: inout [ServerSentEvent]) {
        if hasData {
            events.append(
                ServerSentEvent(id: lastID, event: event.isEmpty ? "message" : event, data: data))
        }
        data = []
        hasData = false
        event = ""
    }

    private mutating func takeField() {
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        // A line that starts with a colon is a comment: the server's heartbeat.
        guard colon != 0 else { return }
        let name = line[..<(colon ?? line.count)]
        var value = line[(colon.map { $0 + 1 } ?? line.count)...]
        if value.first == UInt8(ascii: " ") {
            value.removeFirst()
        }
        switch String(decoding: name, as: UTF8.self) {
        case "data":
            if hasData {
                data.append(UInt8(ascii: "\n"))
            }
            data += value
            hasData = true
        case "event":
            event = String(decoding: value, as: UTF8.self)
        case "id" where !value.contains(0):
            lastID = String(decoding: value, as: UTF8.self)
        case "retry":
            takeRetry(value)
        default:
            break
        }
    }

    private mutating func takeRetry(_ value: ArraySlice<UInt8>) {
        let isNumber = value.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        if isNumber, let number = Int(String(decoding: value, as: UTF8.self)) {
            retryMilliseconds = number
        }
    }
}
