package import SyncCore

extension Position: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, number)
        writer.field(2, digest)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var number: UInt64?
        var digest: Digest?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: number = try field.unsigned()
            case 2: digest = try field.digest()
            default: break
            }
        }
        self.init(
            number: try reader.required(number, 1), digest: try reader.required(digest, 2))
    }
}
