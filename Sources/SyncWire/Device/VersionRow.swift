package import SyncCore

/// A version of an item as programs see it.
package struct VersionRow: Hashable, Sendable {
    package var version: VersionID
    /// Who made it; nil while that is not known here.
    package var device: DeviceID?
    package var deviceName: String
    /// Of the file when it was saved.
    package var modified: FileTime
    /// The server's clock when it was accepted; nil while it was not.
    package var accepted: WallTime?
    /// Of the plain content, in bytes.
    package var size: UInt64
    /// The head that shows.
    package var isCurrent: Bool
    /// A head beside the one that shows.
    package var isConflict: Bool
    /// Has no content: the item was deleted by it.
    package var isDeletion: Bool
    /// Its content is on this device.
    package var isHere: Bool
    /// Its content is not kept any more.
    package var isExpired: Bool

    package init(
        version: VersionID, device: DeviceID?, deviceName: String, modified: FileTime,
        accepted: WallTime?, size: UInt64, isCurrent: Bool, isConflict: Bool, isDeletion: Bool,
        isHere: Bool, isExpired: Bool = false
    ) {
        self.version = version
        self.device = device
        self.deviceName = deviceName
        self.modified = modified
        self.accepted = accepted
        self.size = size
        self.isCurrent = isCurrent
        self.isConflict = isConflict
        self.isDeletion = isDeletion
        self.isHere = isHere
        self.isExpired = isExpired
    }
}

/// An item with more than one head.
package struct ConflictRow: Hashable, Sendable {
    package var path: [UInt8]
    package var item: ItemID
    /// The first shows.
    package var heads: [VersionRow]

    package init(path: [UInt8], item: ItemID, heads: [VersionRow]) {
        self.path = path
        self.item = item
        self.heads = heads
    }
}

extension VersionRow: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, version)
        writer.field(2, device)
        writer.field(3, text: deviceName)
        writer.field(4, modified)
        if let accepted { writer.field(5, signed: accepted.milliseconds) }
        writer.field(6, size)
        writer.field(7, isCurrent)
        writer.field(8, isConflict)
        writer.field(9, isDeletion)
        writer.field(10, isHere)
        if isExpired { writer.field(11, true) }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        self.init(
            version: VersionID(high: 0, low: 0), device: nil, deviceName: "",
            modified: FileTime(seconds: 0, nanoseconds: 0), accepted: nil, size: 0,
            isCurrent: false, isConflict: false, isDeletion: false, isHere: false)
        var version: VersionID?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: version = try field.identifier()
            case 2: device = try field.identifier()
            case 3: deviceName = try field.text()
            case 4: modified = try field.structure()
            case 5: accepted = WallTime(milliseconds: try field.signed())
            case 6: size = try field.unsigned()
            case 7: isCurrent = try field.bool()
            case 8: isConflict = try field.bool()
            case 9: isDeletion = try field.bool()
            case 10: isHere = try field.bool()
            case 11: isExpired = try field.bool()
            default: break
            }
        }
        self.version = try reader.required(version, 1)
    }
}

extension ConflictRow: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, path)
        writer.field(2, item)
        writer.field(3, heads)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var path: [UInt8]?
        var item: ItemID?
        var heads: [VersionRow] = []
        while let field = try reader.nextField() {
            switch field.number {
            case 1: path = try field.bytes()
            case 2: item = try field.identifier()
            case 3: heads.append(try field.structure())
            default: break
            }
        }
        self.init(
            path: try reader.required(path, 1), item: try reader.required(item, 2), heads: heads)
    }
}
