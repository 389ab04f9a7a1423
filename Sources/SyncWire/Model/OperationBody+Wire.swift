package import SyncCore

/// One field, whose number is the case.
extension Operation.Body: WireStructure {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .create(let item, let kind, let placement, let version):
            writer.structure(1) { writer in
                writer.field(1, item)
                writer.field(2, UInt64(kind.rawValue))
                writer.field(3, placement)
                writer.field(4, version)
            }
        case .edit(let item, let version):
            writer.structure(2) { writer in
                writer.field(1, item)
                writer.field(2, version)
            }
        case .move(let item, let placement):
            writer.structure(3) { writer in
                writer.field(1, item)
                writer.field(2, placement)
            }
        case .removeFolder(let removal): writer.field(4, removal)
        case .write(let write): writer.field(5, write)
        case .restoreFolder(let restoration): writer.field(7, restoration)
        }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        guard let field = try reader.nextField() else {
            throw WireError(offset: reader.offset, problem: .truncated)
        }
        switch field.number {
        case 1: self = try .create(from: field)
        case 2: self = try .edit(from: field)
        case 3: self = try .move(from: field)
        case 4: self = .removeFolder(try field.structure())
        case 5: self = .write(try field.structure())
        case 7: self = .restoreFolder(try field.structure())
        default: throw field.unknownCase
        }
        try reader.skipRest()
    }

    private static func create(from field: WireField) throws(WireError) -> Self {
        var reader = try field.inside()
        var item: ItemID?
        var kind: Kind?
        var placement: Placement?
        var version: Version?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: item = try field.identifier()
            case 2: kind = try field.choice()
            case 3: placement = try field.structure()
            case 4: version = try field.structure()
            default: break
            }
        }
        return .create(
            item: try reader.required(item, 1), kind: try reader.required(kind, 2),
            placement: try reader.required(placement, 3),
            version: try reader.required(version, 4))
    }

    private static func edit(from field: WireField) throws(WireError) -> Self {
        var reader = try field.inside()
        var item: ItemID?
        var version: Version?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: item = try field.identifier()
            case 2: version = try field.structure()
            default: break
            }
        }
        return .edit(
            item: try reader.required(item, 1), version: try reader.required(version, 2))
    }

    private static func move(from field: WireField) throws(WireError) -> Self {
        var reader = try field.inside()
        var item: ItemID?
        var placement: Placement?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: item = try field.identifier()
            case 2: placement = try field.structure()
            default: break
            }
        }
        return .move(
            item: try reader.required(item, 1), placement: try reader.required(placement, 2))
    }
}

extension FolderRemoval: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, folder)
        writer.field(2, version)
        writer.field(3, installed)
        writer.field(4, beyond)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var folder: ItemID?
        var version: Version?
        var installed: UInt64?
        var beyond: [VersionID] = []
        while let field = try reader.nextField() {
            switch field.number {
            case 1: folder = try field.identifier()
            case 2: version = try field.structure()
            case 3: installed = try field.unsigned()
            case 4: beyond = try field.identifiers()
            default: break
            }
        }
        self.init(
            folder: try reader.required(folder, 1), version: try reader.required(version, 2),
            installed: try reader.required(installed, 3), beyond: beyond)
    }
}
