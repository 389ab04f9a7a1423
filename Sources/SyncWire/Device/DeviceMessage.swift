/// What travels from the daemon to a program.
package struct DeviceMessage: Hashable, Sendable {
    /// The request that it belongs to.
    package let request: UInt64
    package let body: Body

    package enum Body: Hashable, Sendable {
        /// The answer, or its last part.
        case reply(DeviceReply)
        /// A part of the answer; more follow.
        case part(DeviceReply)
        /// Instead of an answer or of its last part.
        case failure(DeviceFailure)
        case event(DeviceEvent)
        /// From a later version; a reader passes over it.
        case unknown(UInt64)
    }

    package init(request: UInt64, body: Body) {
        self.request = request
        self.body = body
    }
}

extension DeviceMessage: WireMessage {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, request)
        switch body {
        case .reply(let reply): writer.field(2, reply)
        case .part(let reply): writer.field(3, reply)
        case .failure(let failure): writer.field(4, failure)
        case .event(let event): writer.field(5, event)
        case .unknown: break
        }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var request: UInt64?
        var body: Body?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: request = try field.unsigned()
            case 2: body = .reply(try field.structure())
            case 3: body = .part(try field.structure())
            case 4: body = .failure(try field.structure())
            case 5: body = try .event(from: field)
            default: body = body ?? .unknown(field.number)
            }
        }
        self.init(request: try reader.required(request, 1), body: body ?? .unknown(0))
    }
}

extension DeviceMessage.Body {
    /// Events that a program does not know are nothing to it; a reply that it does not know is an
    /// error, because it waits for one.
    fileprivate static func event(from field: WireField) throws(WireError) -> Self {
        do {
            return .event(try field.structure())
        } catch {
            guard error.needsNewerReader else { throw error }
            return .unknown(field.number)
        }
    }
}
