import CCurl

/// A descriptor that its owner waits for together with the client's transfers.
package struct PollDescriptor: Sendable, Equatable {
    package struct Events: OptionSet, Sendable {
        package let rawValue: UInt16

        package init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        package static let readable = Events(rawValue: UInt16(CURL_WAIT_POLLIN))
        package static let writable = Events(rawValue: UInt16(CURL_WAIT_POLLOUT))
    }

    package let descriptor: Int32
    /// What to wait for; in a result, what has come, a closed peer as readable.
    package let events: Events

    package init(_ descriptor: Int32, _ events: Events = .readable) {
        self.descriptor = descriptor
        self.events = events
    }
}
