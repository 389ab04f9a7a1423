package import SyncCore

extension Placement: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, id)
        writer.field(2, replaces)
        writer.field(3, folder)
        writer.field(4, tag)
        writer.field(5, name)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var id: PlaceID?
        var replaces: PlaceID?
        var folder: ItemID?
        var tag: Tag?
        var name: [UInt8]?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: id = try field.identifier()
            case 2: replaces = try field.identifier()
            case 3: folder = try field.identifier()
            case 4: tag = try field.identifier()
            case 5: name = try field.bytes()
            default: break
            }
        }
        self.init(
            id: try reader.required(id, 1), replaces: replaces,
            folder: try reader.required(folder, 3), tag: try reader.required(tag, 4),
            name: try reader.required(name, 5))
    }
}
