package import SyncCore

extension FolderRestoration: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, folder)
        writer.field(2, deletion)
        writer.field(3, version)
        if !swept.isEmpty { writer.field(4, swept) }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var folder: ItemID?
        var deletion: VersionID?
        var version: Version?
        var swept: [VersionID] = []
        while let field = try reader.nextField() {
            switch field.number {
            case 1: folder = try field.identifier()
            case 2: deletion = try field.identifier()
            case 3: version = try field.structure()
            case 4: swept = try field.identifiers()
            default: break
            }
        }
        self.init(
            folder: try reader.required(folder, 1), deletion: try reader.required(deletion, 2),
            version: try reader.required(version, 3), swept: swept)
    }
}
