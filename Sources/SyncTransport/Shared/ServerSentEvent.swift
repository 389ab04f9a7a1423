/// One event of a server-sent event stream.
package struct ServerSentEvent: Sendable, Equatable {
    /// The last id that the stream named, as far as this event knows.
    package var id: String?
    /// The event's type; "message" where the stream names none.
    package var event: String
    /// The data lines, joined by line feeds.
    package var data: [UInt8]

    package init(id: String? = nil, event: String = "message", data: [UInt8]) {
        self.id = id
        self.event = event
        self.data = data
    }

    /// The event as it goes over the wire.
    ///
    /// Id and type must not hold line ends. A carriage return in the data cannot be carried:
    /// binary data goes as base64.
    package var encoded: SharedBytes {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + 64)
        if let id {
            bytes += "id: \(id)\n".utf8
        }
        if event != "message" {
            bytes += "event: \(event)\n".utf8
        }
        for line in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            bytes += "data: ".utf8
            bytes += line
            bytes.append(UInt8(ascii: "\n"))
        }
        bytes.append(UInt8(ascii: "\n"))
        return SharedBytes(bytes)
    }
}
