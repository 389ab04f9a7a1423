package import SyncCore

extension Ancestry: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, child)
        writer.field(2, parents)
        writer.field(3, number)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var child: VersionID?
        var parents: [VersionID] = []
        var number: UInt64?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: child = try field.identifier()
            case 2: parents = try field.identifiers()
            case 3: number = try field.unsigned()
            default: break
            }
        }
        self.init(
            child: try reader.required(child, 1), parents: parents,
            number: try reader.required(number, 3))
    }
}
