package import SyncCore

/// A file, folder, package or link as programs see it.
package struct ItemRow: Hashable, Sendable {
    package var item: ItemID
    package var path: [UInt8]
    package var kind: Kind
    /// Of the plain content, in bytes.
    package var size: UInt64
    package var modified: FileTime
    package var state: ItemProgress
    package var hasConflicts: Bool
    /// The version that shows; nil while the server has none.
    package var version: VersionID?

    package init(
        item: ItemID, path: [UInt8], kind: Kind, size: UInt64, modified: FileTime,
        state: ItemProgress, hasConflicts: Bool, version: VersionID?
    ) {
        self.item = item
        self.path = path
        self.kind = kind
        self.size = size
        self.modified = modified
        self.state = state
        self.hasConflicts = hasConflicts
        self.version = version
    }
}

package enum ItemProgress: UInt8, Hashable, Sendable, CaseIterable {
    case current = 1
    case placeholder = 2
    case downloading = 3
    case uploading = 4
    case stuck = 5

    /// As `ls` prints it.
    package var text: String {
        switch self {
        case .current: "current"
        case .placeholder: "placeholder"
        case .downloading: "downloading"
        case .uploading: "uploading"
        case .stuck: "stuck"
        }
    }
}

/// An item that is no longer there.
package struct RemovedItem: Hashable, Sendable {
    package var item: ItemID
    /// Where it was.
    package var path: [UInt8]

    package init(item: ItemID, path: [UInt8]) {
        self.item = item
        self.path = path
    }
}

extension ItemRow: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, item)
        writer.field(2, path)
        writer.field(3, UInt64(kind.rawValue))
        writer.field(4, size)
        writer.field(5, modified)
        writer.field(6, UInt64(state.rawValue))
        writer.field(7, hasConflicts)
        writer.field(8, version)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var item: ItemID?
        var path: [UInt8]?
        var kind: Kind?
        var size: UInt64 = 0
        var modified: FileTime?
        var state: ItemProgress?
        var hasConflicts = false
        var version: VersionID?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: item = try field.identifier()
            case 2: path = try field.bytes()
            case 3: kind = try field.choice()
            case 4: size = try field.unsigned()
            case 5: modified = try field.structure()
            case 6: state = try field.choice()
            case 7: hasConflicts = try field.bool()
            case 8: version = try field.identifier()
            default: break
            }
        }
        self.init(
            item: try reader.required(item, 1), path: try reader.required(path, 2),
            kind: try reader.required(kind, 3), size: size,
            modified: try reader.required(modified, 5), state: try reader.required(state, 6),
            hasConflicts: hasConflicts, version: version)
    }
}

extension RemovedItem: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, item)
        writer.field(2, path)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var item: ItemID?
        var path: [UInt8]?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: item = try field.identifier()
            case 2: path = try field.bytes()
            default: break
            }
        }
        self.init(item: try reader.required(item, 1), path: try reader.required(path, 2))
    }
}
