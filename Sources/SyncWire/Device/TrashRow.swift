package import SyncCore

/// An item of the trash as programs see it.
package struct TrashRow: Hashable, Sendable {
    package var item: ItemID
    package var kind: Kind
    /// Where it was.
    package var path: [UInt8]
    /// When it was deleted, by the server's clock.
    package var deleted: WallTime
    /// Who deleted it.
    package var device: DeviceID
    package var deviceName: String
    /// It was not deleted: its name is taken, or its folder is gone.
    package var isUnplaced: Bool

    package init(
        item: ItemID, kind: Kind, path: [UInt8], deleted: WallTime, device: DeviceID,
        deviceName: String, isUnplaced: Bool
    ) {
        self.item = item
        self.kind = kind
        self.path = path
        self.deleted = deleted
        self.device = device
        self.deviceName = deviceName
        self.isUnplaced = isUnplaced
    }
}

extension TrashRow: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, item)
        writer.field(2, UInt64(kind.rawValue))
        writer.field(3, path)
        writer.field(4, signed: deleted.milliseconds)
        writer.field(5, device)
        writer.field(6, text: deviceName)
        writer.field(7, isUnplaced)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var item: ItemID?
        var kind: Kind?
        var path: [UInt8] = []
        var deleted: Int64?
        var device: DeviceID?
        var name = ""
        var isUnplaced = false
        while let field = try reader.nextField() {
            switch field.number {
            case 1: item = try field.identifier()
            case 2: kind = try field.choice()
            case 3: path = try field.bytes()
            case 4: deleted = try field.signed()
            case 5: device = try field.identifier()
            case 6: name = try field.text()
            case 7: isUnplaced = try field.bool()
            default: break
            }
        }
        self.init(
            item: try reader.required(item, 1), kind: try reader.required(kind, 2), path: path,
            deleted: WallTime(milliseconds: try reader.required(deleted, 4)),
            device: try reader.required(device, 5), deviceName: name, isUnplaced: isUnplaced)
    }
}
