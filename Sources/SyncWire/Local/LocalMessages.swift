package import SyncCore

/// What a device starts from, for a core that is spoken to in bytes.
package struct ReplicaOrigin: Hashable, Sendable {
    package let device: DeviceID
    /// The account's key for the ids of versions, items and places.
    package let identityKey: [UInt8]
    /// A random number of this start of the program.
    package let entropy: UInt64
    package let moment: Moment
    /// All rows that were ever persisted, or what is left of them; those of contents are ignored.
    package let rows: [ReplicaChange]

    package init(
        device: DeviceID, identityKey: [UInt8], entropy: UInt64, moment: Moment,
        rows: [ReplicaChange]
    ) {
        self.device = device
        self.identityKey = identityKey
        self.entropy = entropy
        self.moment = moment
        self.rows = rows
    }
}

/// One thing that happens to a device.
package struct ReplicaInput: Hashable, Sendable {
    package let moment: Moment
    package let event: ReplicaEvent

    package init(moment: Moment, event: ReplicaEvent) {
        self.moment = moment
        self.event = event
    }
}

/// What the device wants done, in this order.
package struct ReplicaOutput: Hashable, Sendable {
    package let actions: [ReplicaAction]

    package init(_ actions: [ReplicaAction]) { self.actions = actions }
}

extension ReplicaOrigin: WireMessage {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, device)
        writer.field(2, identityKey)
        writer.field(3, entropy)
        writer.field(4, moment)
        writer.field(5, rows)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let fields = try FieldTable(&reader)
        self.init(
            device: try fields.one(1).identifier(), identityKey: try fields.one(2).bytes(),
            entropy: try fields.one(3).unsigned(), moment: try fields.one(4).structure(),
            rows: try fields.structures(5))
    }
}

extension ReplicaInput: WireMessage {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, moment)
        writer.field(2, event)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let fields = try FieldTable(&reader)
        self.init(
            moment: try fields.one(1).structure(), event: try fields.one(2).structure())
    }
}

extension ReplicaOutput: WireMessage {
    package func write(to writer: inout ByteWriter) { writer.field(1, actions) }

    package init(from reader: inout ByteReader) throws(WireError) {
        self.init(try FieldTable(&reader).structures(1))
    }
}
