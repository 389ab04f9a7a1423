package import SyncCore

/// Operations of one device, to be decided together.
package struct OperationsMessage: Hashable, Sendable {
    package let incarnation: Incarnation
    /// Numbers rise by one.
    package let operations: [CarriedOperation]
    /// The device's ``Replica/installedNumber``; nil if it does not say.
    package let installed: UInt64?
    /// The device's cursor when it sent them; nil if it does not say.
    package let cursor: Position?

    /// The most bytes of a message; a server refuses a larger one.
    package static var mostBytes: Int { 4 << 20 }
    package static var mostOperations: Int { 1024 }

    package init(
        incarnation: Incarnation, operations: [CarriedOperation], installed: UInt64? = nil,
        cursor: Position? = nil
    ) {
        self.incarnation = incarnation
        self.operations = operations
        self.installed = installed
        self.cursor = cursor
    }
}

/// An operation with the bytes of its body, as they were sent.
///
/// The hash of the bytes is how the server knows the operation again. They may hold fields that
/// only a later version reads, so that writing the body anew would give other bytes.
package struct CarriedOperation: Hashable, Sendable {
    package let operation: Operation
    package let body: [UInt8]

    package init(_ operation: Operation) {
        self.operation = operation
        body = operation.body.encoded()
    }

    private init(_ operation: Operation, body: [UInt8]) {
        self.operation = operation
        self.body = body
    }
}

extension OperationsMessage: WireMessage {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, incarnation.value)
        writer.field(2, operations)
        writer.field(4, installed)
        writer.field(5, cursor)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var incarnation: UInt64?
        var operations: [CarriedOperation] = []
        var installed: UInt64?
        var cursor: Position?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: incarnation = try field.unsigned()
            case 2: operations.append(try field.structure())
            case 4: installed = try field.unsigned()
            case 5: cursor = try field.structure()
            default: break
            }
        }
        self.init(
            incarnation: Incarnation(try reader.required(incarnation, 1)),
            operations: operations, installed: installed, cursor: cursor)
    }
}

extension CarriedOperation: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, operation.number)
        writer.field(2, operation.age)
        writer.field(3, body)
        writer.field(4, operation.restsOn)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var number: UInt64?
        var age: UInt64?
        var carried: (Operation.Body, [UInt8])?
        var restsOn: VersionID?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: number = try field.unsigned()
            case 2: age = try field.unsigned()
            case 3: carried = (try field.structure(), try field.bytes())
            case 4: restsOn = try field.identifier()
            default: break
            }
        }
        let (body, bytes) = try reader.required(carried, 3)
        self.init(
            Operation(
                number: try reader.required(number, 1), age: try reader.required(age, 2),
                body: body, restsOn: restsOn),
            body: bytes)
    }
}
