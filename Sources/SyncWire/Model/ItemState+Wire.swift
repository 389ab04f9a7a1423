package import SyncCore

extension ItemState: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, id)
        writer.field(2, UInt64(kind.rawValue))
        writer.field(3, UInt64(standing.rawValue))
        writer.field(4, placement)
        writer.field(5, heads)
        writer.field(6, changed)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var id: ItemID?
        var kind: Kind?
        var standing: Standing?
        var placement: Placement?
        var heads: [Head] = []
        var changed: UInt64?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: id = try field.identifier()
            case 2: kind = try field.choice()
            case 3: standing = try field.choice()
            case 4: placement = try field.structure()
            case 5: heads.append(try field.structure())
            case 6: changed = try field.unsigned()
            default: break
            }
        }
        self.init(
            id: try reader.required(id, 1), kind: try reader.required(kind, 2),
            standing: try reader.required(standing, 3),
            placement: try reader.required(placement, 4), heads: heads,
            changed: try reader.required(changed, 6))
    }
}

extension Head: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, version)
        writer.field(2, hasContent)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var version: VersionID?
        var hasContent = false
        while let field = try reader.nextField() {
            switch field.number {
            case 1: version = try field.identifier()
            case 2: hasContent = try field.bool()
            default: break
            }
        }
        self.init(version: try reader.required(version, 1), hasContent: hasContent)
    }
}
