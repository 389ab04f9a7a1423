package import SyncCore

extension OutboxEntry: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, body)
        writer.field(2, signed: made.milliseconds)
        writer.field(3, number)
        writer.field(4, isUploaded)
        writer.field(5, accepted)
        if awaitsConfirmation { writer.field(6, true) }
        writer.field(7, restsOn)
        if wasSent { writer.field(8, true) }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var body: Operation.Body?
        var made: Int64?
        var number: UInt64?
        var isUploaded = false
        var accepted: UInt64?
        var awaitsConfirmation = false
        var restsOn: VersionID?
        var wasSent = false
        while let field = try reader.nextField() {
            switch field.number {
            case 1: body = try field.structure()
            case 2: made = try field.signed()
            case 3: number = try field.unsigned()
            case 4: isUploaded = try field.bool()
            case 5: accepted = try field.unsigned()
            case 6: awaitsConfirmation = try field.bool()
            case 7: restsOn = try field.identifier()
            case 8: wasSent = try field.bool()
            default: break
            }
        }
        self.init(
            body: try reader.required(body, 1),
            made: WallTime(milliseconds: try reader.required(made, 2)), number: number,
            isUploaded: isUploaded, accepted: accepted, awaitsConfirmation: awaitsConfirmation,
            restsOn: restsOn, wasSent: wasSent)
    }
}
