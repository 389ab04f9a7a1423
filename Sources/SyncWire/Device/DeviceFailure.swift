/// Why the daemon did not do what it was asked.
package struct DeviceFailure: Error, Hashable, Sendable {
    package let code: Code
    /// For people: what, why, and what to do.
    package let text: String

    package enum Code: UInt8, Hashable, Sendable, CaseIterable {
        /// Any other reason; also what a later version's codes are read as.
        case failed = 0
        /// No such file, version or key.
        case notFound = 1
        /// The path is in no container of this home.
        case outside = 2
        /// The request makes no sense.
        case invalid = 3
        /// The daemon does not know the call.
        case unsupported = 4
        /// No account was joined.
        case signedOut = 5
        /// The server is needed and cannot be reached.
        case offline = 6
        /// A limit of the account or of a store would be passed.
        case overLimit = 7
        /// The item has changed since; look again.
        case stale = 8
        /// Cancelled by the program, or the daemon is shutting down.
        case cancelled = 9
        /// The content is not kept any more.
        case expired = 20
    }

    package init(_ code: Code, _ text: String) {
        self.code = code
        self.text = text
    }
}

extension DeviceFailure: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, UInt64(code.rawValue))
        writer.field(2, text: text)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var code = Code.failed
        var text = ""
        while let field = try reader.nextField() {
            switch field.number {
            case 1:
                let raw = UInt8(exactly: try field.unsigned())
                code = raw.flatMap(Code.init(rawValue:)) ?? .failed
            case 2: text = try field.text()
            default: break
            }
        }
        self.init(code, text)
    }
}
