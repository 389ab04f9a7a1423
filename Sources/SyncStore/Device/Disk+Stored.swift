package import SyncCore
package import SyncWire

extension Slot: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, folder)
        writer.field(2, name.bytes)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var folder: ItemID?
        var name: Name?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: folder = try field.identifier()
            case 2: name = try field.name()
            default: break
            }
        }
        self.init(
            folder: try reader.required(folder, 1),
            name: try reader.required(name, 2))
    }
}

extension FileIdentity: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, device)
        writer.field(2, inode)
        writer.field(3, time: birth)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var device: UInt64?
        var inode: UInt64?
        var birth: FileTime?
        while let field = try reader.nextField() {
            switch field.number {
            case 1: device = try field.unsigned()
            case 2: inode = try field.unsigned()
            case 3: birth = try field.time()
            default: break
            }
        }
        self.init(
            device: try reader.required(device, 1),
            inode: try reader.required(inode, 2),
            birth: try reader.required(birth, 3))
    }
}

extension FileStamp: WireStructure {
    package func write(to writer: inout ByteWriter) {
        writer.field(1, identity)
        writer.field(2, size)
        writer.field(3, UInt64(mode))
        writer.field(4, time: modified)
        writer.field(5, time: changed)
        writer.field(6, UInt64(links))
        writer.field(7, isRacy)
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var identity: FileIdentity?
        var size: UInt64?
        var mode: UInt16?
        var modified: FileTime?
        var changed: FileTime?
        var links: UInt32?
        var isRacy = false
        while let field = try reader.nextField() {
            switch field.number {
            case 1: identity = try field.structure()
            case 2: size = try field.unsigned()
            case 3: mode = try field.integer()
            case 4: modified = try field.time()
            case 5: changed = try field.time()
            case 6: links = try field.integer()
            case 7: isRacy = try field.bool()
            default: break
            }
        }
        self.init(
            identity: try reader.required(identity, 1),
            size: try reader.required(size, 2),
            mode: try reader.required(mode, 3),
            modified: try reader.required(modified, 4),
            changed: try reader.required(changed, 5),
            links: try reader.required(links, 6),
            isRacy: isRacy)
    }
}
