package import SyncCore

/// One field, whose number is the case.
extension Effect: WireStructure {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .item(let state, let version):
            writer.structure(1) { writer in
                writer.field(1, state)
                writer.field(2, version)
            }
        case .alias(let item, let holder):
            writer.structure(2) { writer in
                writer.field(1, item)
                writer.field(2, holder)
            }
        case .folderRemoved(let folder, let deletion, let survivors):
            writer.structure(3) { writer in
                writer.field(1, folder)
                writer.field(2, deletion)
                writer.field(3, survivors)
            }
        case .register(let state): writer.field(4, state)
        }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        guard let field = try reader.nextField() else {
            throw WireError(offset: reader.offset, problem: .truncated)
        }
        switch field.number {
        case 1: self = try .item(from: field)
        case 2: self = try .alias(from: field)
        case 3: self = try .folderRemoved(from: field)
        case 4: self = .register(try field.structure())
        default: throw field.unknownCase
        }
        try reader.skipRest()
    }

    private static func item(from field: WireField) throws(WireError) -> Self {
        var reader = try field.inside()
        var state: ItemState?
        var version: Version?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: state = try field.structure()
            case 2: version = try field.structure()
            default: break
            }
        }
        return .item(try reader.required(state, 1), introducing: version)
    }

    private static func alias(from field: WireField) throws(WireError) -> Self {
        var reader = try field.inside()
        var item: ItemID?
        var holder: ItemID?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: item = try field.identifier()
            case 2: holder = try field.identifier()
            default: break
            }
        }
        return .alias(try reader.required(item, 1), of: try reader.required(holder, 2))
    }

    private static func folderRemoved(from field: WireField) throws(WireError) -> Self {
        var reader = try field.inside()
        var folder: ItemID?
        var deletion: VersionID?
        var survivors: [ItemID] = []
        while let field = try reader.nextField() {
            switch field.number {
            case 1: folder = try field.identifier()
            case 2: deletion = try field.identifier()
            case 3: survivors = try field.identifiers()
            default: break
            }
        }
        return .folderRemoved(
            folder: try reader.required(folder, 1), deletion: try reader.required(deletion, 2),
            survivors: survivors)
    }
}
